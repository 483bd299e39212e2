import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newPerson, runCommand } from '../support/run-command.ts';

const person = newPerson();
const key = 'kv key get x --namespace-id n --local';
writeFileSync(join(person.cwd, 'secret.toml'), 'api_token = "s3cr3t-V4lu3"\n');
writeFileSync(join(person.cwd, 'broken.toml'), 'name = \n');

// A user who specifies a file expects that file to be used. Help, the version and completion do not report errors in the file.
test.each(
  ['profile list', 'setting list', 'completion bash', 'whoami --sandbox', key].flatMap((line) =>
    ['nowhere.toml', 'secret.toml', 'broken.toml'].map((file) => [line, file] as const),
  ),
)('%s rejects a --config of %s', async (line, file) => {
  const { code, out, err } = await runCommand(person, [...line.split(' '), '--config', file]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(file);
  expect(err).not.toContain('s3cr3t');
});

test.each([
  `${key} --help --config nowhere.toml`,
  '--version --config nowhere.toml',
  'help kv --config nowhere.toml',
  'help output --config nowhere.toml',
  'completion words -- kv key get --config nowhere.toml ""',
])('%s does not read the configuration', async (line) => {
  expect(await runCommand(person, line.split(' '))).toMatchObject({ code: 0, err: '' });
});

test('reads a configuration file that was found only for commands that need a configuration', async () => {
  const other = newPerson();
  writeFileSync(join(other.cwd, 'edgectl.toml'), 'api_token = "s3cr3t-V4lu3"\n');
  expect(await runCommand(other, ['profile', 'list'])).toMatchObject({ code: 0, err: '' });
  expect(await runCommand(other, ['kv', 'key', 'get', 'x', '--binding', 'KV', '--local'])).toMatchObject({
    code: 2,
  });
});
