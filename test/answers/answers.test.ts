import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandTable } from '../../src/cli/commands/table.ts';
import { answerFault } from './check.ts';
import { answerSchema, fittingJson, type PublishedSchema, schemaName, talkSchema } from './schemas.ts';

const folder = 'docs/schema';

/** Files of the folder, by their names: what commands answer, and what they say meanwhile. */
function published(): Map<string, PublishedSchema> {
  const files = commandTable.flatMap(({ words }) => {
    const schema = answerSchema(words);
    return schema === undefined ? [] : [[`${schemaName(words)}.json`, schema] as const];
  });
  return new Map([...files, ['stderr.json', talkSchema()]]);
}

/** Those of others. */
const others = ['seed.json'];

test('the published schemas are those of what the commands declare, and no others are there', () => {
  const wanted = published();
  if (process.env['UPDATE_README'] === '1') {
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder)) if (!others.includes(name)) rmSync(join(folder, name));
    for (const [name, schema] of wanted) writeFileSync(join(folder, name), `${fittingJson(schema)}\n`);
  }
  const names = readdirSync(folder).filter((name) => !others.includes(name));
  expect(names.sort(), 'UPDATE_README=1 vitest run writes them anew').toEqual([...wanted.keys()].sort());
  for (const [name, schema] of wanted) {
    expect(JSON.parse(readFileSync(join(folder, name), 'utf8')), name).toEqual(schema);
  }
});

test('a field that is not declared, or another type, is told with its place', () => {
  const namespaces = [{ id: 'a', title: 'b' }];
  expect(answerFault('kv namespace list', namespaces)).toBe(undefined);
  expect(answerFault('kv namespace list', [{ ...namespaces[0], extra: 1 }])).toContain('/0');
  expect(answerFault('kv namespace list', [{ id: 'a', title: 1 }])).toContain('/0/title must be string');
});
