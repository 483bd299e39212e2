import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { toJsonSchema } from '../../../src/cli/output/json-schema.ts';
import { formatJson } from '../../../src/cli/output/schemas.ts';
import { seedShape } from '../../../src/sandbox/seed/shape.ts';
import { schemaFault } from '../../answers/check.ts';

const file = 'docs/schema/seed.json';

test('the published schema describes all accepted seeds', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Seed of an edgectl sandbox',
    ...toJsonSchema(seedShape),
  };
  if (process.env['UPDATE_README'] === '1') {
    mkdirSync('docs/schema', { recursive: true });
    writeFileSync(file, `${formatJson(JSON.parse(JSON.stringify(schema)))}\n`);
  }
  const published: unknown = JSON.parse(readFileSync(file, 'utf8'));
  expect(published, 'regenerate with UPDATE_README=1 vitest run').toEqual(JSON.parse(JSON.stringify(schema)));
});

test('the example matches the schema', () => {
  const schema = JSON.parse(readFileSync(file, 'utf8'));
  const seed: unknown = parse(readFileSync('examples/tests/seed.yaml', 'utf8'));
  expect(schemaFault(schema, seed)).toBeUndefined();
  expect(schemaFault(schema, { hostnames: [{ hostname: 'a.demo', status: 'activ' }] })).toContain(
    '/hostnames/0/status must be equal to one of the allowed values',
  );
});
