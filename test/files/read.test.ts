import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readWholeFile } from '../../src/files/read.ts';
import { spool } from '../../src/files/spool.ts';
import { openBulkInput } from '../../src/services/kv/bulk/input.ts';
import { openObjectSource } from '../../src/services/objects/source.ts';
import { readBody } from '../../src/v4/send.ts';
import { program, userEnvironment } from '../support/program.ts';
import { newPerson, type Person, runCommand } from '../support/run-command.ts';
import { testWorld } from '../support/world.ts';

const namespace = ['--namespace-id', 'a'.repeat(32), '--local'];

/** Commands that read a file named on the command line. */
const readers: readonly (readonly [name: string, line: (file: string) => string[]])[] = [
  ['kv key put', (file) => ['kv', 'key', 'put', 'k', '--path', file, ...namespace]],
  ['kv bulk put', (file) => ['kv', 'bulk', 'put', file, ...namespace]],
  ['kv bulk get', (file) => ['kv', 'bulk', 'get', file, ...namespace]],
  ['kv bulk delete', (file) => ['kv', 'bulk', 'delete', file, '--yes', ...namespace]],
  ['secret bulk', (file) => ['secret', 'bulk', file, '--name', 'w', '--sandbox']],
  ['objstore object put', (file) => ['objstore', 'object', 'put', 'assets/k', '--path', file, '--sandbox']],
  ['hostname create', (file) => ['hostname', 'create', '--file', file, '--sandbox']],
  ['hostname diagnose', (file) => ['hostname', 'diagnose', '--file', file, '--sandbox']],
];

function personWithFiles(): Person {
  const person = newPerson();
  mkdirSync(join(person.cwd, 'folder'));
  writeFileSync(join(person.cwd, 'file'), 'x');
  symlinkSync('loop', join(person.cwd, 'loop'));
  return person;
}

const long = 'n'.repeat(300);

const unreadable: readonly (readonly [file: string, said: string])[] = [
  ['nowhere', 'error: File not found: nowhere.\n'],
  ['folder', 'error: Cannot read folder: it is a folder.\n'],
  ['file/x/y', 'error: Cannot read file/x/y: file is a file, not a folder.\n'],
  [long, `error: Cannot read ${long}: its name is too long.\n`],
  ['loop', 'error: Cannot read loop: its links form a loop.\n'],
];

describe.each(readers)('%s', (_name, line) => {
  test('explains why a file cannot be read, with the name that the user typed', async () => {
    const person = personWithFiles();
    for (const [file, said] of unreadable) {
      const { code, out, err } = await runCommand(person, line(file));
      expect({ code, out, said: err.split('hint:')[0] }).toEqual({ code: 2, out: '', said });
    }
  });
});

test('reports a file that is too long as a usage error', async () => {
  const person = newPerson();
  writeFileSync(join(person.cwd, 'key.pem'), Buffer.alloc(2049));
  const world = testWorld({ cwd: person.cwd });
  await expect(readWholeFile(world, { name: 'key.pem' }, 2048)).rejects.toMatchObject({
    code: 'invalid-input',
    message: 'key.pem is longer than the maximum of 2 KiB.',
  });
  expect(await readWholeFile(world, { name: 'key.pem' }, 3072)).toHaveLength(2049);
});

test('reads a file of size 0 with content, such as those in /proc, to its end', async () => {
  const person = newPerson();
  const content = readFileSync('/proc/version', 'utf8');
  const put = await runCommand(person, ['kv', 'key', 'put', 'k', '--path', '/proc/version', ...namespace]);
  expect(put.code, put.err).toBe(0);
  expect((await runCommand(person, ['kv', 'key', 'get', 'k', ...namespace])).out).toBe(content);
  await runCommand(person, ['objstore', 'bucket', 'create', 'assets', '--sandbox']);
  const stored = ['objstore', 'object', 'put', 'assets/k', '--path', '/proc/version', '--sandbox'];
  expect((await runCommand(person, stored)).code).toBe(0);
  const get = ['objstore', 'object', 'get', 'assets/k', '--sandbox'];
  expect((await runCommand(person, get)).out).toBe(content);
  const bulk = await runCommand(person, ['kv', 'bulk', 'put', '/proc/version', ...namespace]);
  expect([bulk.code, bulk.out]).toEqual([2, '']);
  expect(bulk.err).toContain('/proc/version');
});

function personWithPipe(): Person & { readonly pipe: string } {
  const person = newPerson();
  const pipe = join(person.cwd, 'pipe');
  execFileSync('mkfifo', [pipe]);
  return { ...person, pipe };
}

describe('a named pipe', () => {
  test.each(readers)(
    'does not block %s after an interruption if the pipe has no writer',
    async (_name, line) => {
      const interruption = new AbortController();
      const running = runCommand(personWithPipe(), line('pipe'), { interrupted: interruption.signal });
      setTimeout(() => interruption.abort(), 20);
      // An upload requires a regular file, and reports other files without reading them.
      expect([2, 130]).toContain((await running).code);
    },
  );

  test('is read to its end, regardless of the speed and the chunks of its writer', async () => {
    const person = personWithPipe();
    const long = '0123456789'.repeat(40_000);
    const reading = runCommand(person, ['kv', 'key', 'put', 'k', '--path', 'pipe', ...namespace]);
    const writer = spawn('sh', ['-c', 'exec > pipe; cat'], {
      cwd: person.cwd,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    writer.stdin.write(long);
    await turn();
    writer.stdin.end('the end');
    expect(await reading).toMatchObject({ code: 0 });
    const { out } = await runCommand(person, ['kv', 'key', 'get', 'k', ...namespace]);
    expect(out).toBe(`${long}the end`);
  });

  test('is read as empty if it is closed without data', async () => {
    const person = personWithPipe();
    const written = writeFile(person.pipe, '');
    const put = await runCommand(person, ['kv', 'bulk', 'put', 'pipe', ...namespace]);
    await written;
    expect([put.code, put.err]).toEqual([2, expect.stringContaining('pipe')]);
  });

  test('is accepted from <(…) in a shell', async () => {
    const { home, cwd } = newPerson();
    const edgectl = `"${process.execPath}" "${program}"`;
    const line = `${edgectl} kv bulk put <(echo '[{"key":"k",'; echo '"value":"v"}]') ${namespace.join(' ')}`;
    const { stdout } = await promisify(execFile)('bash', ['-c', line], { cwd, env: userEnvironment(home) });
    expect(stdout).toContain('Wrote 1 entry');
  });
});

/** Yields bytes without end, and therefore exceeds any limit. */
async function* endless(): AsyncGenerator<Uint8Array> {
  for (const chunk = Buffer.alloc(64 * 1024, 'x'); ; await turn()) yield chunk;
}

describe('an input that can be read only once', () => {
  test('is saved up to a limit, and deleted afterward', async () => {
    const world = testWorld();
    const options = { name: 'The pipe', limit: 1024 * 1024, tooLong: 'The pipe is too long.' };
    await expect(spool(world, endless(), options)).rejects.toMatchObject({
      code: 'invalid-input',
      message: 'The pipe is too long.',
    });
    expect(readdirSync(world.folders.state)).toEqual([]);
  });

  test('is not saved further after an interruption', async () => {
    const interruption = new AbortController();
    const world = testWorld({ interrupted: interruption.signal });
    const saved = spool(world, endless(), { name: 'It', limit: Number.MAX_SAFE_INTEGER, tooLong: '' });
    await turn();
    interruption.abort();
    await expect(saved).rejects.toMatchObject({ name: 'AbortError' });
    expect(readdirSync(world.folders.state)).toEqual([]);
  });

  test('has no name while it is saved, so a killed process leaves nothing', async () => {
    const world = testWorld({ stdin: '["a"]' });
    const source = await openObjectSource(world, '-');
    expect(readdirSync(world.folders.state)).toEqual([]);
    const read = async () => Buffer.from(await readBody(source.open())).toString();
    expect([await read(), await read(), source.size]).toEqual(['["a"]', '["a"]', 5]);
    await source.close();
  });

  test('is refused above the limit, with its name and the limit', async () => {
    const world = testWorld({ stdin: 'x'.repeat(4096) });
    await expect(openBulkInput(world, '-', { bytes: 1024, words: '1 KiB' })).rejects.toThrow(
      'standard input is too long: the maximum for input from a pipe is 1 KiB.',
    );
  });
});
