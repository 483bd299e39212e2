import { expect, test } from 'vitest';
import { listDifferences } from './differences.ts';
import type { TypeSchema } from './type-schema.ts';

const text: TypeSchema = { type: 'string' };
const types: Record<string, TypeSchema> = {
  'dns.ARecord': {
    type: 'object',
    properties: { type: { enum: ['A'] }, ttl: { type: 'number' }, proxied: { type: 'boolean' } },
    required: ['type', 'ttl'],
  },
  'dns.MXRecord': {
    type: 'object',
    properties: { type: { enum: ['MX'] }, ttl: { type: 'number' }, priority: { type: 'number' } },
    required: ['type', 'ttl'],
  },
  'dns.Tree': { type: 'object', properties: { tree: { $ref: 'dns.Tree' } } },
};
const either: TypeSchema = { anyOf: [{ $ref: 'dns.ARecord' }, { $ref: 'dns.MXRecord' }] };
const body: TypeSchema = {
  type: 'object',
  properties: {
    list: { type: 'array', items: either },
    name: { anyOf: [{ type: 'null' }, text] },
    state: { enum: ['on', 'off'] },
    tags: { type: 'object', additionalProperties: text },
    tree: { $ref: 'dns.Tree' },
    any: {},
  },
  required: ['name'],
};

/** Formats each difference as `where is actual, not expected`. */
function report(value: unknown): string[] {
  return listDifferences(body, types, value, 'GET /x').map(
    ({ of, field, is, says }) => `${of} ${field} is ${is}, not ${says}`,
  );
}

test('finds no difference in a correct value', () => {
  const list = [
    { type: 'A', ttl: 1 },
    { type: 'MX', ttl: 1, priority: 5 },
  ];
  const tags = { a: 'b' };
  expect(report({ name: null, list, state: 'on', tags, tree: { tree: {} }, any: [1] })).toEqual([]);
  expect(report({ name: 'x' })).toEqual([]);
});

test.each<[value: unknown, said: string]>([
  [{}, 'GET /x name is missing, not null or string'],
  [{ name: 1 }, 'GET /x name is number, not null or string'],
  [{ name: 'x', more: 'y' }, 'GET /x more is undeclared, not nothing'],
  [{ name: 'x', state: 'half' }, 'GET /x state is "half", not "on" or "off"'],
  [{ name: 'x', state: null }, 'GET /x state is null, not "on" or "off"'],
  [{ name: 'x', tags: { a: 1 } }, 'GET /x tags.a is number, not string'],
  [{ name: 'x', list: {} }, 'GET /x list is object, not array'],
  [{ name: 'x', tree: { tree: { branch: 1 } } }, 'dns.Tree branch is undeclared, not nothing'],
  [[], 'GET /x  is array, not object'],
])('names the path of the difference in %j', (value, said) => {
  expect(report(value)).toEqual([said]);
});

test('compares with the member of a union that a literal value identifies', () => {
  // The other type has the same number of differences, but a wrong literal counts for more.
  const mail = { type: 'MX', ttl: '1', proxied: true };
  expect(report({ name: 'x', list: [mail] })).toEqual([
    'dns.MXRecord ttl is "1", not number',
    'dns.MXRecord proxied is undeclared, not nothing',
  ]);
  expect(report({ name: 'x', list: ['MX'] })).toEqual([
    'GET /x list[] is "MX", not dns.ARecord or dns.MXRecord',
  ]);
});
