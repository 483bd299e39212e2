import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program, userEnvironment } from '../../support/program.ts';
import { scratchFolder } from '../../support/world.ts';

test('deletes the data of an ephemeral sandbox when it stops, or at the next start if it was killed', async () => {
  const home = scratchFolder('ephemeral');
  const temporary = join(home, 'tmp');
  mkdirSync(temporary);
  const env = { ...userEnvironment(home), TMPDIR: temporary };
  const start = async () => {
    const argv = [program, 'sandbox', 'start', '--ephemeral', '--port', '0', '--json'];
    const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
    const line = await new Promise<Buffer>((begun, failed) => {
      child.stdout.once('data', begun);
      child.once('close', () => failed(new Error(said.join(''))));
    });
    const { folder } = JSON.parse(line.toString()) as { folder: string };
    return { child, folder };
  };
  const end = async ({ child }: Awaited<ReturnType<typeof start>>, signal: NodeJS.Signals) => {
    child.kill(signal);
    await once(child, 'close');
  };
  const killed = await start();
  const other = await start();
  expect([existsSync(killed.folder), existsSync(other.folder)]).toEqual([true, true]);
  await end(killed, 'SIGKILL');
  expect(existsSync(killed.folder)).toBe(true);
  const next = await start();
  expect([existsSync(killed.folder), existsSync(other.folder)]).toEqual([false, true]);
  await end(next, 'SIGTERM');
  await end(other, 'SIGINT');
  expect(readdirSync(temporary)).toEqual([]);
});
