import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import type { InputStream, OutputStream, World } from '../../src/world.ts';

export interface TestWorldOptions {
  readonly argv?: readonly string[];
  readonly cwd?: string;
  /** The folders (default: separate folders). */
  readonly folders?: World['folders'];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Standard input, complete or piece by piece (default: empty). */
  readonly stdin?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** The user's answers to questions, in order, some with a delay. If given, stdin is a terminal. */
  readonly answers?: readonly (string | Promise<string>)[];
  /** Whether stdout and stderr are terminals. */
  readonly terminal?: boolean;
  /** Milliseconds since the epoch (default: the real time). */
  readonly now?: () => number;
  readonly interrupted?: AbortSignal;
}

export interface TestWorld extends World {
  /** Returns the output so far. */
  out(): Buffer;
  outText(): string;
  errText(): string;
}

const scratchFolders: string[] = [];

/** Creates a separate folder below the system's temporary folder. The new folder is removed after all tests of the file. */
export function scratchFolder(name = 'edgectl'): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  scratchFolders.push(folder);
  return folder;
}

/** Removes the scratch folders of a test file. setup.ts calls this function, because this module may be loaded once for many files. */
export async function removeScratchFolders(): Promise<void> {
  const removed = scratchFolders.splice(0).map(async (folder) => {
    // A killed program may still be exiting; files that it leaves behind are not a fault of the tests.
    await rm(folder, { recursive: true, force: true, maxRetries: 8, retryDelay: 50 }).catch(() => undefined);
  });
  await Promise.all(removed);
}

/** Returns an in-memory World with separate folders and a working directory. Sleeps take no time. */
export function testWorld(options: TestWorldOptions = {}): TestWorld {
  const terminal = options.terminal ?? false;
  const stdout = capture(terminal);
  const stderr = capture(terminal || options.answers !== undefined);
  return {
    argv: options.argv ?? [],
    env: options.env ?? {},
    cwd: options.cwd ?? scratchFolder('cwd'),
    pid: process.pid,
    folders: options.folders ?? foldersIn(scratchFolder('home')),
    stdin: createInput(options, stderr.text),
    stdout: stdout.stream,
    stderr: stderr.stream,
    now: options.now ?? (() => Date.now()),
    random: (bytes) => randomBytes(bytes),
    sleep: async (_milliseconds, signal) => signal?.throwIfAborted(),
    interrupted: options.interrupted ?? new AbortController().signal,
    out: stdout.bytes,
    outText: stdout.text,
    errText: stderr.text,
  };
}

/** Returns the folders of the user with this home. */
export function foldersIn(home: string): World['folders'] {
  return { config: join(home, 'config'), state: join(home, 'state'), data: join(home, 'data') };
}

function capture(terminal: boolean): { stream: OutputStream; bytes(): Buffer; text(): string } {
  const chunks: Buffer[] = [];
  const stream: OutputStream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  if (terminal) Object.assign(stream, { isTTY: true, columns: 100, rows: 30 });
  const bytes = (): Buffer => Buffer.concat(chunks);
  return { stream, bytes, text: () => bytes().toString('utf8') };
}

/** Returns a standard input in which each answer is typed when its question is on stderr. */
function createInput(options: TestWorldOptions, shown: () => string): InputStream {
  const { stdin = '' } = options;
  if (options.answers === undefined) {
    if (typeof stdin !== 'string' && !(stdin instanceof Uint8Array)) return Readable.from(stdin);
    return Readable.from(stdin.length === 0 ? [] : [Buffer.from(stdin)]);
  }
  const input: PassThrough & { isTTY?: boolean } = new PassThrough();
  input.isTTY = true;
  const waiting = [...options.answers];
  let answered = 0;
  const timer = setInterval(() => {
    const questions = shown().split(/\([yY]\/[nN]\) |: (?=\u001b|\n|$)/).length - 1;
    if (questions <= answered) return;
    answered += 1;
    const next = waiting.shift();
    if (next === undefined) input.end();
    else void Promise.resolve(next).then((text) => input.write(`${text}\r`));
  }, 5);
  timer.unref();
  input.once('close', () => clearInterval(timer));
  return input;
}
