import { expect, test } from 'vitest';
import { newPerson, runCommand } from '../support/run-command.ts';

const secret = 's3cr3t-V4lu3';

test.each([
  ['whoami --api-token=<>', '--api-token'],
  ['--api-token=<> whoami', '--api-token'],
  ['--api-token <> whoami', '--api-token'],
  ['--json --api-token <> whoami', '--api-token'],
  ['kv --api-token <> namespace list', '--api-token'],
  ['kv key --token=<>', '--token'],
  ['--token=<>', '--token'],
  ['whoami --json=<>', '--json'],
  ['whoami -p<>', '-p'],
  ['kv key put a -p<>', '-p'],
  ['kv key list --token:<>', "'--token…'"],
  ['kv key --token:<>', '--token…'],
  ['kv key list --token\n<>', "'--token…'"],
  ["kv key list --token'\n<>", "'--token…'"],
])('rejects %s without showing its value, and names %s', async (line, named) => {
  const { code, out, err } = await runCommand(newPerson(), line.replace('<>', secret).split(' '));
  expect(code).toBe(2);
  expect(out + err).not.toContain(secret.slice(1));
  expect(err).toContain(named);
});

test.each([
  ['hostname reconcile list.csv --sandbox', 'hint: For example: edgectl hostname reconcile --file '],
  ['sandbox exec --json --seed seed.yaml', 'For example: edgectl sandbox exec --seed '],
  ['secret put KEY --worker shop', 'hint: Did you mean: edgectl secret put KEY --name shop'],
])('suggests a correction for %s regardless of global flags: %s', async (line, said) => {
  expect(await runCommand(newPerson(), line.split(' '))).toMatchObject({
    code: 2,
    err: expect.stringContaining(said),
  });
});

test.each([
  ['--limit', '99999999999999999999', 'too large'],
  ['--limit', '-99999999999999999999', 'too small'],
  ['--limit', '1.5', 'must be a whole number'],
])('rejects %s %s: %s', async (flag, value, words) => {
  const { code, err } = await runCommand(newPerson(), ['kv', 'key', 'list', `${flag}=${value}`]);
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(words) });
});

test('--debug prints the stack of a failure: as lines, or as one JSON object with --json', async () => {
  const line = ['whoami', '--sandbox', '--account-id', 'no id', '--debug'];
  const plain = await runCommand(newPerson(), line);
  expect(plain).toMatchObject({ code: 2, err: expect.stringMatching(/^ +at /m) });
  const { err } = await runCommand(newPerson(), [...line, '--json']);
  const lines = err.trim().split('\n');
  expect(lines.map((text) => JSON.parse(text).type)).toEqual(['error', 'debug']);
  expect(JSON.parse(lines[1] ?? '').stack.join('\n')).toContain('    at ');
});

test('--debug prints each request as a JSON object of its own type with --json', async () => {
  const { err } = await runCommand(newPerson(), [
    'kv',
    'namespace',
    'list',
    '--sandbox',
    '--debug',
    '--json',
  ]);
  const types = err
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text).type);
  expect(types).toEqual(['debug']);
});
