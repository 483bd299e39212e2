import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { readYaml } from '../../../src/services/sandbox/yaml.ts';

// The YAML library finds equal keys by comparing all pairs of keys. Our parser must find the same equal keys.
test.each([
  'a: 1\nb: 2\na: 3\n',
  '- {a: 1, "a": 2}\n',
  'a:\n  b: 1\n  c: 2\n  b: 3\n',
  '? [a]\n: 1\n? [a]\n: 2\n',
  '1: a\n1: b\n',
  '1: a\n"1": b\n',
  'a: &x {b: 1}\nc: *x\n',
  '~: 1\nnull: 2\n',
])('reads %j like the library, including duplicate keys', (text) => {
  const document = parseDocument(text);
  const [fault] = document.errors;
  const expected =
    fault === undefined
      ? { value: document.toJS() }
      : { fault: (fault.message.split('\n')[0] ?? '').replace(/:$/, '') };
  expect(readYaml(text)).toEqual(expected);
});

test.each([`a: ${'['.repeat(5000)}`, '- '.repeat(5000)])('reports nesting that is too deep', (text) => {
  expect(readYaml(text)).toMatchObject({ fault: expect.stringContaining('it is nested too deeply') });
});
