import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { known, noFacts } from '../../src/model/diagnosis/facts.ts';
import { newPerson, runCommand } from '../support/run-command.ts';

async function readError(argv: readonly string[], files: Readonly<Record<string, string>>) {
  const person = newPerson();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(person.cwd, name), text);
  const { code, out, err } = await runCommand(person, ['--sandbox', '--json', ...argv]);
  expect([code, out]).toEqual([2, '']);
  return JSON.parse(err.trim().split('\n').at(-1) ?? '').error;
}

// docs/json.md: `wrong` lists all invalid entries of a rejected file.
test('reports all invalid secrets in a file without showing their values', async () => {
  const secrets = { GOOD: 'g00d-T3xt', EMPTY: '', COUNT: 7, 'not-a-name': 's3cr3t-T3xt' };
  const argv = ['secret', 'bulk', 'all.json', '--name', 'shop', '--yes'];
  const error = await readError(argv, { 'all.json': JSON.stringify(secrets) });
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

test('reports each invalid field of a seed with its path', async () => {
  const seed = {
    namespaces: [{ title: 'a', kyes: [] }],
    hostnames: [{ hostname: 'a.b.com', status: 'activ' }],
  };
  const argv = ['sandbox', 'exec', '--seed', 'seed.json'];
  const { wrong } = await readError([...argv, '--', 'true'], { 'seed.json': JSON.stringify(seed) });
  expect(wrong).toEqual([
    { key: 'namespaces[0].kyes', reason: expect.stringContaining('unknown field') },
    { key: 'hostnames[0].status', reason: expect.stringContaining('is not one of') },
  ]);
});

test('reports up to 10,000 invalid entries of a world file, and loads nothing from the file', async () => {
  const right = JSON.stringify({
    ...noFacts('w.acme.com', 0),
    zone: known({ id: 'z', name: 'saas.sandbox' }),
    record: known(null),
  });
  // The valid entries before the first invalid entry fill more than one request.
  const lines = [...Array(201).fill(right), '{"hostname":"a.b.com"}', right, '{"at":1}', '{broken}'];
  const argv = ['hostname', 'import-world', 'world.ndjson', '--yes'];
  const error = await readError(argv, { 'world.ndjson': lines.join('\n') });
  expect(error.wrong).toEqual([201, 203, 204].map((index) => ({ index, reason: expect.any(String) })));
  expect(error.message).toContain(
    '3 of 205 entries in world.ndjson are invalid; nothing was sent:\n  entry 202: ',
  );
  const many = await readError(argv, { 'world.ndjson': '{}\n'.repeat(10_001) });
  expect(many.wrong).toHaveLength(10_000);
  expect(many.message).toContain('… and 9,981 more');
});
