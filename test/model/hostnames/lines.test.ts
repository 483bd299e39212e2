import { expect, test } from 'vitest';
import { columnsFault, lineOfCells, lineOfValue } from '../../../src/model/hostnames/lines.ts';

test.each(['constructor', '__proto__', 'toString'])(
  'treats %s as the name of an ordinary column and as an ordinary cell',
  (name) => {
    expect(columnsFault(['hostname', name])).toContain(`unknown column "${name}"`);
    expect(lineOfCells(['hostname', 'wildcard'], ['a.example.com', name])).toMatchObject({
      reason: expect.stringContaining(JSON.stringify(name)),
    });
  },
);

test('keeps every metadata name, including names of built-in object members', () => {
  const columns = ['hostname', 'metadata.__proto__', 'metadata.constructor', 'metadata.plan'];
  const line = lineOfCells(columns, ['a.example.com', 'x', 'y', 'z']);
  expect(JSON.stringify(line)).toContain('{"__proto__":"x","constructor":"y","plan":"z"}');
  const value: unknown = JSON.parse(
    '{"hostname":"a.example.com","metadata":{"constructor":1,"__proto__":2}}',
  );
  expect(JSON.stringify(lineOfValue(value))).toContain('{"constructor":1,"__proto__":2}');
});
