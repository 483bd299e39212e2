import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { program, userEnvironment } from '../support/program.ts';
import { scratchFolder } from '../support/world.ts';

type Answering = (response: ServerResponse, request: IncomingMessage) => void;

let server: Server;
let answering: Answering;
const children: ChildProcess[] = [];

beforeEach(async () => {
  server = createServer((request, response) => answering(response, request));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  server.closeAllConnections();
  server.close();
});

/** Starts the program against the server, and discards the program's output. */
function start(argv: readonly string[], cwd = scratchFolder('cwd')): ChildProcess {
  const { port } = server.address() as AddressInfo;
  const child = spawn(process.execPath, [program, ...argv], {
    cwd,
    env: {
      ...userEnvironment(scratchFolder('home')),
      EDGECTL_API_TOKEN: 'token-of-a-test',
      EDGECTL_ACCOUNT_ID: 'a'.repeat(32),
      EDGECTL_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.resume();
  child.stderr.resume();
  children.push(child);
  return child;
}

/** Milliseconds: much less than any wait in the program, and more than a busy machine needs to end a process. */
const atOnce = 8000;

async function expectEndAtOnce(child: ChildProcess): Promise<void> {
  const ended = once(child, 'close');
  const pressed = performance.now();
  child.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  expect(performance.now() - pressed).toBeLessThan(atOnce);
}

const chunk = Buffer.alloc(64 * 1024, 'x');

function trickle(write: () => void, response: ServerResponse): void {
  const timer = setInterval(write, 10);
  response.once('close', () => clearInterval(timer));
}

/** Ways in which a server answers without ever completing the answer. */
const servers: Readonly<Record<string, Answering>> = {
  // The server sends fast, but not so fast that the answer reaches a size limit before the key is pressed.
  'an endless body': (response) => trickle(() => response.write(chunk), response),
  'an endless refusal of a request that is retried'(response) {
    response.statusCode = 503;
    trickle(() => response.write(chunk), response);
  },
  'a trickling body': (response) => trickle(() => response.write(' '), response),
  'slow headers'(response, { socket }) {
    socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
    trickle(() => socket.write('x'), response);
  },
  'no answer': () => undefined,
  'a request to retry later'(response) {
    response
      .writeHead(429, { 'retry-after': '50' })
      .end('{"success":false,"errors":[{"code":1,"message":"m"}]}');
  },
};

const id = 'f'.repeat(32);
const commands = [
  ['objstore', 'object', 'get', 'assets/k'],
  ['kv', 'namespace', 'list'],
];
const cases = Object.keys(servers).flatMap((name) => commands.map((argv) => ({ name, argv })));

describe('Ctrl-C', () => {
  test.each(cases)('ends the program immediately with $name to $argv.1 $argv.2', async ({ name, argv }) => {
    const asked = Promise.withResolvers<void>();
    answering = (response, request) => {
      servers[name]?.(response, request);
      // Waits until a part of the answer has been sent.
      setImmediate(asked.resolve);
    };
    const child = start(argv);
    await asked.promise;
    await expectEndAtOnce(child);
  });

  test('ends a program that reads an open named pipe without data', async () => {
    const cwd = scratchFolder('cwd');
    const pipe = join(cwd, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const child = start(['kv', 'key', 'put', 'k', '--path', 'pipe', '--namespace-id', id], cwd);
    await using _writer = await openForReader(pipe);
    await expectEndAtOnce(child);
  });
});

/** Opens a named pipe for writing as soon as the program has opened the pipe for reading. */
async function openForReader(pipe: string): Promise<FileHandle> {
  for (;;) {
    const writer = await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => undefined);
    if (writer !== undefined) return writer;
    await pause(5);
  }
}
