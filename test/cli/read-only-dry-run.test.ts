import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Person, runCommand } from '../support/run-command.ts';
import { openServed, type Served } from '../support/served.ts';

let served: Served;
let namespace: string;
let person: Person;

beforeAll(async () => {
  served = await openServed();
  namespace = await served.createNamespace();
  person = served.person;
  writeFileSync(join(person.cwd, 'in.json'), JSON.stringify([{ key: 'b', value: '2' }]));
  writeFileSync(join(person.cwd, 'keys.json'), '["a"]');
  mkdirSync(join(person.cwd, 'site'));
  writeFileSync(join(person.cwd, 'site', 'page.html'), 'x');
  writeFileSync(join(person.cwd, 'worker.js'), 'export default { fetch: () => new Response("hello") };');
  writeFileSync(
    join(person.cwd, 'edgectl.toml'),
    'name = "hello"\nmain = "worker.js"\ncompatibility_date = "2026-01-01"\n',
  );
  await runCommand(person, ['kv', 'key', 'put', 'a', '1', '--namespace-id', namespace]);
  await runCommand(person, ['objstore', 'bucket', 'create', 'assets']);
});
afterAll(() => served.close());
beforeEach(() => served.proxy.use(({ method }) => (['PUT', 'DELETE'].includes(method) ? 'cut' : undefined)));

const at = (): string[] => ['--namespace-id', namespace];

test.each([
  ['kv bulk put', () => ['kv', 'bulk', 'put', 'in.json', ...at()], '1 key would be created'],
  ['kv bulk delete', () => ['kv', 'bulk', 'delete', 'keys.json', ...at()], '1 key would be deleted'],
  [
    'kv bulk delete by prefix',
    () => ['kv', 'bulk', 'delete', '--prefix', 'a', ...at()],
    '1 key would be deleted',
  ],
  ['kv namespace clear', () => ['kv', 'namespace', 'clear', ...at()], '1 key would be deleted'],
  [
    'kv copy',
    () => ['kv', 'copy', ...at(), '--to-local', '--to-namespace-id', 'other'],
    '1 key would be created',
  ],
  ['objstore object sync', () => ['objstore', 'object', 'sync', 'site', 'assets'], 'page.html'],
  ['deploy', () => ['deploy'], 'hello'],
])('--read-only allows %s with --dry-run, and rejects it without --dry-run', async (_, argv, expected) => {
  const seen = await runCommand(person, [...argv(), '--dry-run', '--read-only']);
  expect(seen).toMatchObject({ code: 0, out: expect.stringContaining(expected) });
  const refused = await runCommand(person, [...argv(), '--read-only', '--yes']);
  expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Read-only: edgectl') });
});
