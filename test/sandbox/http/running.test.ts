import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { describeDoubt } from '../../../src/files/trust-problems.ts';
import { openSandbox } from '../../../src/sandbox/http/app.ts';
import { findRunning, leaseFolder, newToken } from '../../../src/sandbox/http/running.ts';
import { serve } from '../../../src/sandbox/http/serve.ts';
import { readLease, takeLease } from '../../../src/store/lease.ts';
import { newPerson, type Person, runCommand } from '../../support/run-command.ts';
import { scratchFolder } from '../../support/world.ts';

let folder: string;
let stack: AsyncDisposableStack;
beforeEach(() => {
  folder = scratchFolder('running');
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

const world = { pid: process.pid, now: () => 1_800_000_000_000, random: randomBytes };

function servedAt(port: number) {
  const apiBaseUrl = `http://127.0.0.1:${port}/client/v4`;
  return { port, apiBaseUrl, token: newToken(world), close: async () => undefined };
}

/** Starts a server with local data in the folder, and with a lease like the lease of `edgectl dev`. */
async function serveLocal() {
  const sandbox = openSandbox({ kind: 'local', folder, persistRoot: folder, ...world });
  const served = await serve(sandbox, { port: 0, token: newToken(world) });
  const lease = leaseFolder(folder, served, world);
  stack.defer(async () => {
    lease.release();
    await served.close();
    sandbox.close();
  });
  return served;
}

/** Starts a server that does not belong to edgectl, and records the received requests. */
async function strangerServer(): Promise<{ port: number; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    response.writeHead(204, { 'x-edgectl-proof': request.headers['x-edgectl-proof'] ?? '' }).end();
  });
  server.listen({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  stack.defer(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, seen };
}

const nobody = 65_534;

/**
 * Gives a file to another user, and returns whether this succeeded. Only root can change the owner, and even root cannot in containers that
 * have no other user.
 */
function giveAway(file: string): boolean {
  try {
    if (process.getuid?.() === 0) chownSync(file, nobody, nobody);
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}

/**
 * Returns the id of another user's process: a new process if the test runs as root, otherwise process 1. Returns undefined if root is not
 * allowed to start a process as another user.
 */
async function processOfAnother(): Promise<number | undefined> {
  if (process.getuid?.() !== 0) return 1;
  try {
    const child = spawn('sleep', ['600'], { uid: nobody, gid: nobody, stdio: 'ignore' });
    stack.defer(() => void child.kill());
    await once(child, 'spawn');
    return child.pid;
  } catch {
    return undefined;
  }
}

test('the lease of a folder names its server until the server releases the folder', async () => {
  expect(await findRunning(folder, world)).toBeUndefined();
  const served = await serveLocal();
  expect(await findRunning(folder, world)).toMatchObject({
    answers: true,
    lease: { pid: process.pid, apiBaseUrl: served.apiBaseUrl, token: served.token },
  });
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
  expect(await findRunning(folder, world)).toBeUndefined();
});

test('rejects the second of two servers on a folder, names the first server, and changes nothing', () => {
  const first = leaseFolder(folder, servedAt(4321), world);
  const refusal = { code: 'store-busy', message: expect.stringContaining(servedAt(4321).apiBaseUrl) };
  expect(() => leaseFolder(folder, servedAt(1234), world)).toThrow(expect.objectContaining(refusal));
  expect(readLease(folder)).toMatchObject({ port: 4321 });
  first.release();
});

describe('an untrustworthy lease', () => {
  const put = () => [
    'kv',
    'key',
    'put',
    'key',
    'private',
    '--namespace-id',
    'n',
    '--local',
    '--persist-to',
    folder,
  ];
  const get = () => ['kv', 'key', 'get', 'key', '--namespace-id', 'n', '--local', '--persist-to', folder];
  let person: Person;
  beforeEach(() => {
    person = newPerson();
  });

  test('is reported if its port belongs to an unrelated server, which receives neither token nor data', async () => {
    const { port, seen } = await strangerServer();
    const served = servedAt(port);
    const lease = leaseFolder(folder, served, world);
    stack.defer(() => lease.release());
    const ran = await runCommand(person, put());
    expect(ran).toMatchObject({
      code: 0,
      err: expect.stringContaining(`Process ${process.pid} holds ${folder}, but`),
    });
    expect(seen.map(({ method, url }) => [method, url])).toEqual([['GET', '/client/v4/sandbox/lease']]);
    expect(JSON.stringify(seen.map(({ rawHeaders }) => rawHeaders))).not.toContain(served.token);
    lease.release();
    expect(await runCommand(person, get())).toMatchObject({ code: 0, out: 'private' });
  });

  test('is reported as unanswered if nothing listens on its port', async () => {
    const lease = leaseFolder(folder, servedAt(1), world);
    stack.defer(() => lease.release());
    expect(await findRunning(folder, world)).toMatchObject({ answers: false });
    expect(await runCommand(person, put())).toMatchObject({ code: 0 });
  });

  test("is not trusted if it names another user's process, for example in a lease from an archive", async () => {
    const pid = await processOfAnother();
    const { port, seen } = await strangerServer();
    if (pid === undefined) return;
    takeLease(folder, { ...servedAt(port), pid, startedAt: 0 });
    expect(await findRunning(folder, world)).toBeUndefined();
    expect(await runCommand(person, put())).toMatchObject({ code: 0 });
    expect(seen).toEqual([]);
  });

  test('is not trusted if other users can read it, or if it belongs to another user', async () => {
    const { port, seen } = await strangerServer();
    const lease = leaseFolder(folder, servedAt(port), world);
    stack.defer(() => lease.release());
    const file = `${folder}/lease.json`;
    expect(readLease(folder, (process.getuid?.() ?? 0) + 1)).toBeUndefined();
    const disbelieved = async (doubt: string) => {
      expect(await runCommand(person, put())).toMatchObject({
        code: 0,
        err: expect.stringContaining(
          `Process ${process.pid} holds ${folder}, but is not used, because ${file} ${doubt}, so another user may have written it;`,
        ),
      });
      expect(seen).toEqual([]);
      expect(() => leaseFolder(folder, servedAt(1234), world)).toThrow(
        expect.objectContaining({ code: 'store-busy' }),
      );
    };
    chmodSync(file, 0o644);
    await disbelieved('is open to other users (mode 644)');
    chmodSync(file, 0o600);
    if (!giveAway(file)) return;
    await disbelieved(describeDoubt({ path: file, fault: 'owner', owner: nobody }));
    chownSync(file, 0, 0);
  });
});

test('does not accept the proof of a lease as a credential, and rejects a proof that is wrong or for another purpose', async () => {
  const { apiBaseUrl } = await serveLocal();
  const answer = await fetch(`${apiBaseUrl}/sandbox/lease`, {
    headers: { 'x-edgectl-once': 'ab', 'x-edgectl-proof': 'c'.repeat(64) },
  });
  expect([answer.status, answer.headers.get('x-edgectl-proof')]).toEqual([403, null]);
  expect((await fetch(`${apiBaseUrl}/sandbox/lease`)).status).toBe(403);
});

test('edgectl sends the token of the lease automatically', async () => {
  const { apiBaseUrl, token } = await serveLocal();
  const person = newPerson();
  const at = ['--namespace-id', 'n', '--local', '--persist-to', folder];
  expect(await runCommand(person, ['kv', 'key', 'put', 'k', 'v', ...at])).toMatchObject({ code: 0 });
  const debugged = await runCommand(person, ['kv', 'key', 'get', 'k', ...at, '--debug']);
  expect(debugged).toMatchObject({ code: 0, out: 'v' });
  expect(token).toMatch(/^[\w-]{32}$/);
  expect(debugged.err).not.toContain(token);
  expect((await fetch(`${apiBaseUrl}/accounts/a/storage/kv/namespaces/n/values/k`)).status).toBe(401);
});

test('the server of a sandbox accepts its own token and the credentials of the sandbox, and nothing else', async () => {
  const sandbox = openSandbox({ kind: 'sandbox', folder, persistRoot: folder, ...world });
  const token = newToken(world);
  const served = await serve(sandbox, { port: 0, token });
  stack.defer(async () => {
    await served.close();
    sandbox.close();
  });
  const status = async (path: string, bearer?: string) => {
    const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    return (
      await fetch(served.apiBaseUrl + path, { method: path.endsWith('reset') ? 'POST' : 'GET', headers })
    ).status;
  };
  for (const path of ['/sandbox/info', '/user/tokens/verify', '/sandbox/reset']) {
    expect([await status(path, token), await status(path, sandbox.access().apiToken)]).toEqual([200, 200]);
    expect(await status(path)).toBe(400);
    expect([401, 403]).toContain(await status(path, 'guessed'));
  }
});
