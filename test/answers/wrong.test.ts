import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newPerson, runCommand } from '../support/run-command.ts';

async function errorOf(argv: readonly string[], files: Readonly<Record<string, string>>) {
  const person = newPerson();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(person.cwd, name), text);
  const { code, out, err } = await runCommand(person, ['--sandbox', '--json', ...argv]);
  expect([code, out]).toEqual([2, '']);
  return JSON.parse(err.trim().split('\n').at(-1) ?? '').error;
}

// docs/json.md: `wrong` has all wrong entries of a refused file.
test('a refused file of secrets names all wrong secrets, and no text', async () => {
  const secrets = { GOOD: 'g00d-T3xt', EMPTY: '', COUNT: 7, 'not-a-name': 's3cr3t-T3xt' };
  const argv = ['secret', 'bulk', 'all.json', '--name', 'shop', '--yes'];
  const error = await errorOf(argv, { 'all.json': JSON.stringify(secrets) });
  expect(error).toMatchObject({
    code: 'invalid-input',
    wrong: [
      { key: 'EMPTY', reason: expect.stringContaining('empty') },
      { key: 'COUNT', reason: expect.stringContaining('a number') },
      { key: 'not-a-name' },
    ],
  });
  expect(JSON.stringify(error)).not.toMatch(/T3xt/);
});

test('a refused seed names the path of each wrong field', async () => {
  const seed = {
    namespaces: [{ title: 'a', kyes: [] }],
    hostnames: [{ hostname: 'a.b.com', status: 'activ' }],
  };
  const argv = ['sandbox', 'exec', '--seed', 'seed.json'];
  const { wrong } = await errorOf([...argv, '--', 'true'], { 'seed.json': JSON.stringify(seed) });
  expect(wrong).toEqual([
    { key: 'namespaces[0].kyes', reason: expect.stringContaining('no such field') },
    { key: 'hostnames[0].status', reason: expect.stringContaining('is none of') },
  ]);
});

test('a refused world file names the first wrong entry', async () => {
  const argv = ['hostname', 'import-world', 'world.ndjson', '--yes'];
  const { wrong } = await errorOf(argv, { 'world.ndjson': '{"hostname":"a.b.com"}\n' });
  expect(wrong).toEqual([{ index: 0, reason: expect.any(String) }]);
});
