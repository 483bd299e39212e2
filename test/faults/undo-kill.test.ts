import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { program, userEnvironment } from '../support/program.ts';
import { runCommand } from '../support/run-command.ts';
import { openServed } from '../support/served.ts';
import { scratchFolder } from '../support/world.ts';

test('leaves the key unchanged and the journal entry harmless after a kill between the journal entry and the delete', async () => {
  const served = await openServed();
  const id = await served.createNamespace();
  const at = ['--namespace-id', id];
  await runCommand(served.person, ['kv', 'key', 'put', 'k', 'precious', ...at]);
  const env = { ...userEnvironment(scratchFolder('home')), ...served.person.env };
  const run = (...argv: string[]) => promisify(execFile)(process.execPath, [program, ...argv], { env });
  const asked = Promise.withResolvers<void>();
  served.proxy.use(async ({ method }) => {
    if (method !== 'DELETE') return undefined;
    asked.resolve();
    return new Promise(() => undefined);
  });
  const child = spawn(process.execPath, [program, 'kv', 'key', 'delete', 'k', '--undo', ...at], { env });
  await asked.promise;
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect((await run('undo', 'list')).stdout).toContain('the value of k');
  expect((await run('kv', 'key', 'get', 'k', ...at)).stdout).toBe('precious');
  expect((await run('undo', 'restore')).stdout).toBe('Restored the value of k.\n');
  expect((await run('kv', 'key', 'get', 'k', ...at)).stdout).toBe('precious');
  expect((await run('undo', 'list')).stdout).toBe('');
  await served.close();
});
