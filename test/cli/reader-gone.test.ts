import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { openOutput } from '../../src/cli/output/output.ts';
import { runCommandLine } from '../../src/cli/run.ts';
import { ReaderClosed } from '../../src/files/reader.ts';
import { program, userEnvironment } from '../support/program.ts';
import { newPerson, runCommand } from '../support/run-command.ts';
import { scratchFolder, testWorld } from '../support/world.ts';

const id = 'a'.repeat(32);

/** Returns a stdout whose reader has closed the pipe. */
function closedPipe(): Writable {
  const gone = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  return new Writable({ write: (_chunk, _encoding, done) => done(gone) }).on('error', () => undefined);
}

test('prints nothing after the reader has closed the pipe', async () => {
  const world = testWorld();
  const output = openOutput({ ...world, stdout: closedPipe() }, { json: false, quiet: false });
  output.note('before');
  await expect(output.line('an answer')).rejects.toThrow(ReaderClosed);
  expect(output.readerGone.aborted).toBe(true);
  output.note('a note');
  output.warn('a warning');
  output.live('a line');
  expect(world.errText()).toBe('before\n');
});

/** Opens a platform with one zone and no hostnames. The platform stops answering after two requests for hostnames. */
async function openPlatform(): Promise<{ url: string; close(): Promise<void> }> {
  let asked = 0;
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://x');
    if (searchParams.has('hostname')) asked += 1;
    if (asked > 2) return;
    const result = /custom_hostnames|dns_records/.test(request.url ?? '') ? [] : { id, name: 'zone.test' };
    response.end(JSON.stringify({ success: true, errors: [], result, result_info: { total_count: 0 } }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    // The aborted request is reported in later turns of the event loop.
    for (let turn = 0; turn < 10; turn += 1) await new Promise((next) => setImmediate(next));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`, close };
}

test('aborts work whose output nobody reads, and does not retry its requests', async () => {
  const platform = await openPlatform();
  const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}.customer-shop.com`);
  const world = testWorld({
    argv: ['hostname', 'diagnose', ...names, '--no-probe', '--resolver', '127.0.0.1:1'],
    env: {
      EDGECTL_API_BASE_URL: platform.url,
      EDGECTL_API_TOKEN: 'a-token-of-nobody',
      EDGECTL_ZONE_ID: id,
    },
  });
  const code = await runCommandLine({ ...world, stdout: closedPipe() }, async () => 1);
  await platform.close();
  expect({ code, said: world.errText() }).toEqual({ code: 0, said: '' });
});

test('completes changes and reports failures even if nobody reads the answer', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `shop-${index}.customer-shop.com`);
  const world = testWorld({ argv: [] });
  writeFileSync(join(world.cwd, 'names.txt'), names.join('\n'));
  const run = (argv: readonly string[], stdout: Writable) =>
    runCommandLine({ ...world, argv: [...argv, '--sandbox'], stdout }, async () => 1);
  const create = ['hostname', 'create', '--file', 'names.txt'];
  const code = await run(create, closedPipe());
  expect({ code, said: world.errText() }).toMatchObject({
    code: 0,
    said: expect.stringContaining('Created 8 custom hostnames'),
  });
  expect(await run(create, closedPipe())).not.toBe(0);
  expect(world.errText()).toMatch(/error: /);
  await run(['hostname', 'list', '--all-pages', '--json'], world.stdout);
  const listed: { hostname: string }[] = JSON.parse(world.outText());
  expect(listed.map(({ hostname }) => hostname).sort()).toEqual(names);
});

test('ends at the first Ctrl-C if the reader has stopped reading', async () => {
  const folder = scratchFolder('stalled');
  const at = ['--namespace-id', 'n', '--local'];
  writeFileSync(join(folder, 'value'), Buffer.alloc(4 * 1024 * 1024));
  const person = { ...newPerson(), cwd: folder };
  await runCommand(person, ['kv', 'key', 'put', 'k', '--path', 'value', ...at]);
  const child = spawn(process.execPath, [program, 'kv', 'key', 'get', 'k', ...at], {
    cwd: folder,
    env: userEnvironment(folder),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  // The pipe is full, and nobody reads from it.
  await once(child.stdout, 'readable');
  child.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  child.stdout.destroy();
});
