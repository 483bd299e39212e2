import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configurationKeys } from '../../src/cli/output/topics.ts';
import { foreignFields } from '../../src/config/check.ts';
import { newPerson, runCommand } from '../support/run-command.ts';

const known = configurationKeys.flatMap(([names]) => names.split(', '));

test('reports an unknown field with its line and a suggestion', async () => {
  const person = newPerson();
  const file = join(person.cwd, 'edgectl.toml');
  const lines = ['name = "shop"', 'acount_id = "x"', '[[kv_namespaces]]', 'binding = "KV"', 'ID = "1"'];
  writeFileSync(file, `${[...lines, '[env.live]', 'kv_namespace = []', 'frobnicate = 1'].join('\n')}\n`);
  const get = ['kv', 'key', 'get', 'a', '--binding', 'KV', '--local'];
  const { err } = await runCommand(person, get);
  expect(err).toContain(`${file}:2: unknown field "acount_id" is ignored. Did you mean account_id?`);
  expect(err).toContain(`${file}:5: unknown field "ID" is ignored. Did you mean id?`);
  expect(err).toContain('"kv_namespace" is ignored. Did you mean kv_namespaces?');
  expect(err).toMatch(/"frobnicate" is ignored\.$/m);
  expect((await runCommand(person, [...get, '--quiet'])).err).not.toContain('frobnicate');
  expect((await runCommand(person, ['doctor'])).out).toMatch(/^warning +configuration .*\n +-> .*acount_id/m);
});

test("knows all fields of the provider's schema", () => {
  const { definitions } = JSON.parse(readFileSync('node_modules/wrangler/config-schema.json', 'utf8'));
  const { RawConfig, RawEnvironment } = definitions;
  const fields = [...Object.keys(RawConfig.properties), ...Object.keys(RawEnvironment.properties)];
  expect(fields.length).toBeGreaterThan(100);
  const strange = fields.filter((name) => !foreignFields.includes(name) && !known.includes(name));
  expect(strange).toEqual([]);
});

test.each(['cloudflare.config.ts', '.cloudflare/output'])(
  'recognizes a project of the cf command by its %s, and refuses it',
  async (path) => {
    const person = newPerson();
    mkdirSync(join(person.cwd, '.cloudflare'));
    if (path.endsWith('.ts')) writeFileSync(join(person.cwd, path), 'export default {};\n');
    else mkdirSync(join(person.cwd, path));
    const { code, err } = await runCommand(person, ['kv', 'key', 'get', 'a', '--binding', 'KV', '--local']);
    expect(code).toBe(2);
    expect(err).toContain(`${join(person.cwd, path)} belongs to a project of the cf command`);
    expect(err).toContain('edgectl.toml');
    expect((await runCommand(person, ['doctor'])).out).toMatch(/^warning +configuration .*cf command/m);
  },
);
