import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandTable } from '../../src/cli/commands/table.ts';
import {
  answerSchema,
  formatJson,
  otherSchemas,
  type PublishedSchema,
  schemaName,
} from '../../src/cli/output/schemas.ts';
import { answerFault, isSchema, schemaFault } from './check.ts';
import { fitsSchema, isMoment } from './fits-schema.ts';

const folder = 'docs/schema';

/** Returns the published schemas of answers and messages, by file name. */
function published(): Map<string, PublishedSchema> {
  const files = commandTable.flatMap(({ words }) => {
    const schema = answerSchema(words);
    return schema === undefined ? [] : [[`${schemaName(words)}.json`, schema] as const];
  });
  const further = Object.entries(otherSchemas).map(([name, make]) => [`${name}.json`, make()] as const);
  return new Map([...files, ...further]);
}

/** Published schemas that do not describe an answer. */
const others = ['seed.json'];

test('publishes a schema for each command answer, and no others', () => {
  const wanted = published();
  if (process.env['UPDATE_README'] === '1') {
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder)) if (!others.includes(name)) rmSync(join(folder, name));
    for (const [name, schema] of wanted) writeFileSync(join(folder, name), `${formatJson(schema)}\n`);
  }
  const names = readdirSync(folder).filter((name) => !others.includes(name));
  expect(names.sort(), 'UPDATE_README=1 vitest run rewrites them').toEqual([...wanted.keys()].sort());
  for (const [name, schema] of wanted) {
    expect(JSON.parse(readFileSync(join(folder, name), 'utf8')), name).toEqual(schema);
    expect(isSchema(schema), name).toBe(true);
  }
});

test('reports an undeclared field or a wrong type with its path', () => {
  const namespaces = [{ id: 'a', title: 'b' }];
  expect(answerFault('kv namespace list', namespaces)).toBe(undefined);
  expect(answerFault('kv namespace list', [{ ...namespaces[0], extra: 1 }])).toContain('/0');
  expect(answerFault('kv namespace list', [{ id: 'a', title: 1 }])).toContain('/0/title must be string');
});

/** Schemas that each test one keyword, together with the keywords that it requires. */
const schemas: readonly PublishedSchema[] = [
  ...['string', 'number', 'integer', 'boolean', 'null', 'object', 'array'].map((type) => ({ type })),
  { title: 'a', description: 'b', $comment: 'c' },
  { enum: ['a', 1] },
  { const: 'a' },
  { anyOf: [{ type: 'string' }, { type: 'null' }] },
  { type: 'array', items: { type: 'integer' } },
  { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
  { type: 'object', additionalProperties: { type: 'string' } },
  { type: 'string', pattern: '^a.$' },
  { type: 'number', minimum: 1 },
  { type: 'string', minLength: 1 },
  { type: 'string', format: 'date-time' },
];

const values: readonly unknown[] = [
  ...[null, true, 0, 1, 1.5, '', 'a', 'ab', 'a\u{1f600}', '2026-01-01T00:00:00Z', '2026-01-01T99:00:00Z'],
  ...[[], [1], [1.5], ['a'], {}, { a: 'a' }, { a: 1 }, { b: 'b' }, { a: 'a', b: 'b' }, { constructor: 'a' }],
];

test.each(schemas)('gives the same verdict on %j as the schema compiler', (schema) => {
  const report = (fits: (value: unknown) => boolean) => values.filter(fits);
  const fitting = report((value) => fitsSchema(schema, value));
  expect(fitting).toEqual(report((value) => schemaFault(schema, value) === undefined));
  expect(fitting).not.toEqual([]);
});

test('a timestamp field accepts only valid times in the format of the API', () => {
  const texts = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.5+02:00', '2026-01-01T99:00:00Z', '2026-01-01'];
  expect(texts.filter(isMoment)).toEqual(texts.slice(0, 2));
});

test('reports an unknown schema keyword', () => {
  expect(() => fitsSchema({ maximum: 1 }, 2)).toThrow('maximum');
});
