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
])('%s is refused without its value, and names %s', async (line, named) => {
  const { code, out, err } = await runCommand(newPerson(), line.replace('<>', secret).split(' '));
  expect(code).toBe(2);
  expect(out + err).not.toContain(secret.slice(1));
  expect(err).toContain(named);
});

test('--debug shows where a failure comes from: in lines, and as one JSON object with --json', async () => {
  const line = ['whoami', '--sandbox', '--account-id', 'no id', '--debug'];
  const plain = await runCommand(newPerson(), line);
  expect(plain).toMatchObject({ code: 2, err: expect.stringMatching(/^ +at /m) });
  const { err } = await runCommand(newPerson(), [...line, '--json']);
  const lines = err.trim().split('\n');
  expect(lines.map((text) => JSON.parse(text).type)).toEqual(['error', 'debug']);
  expect(JSON.parse(lines[1] ?? '').stack.join('\n')).toContain('    at ');
});

test('with --json, what --debug says of requests is of its own type', async () => {
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
