import { expect, test } from 'vitest';
import { columnsFault, lineOfCells, lineOfValue } from '../../../src/model/hostnames/lines.ts';

test.each(['constructor', '__proto__', 'toString'])('%s is a column and a cell like any other', (name) => {
  expect(columnsFault(['hostname', name])).toContain(`the column "${name}" is not known`);
  expect(lineOfCells(['hostname', 'wildcard'], ['a.example.com', name])).toMatchObject({
    reason: expect.stringContaining(JSON.stringify(name)),
  });
});

test('metadata keep every name, also those that objects have already', () => {
  const columns = ['hostname', 'metadata.__proto__', 'metadata.constructor', 'metadata.plan'];
  const line = lineOfCells(columns, ['a.example.com', 'x', 'y', 'z']);
  expect(JSON.stringify(line)).toContain('{"__proto__":"x","constructor":"y","plan":"z"}');
  const value: unknown = JSON.parse(
    '{"hostname":"a.example.com","metadata":{"constructor":1,"__proto__":2}}',
  );
  expect(JSON.stringify(lineOfValue(value))).toContain('{"constructor":1,"__proto__":2}');
});
