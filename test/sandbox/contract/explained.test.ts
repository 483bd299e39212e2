import { expect, test } from 'vitest';
import { listDifferences } from './differences.ts';
import { explainedDifferences, findExplanation } from './explained.ts';
import { sdkTypes } from './sdk-types-file.ts';
import type { TypeSchema } from './type-schema.ts';

const { routes, types } = sdkTypes();

/** Types by name, and bodies by route. */
const all = new Map<string, TypeSchema>(Object.entries(types));
for (const [route, known] of Object.entries(routes)) {
  if (known !== null && known.body !== 'raw') all.set(route, known.body);
}

/** Returns a value that differs in a field in the explained way. */
function sampleOf(field: string, is: string): unknown {
  const value =
    is === 'null'
      ? null
      : is === 'array'
        ? []
        : is.startsWith('"')
          ? JSON.parse(is)
          : is === 'number'
            ? 1
            : 'x';
  const path = field === '' ? [] : field.replace('*', 'some').split('.');
  return path.reduceRight((inner, name) => ({ [name]: inner }), value);
}

test.each(explainedDifferences)('the explained difference of $of $fields exists', ({ of, fields, is }) => {
  const others = { says: '', of: '' };
  for (const field of fields) {
    const named = [...all.keys()].filter(
      (name) => findExplanation({ ...others, of: name, field: field.replace('*', 'some'), is })?.of === of,
    );
    expect(named, 'no such type').not.toEqual([]);
    const differing = named.filter((name) =>
      listDifferences(all.get(name) ?? {}, types, sampleOf(field, is), name).some(
        (one) => one.is === is && findExplanation(one)?.of === of,
      ),
    );
    expect(differing, 'the SDK has it as it is answered').not.toEqual([]);
  }
});

test('an explanation of a field covers only one kind of difference', () => {
  const owner = { of: 'zones/zones.Zone.Owner', field: 'id', says: '' };
  expect(findExplanation({ ...owner, is: 'null' })?.why).toContain('null for a zone of an account');
  expect(findExplanation({ ...owner, is: 'number' })).toBe(undefined);
});
