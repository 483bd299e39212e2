import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type OutputFileOptions, openOutputFile } from '../../src/files/output-file.ts';
import { removeLeftovers } from '../../src/files/replace.ts';
import { program, userEnvironment } from '../support/program.ts';
import { newPerson, runCommand } from '../support/run-command.ts';
import { scratchFolder, testWorld } from '../support/world.ts';

async function* texts(...all: string[]): AsyncGenerator<string> {
  yield* all;
}

/** Writes a string to the output with this name in a folder. */
async function write(cwd: string, name: string, options: Partial<OutputFileOptions> = {}): Promise<void> {
  const file = await openOutputFile(testWorld({ cwd }), {
    name,
    ifThere: 'replace',
    isPrivate: true,
    ofFolder: { hint: 'Specify a file in the folder.' },
    ...options,
  });
  await file.write(texts('new ', 'content'));
}

function getMode(path: string): string {
  return (lstatSync(path).mode & 0o777).toString(8);
}

describe('a regular file', () => {
  test('creates a file with values for its owner only and other files with the umask, and keeps the permissions of a replaced file', async () => {
    const cwd = scratchFolder();
    writeFileSync(join(cwd, 'old'), 'old', { mode: 0o640 });
    await write(cwd, 'private');
    await write(cwd, 'plain', { isPrivate: false });
    await write(cwd, 'old');
    const modes = ['private', 'plain', 'old'].map((name) => getMode(join(cwd, name)));
    expect(modes).toEqual(['600', (0o666 & ~process.umask()).toString(8), '640']);
    expect(readFileSync(join(cwd, 'old'), 'utf8')).toBe('new content');
    expect(readdirSync(cwd).sort()).toEqual(['old', 'plain', 'private']);
  });

  test('writes an existing or new file through a link, and keeps the link', async () => {
    const cwd = scratchFolder();
    mkdirSync(join(cwd, 'there'));
    writeFileSync(join(cwd, 'there/old'), 'old');
    symlinkSync('there', join(cwd, 'folder'));
    symlinkSync('folder/old', join(cwd, 'link'));
    symlinkSync('folder/none', join(cwd, 'dangling'));
    await write(cwd, 'link');
    await write(cwd, 'dangling');
    expect(['link', 'dangling'].map((name) => readlinkSync(join(cwd, name)))).toEqual([
      'folder/old',
      'folder/none',
    ]);
    expect(readFileSync(join(cwd, 'there/old'), 'utf8')).toBe('new content');
    expect(getMode(join(cwd, 'there/none'))).toBe('600');
    expect(readdirSync(join(cwd, 'there')).sort()).toEqual(['none', 'old']);
  });

  test('never writes a file through a link with the name of the temporary file', async () => {
    const cwd = scratchFolder();
    writeFileSync(join(cwd, 'victim'), 'precious');
    const world = { ...testWorld({ cwd }), random: (bytes: number) => new Uint8Array(bytes) };
    const options = { ifThere: 'replace', isPrivate: true, ofFolder: { hint: '' } } as const;
    let temporary = '';
    const looking = async function* () {
      temporary = readdirSync(cwd).find((name) => name.startsWith('.edgectl-')) ?? '';
      yield 'x';
    };
    await (await openOutputFile(world, { name: 'other', ...options })).write(looking());
    symlinkSync('victim', join(cwd, temporary));
    const file = await openOutputFile(world, { name: 'file', ...options });
    await expect(file.write(texts('x'))).rejects.toThrow('Cannot write file: something with this name');
    expect(readFileSync(join(cwd, 'victim'), 'utf8')).toBe('precious');
    expect(existsSync(join(cwd, 'file'))).toBe(false);
  });

  test('leaves a file unchanged if writing its content fails', async () => {
    const cwd = scratchFolder();
    writeFileSync(join(cwd, 'file'), 'old');
    const file = await openOutputFile(testWorld({ cwd }), {
      name: 'file',
      ifThere: 'replace',
      isPrivate: true,
      ofFolder: { hint: '' },
    });
    const failing = async function* () {
      yield 'half';
      throw new Error('cut');
    };
    await expect(file.write(failing())).rejects.toThrow('cut');
    expect(readFileSync(join(cwd, 'file'), 'utf8')).toBe('old');
    expect(readdirSync(cwd)).toEqual(['file']);
  });

  test('compresses a file on request', async () => {
    const cwd = scratchFolder();
    await write(cwd, 'file.gz', { compress: true });
    expect(gunzipSync(readFileSync(join(cwd, 'file.gz'))).toString()).toBe('new content');
  });
});

test('writes to a named pipe once it has a reader, and keeps the pipe', async () => {
  const cwd = scratchFolder();
  execFileSync('mkfifo', [join(cwd, 'pipe')]);
  symlinkSync('pipe', join(cwd, 'link'));
  for (const name of ['pipe', 'link']) {
    const [read] = await Promise.all([readFile(join(cwd, 'pipe'), 'utf8'), write(cwd, name)]);
    expect(read).toBe('new content');
  }
  expect(lstatSync(join(cwd, 'pipe')).isFIFO()).toBe(true);
  expect(readdirSync(cwd).sort()).toEqual(['link', 'pipe']);
});

test('stops waiting for a reader of a pipe after an interruption', async () => {
  const cwd = scratchFolder();
  execFileSync('mkfifo', [join(cwd, 'pipe')]);
  const interruption = new AbortController();
  const world = testWorld({ cwd, interrupted: interruption.signal });
  const file = await openOutputFile(world, {
    name: 'pipe',
    ifThere: 'replace',
    isPrivate: true,
    ofFolder: { hint: '' },
  });
  const writing = file.write(texts('x'));
  setImmediate(() => interruption.abort());
  await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
});

test('writes to a device, and keeps the device', async () => {
  const cwd = scratchFolder();
  const device = deviceFor(join(cwd, 'null'));
  symlinkSync(device, join(cwd, 'link'));
  await write(cwd, device);
  await write(cwd, 'link', { compress: true });
  expect(statSync(device).isCharacterDevice()).toBe(true);
  expect(readdirSync(cwd)).toContain('link');
});

/**
 * Returns a separate device, so that a bug does not damage the machine's own devices. Only root can create a device, and in many containers
 * even root cannot: the test then uses `/dev/zero`.
 */
function deviceFor(path: string): string {
  return spawnSync('mknod', [path, 'c', '1', '3']).status === 0 ? path : '/dev/zero';
}

describe('an unwritable output', () => {
  test.each([
    ['folder', 'it is a folder'],
    ['nowhere/file', 'folder not found: nowhere'],
    ['file/x/y', 'file is a file, not a folder'],
    ['loop', 'its links form a loop'],
    ['n'.repeat(300), 'its name is too long'],
  ])('is refused before any request: %s', async (name, reason) => {
    const cwd = scratchFolder();
    mkdirSync(join(cwd, 'folder'));
    writeFileSync(join(cwd, 'file'), '');
    symlinkSync('loop', join(cwd, 'loop'));
    await expect(write(cwd, name)).rejects.toMatchObject({
      code: 'invalid-input',
      message: `Cannot write ${name}: ${reason}.`,
    });
  });

  test('is refused before any request if it is a socket', async () => {
    const cwd = scratchFolder();
    const server = createServer().listen(join(cwd, 'socket'));
    await expect(write(cwd, 'socket')).rejects.toThrow('it is a socket');
    server.close();
  });
});

const at = ['--namespace-id', 'a'.repeat(32), '--local'];

test('writes only the content to standard output if the output is -', async () => {
  const person = newPerson();
  expect((await runCommand(person, ['kv', 'key', 'put', 'k', 'v', ...at])).code).toBe(0);
  const entry = '{"key":"k","value":"v"}\n';
  expect(await runCommand(person, ['kv', 'export', '-o', '-', ...at])).toMatchObject({ code: 0, out: entry });
  expect(readdirSync(person.cwd)).toEqual(['.edgectl']);
});

// The link is like /dev/stdout, but separate from it, because an older build would replace the link with a file.
test('appends to an open file through a link to standard output, and keeps the links', async () => {
  const person = newPerson();
  await runCommand(person, ['kv', 'key', 'put', 'k', 'v', ...at]);
  symlinkSync('/proc/self/fd/1', join(person.cwd, 'stdout'));
  symlinkSync('stdout', join(person.cwd, 'link'));
  const log = join(person.cwd, 'log');
  writeFileSync(log, 'begun\n');
  const options = { cwd: person.cwd, env: userEnvironment(person.home) };
  for (const name of ['stdout', 'link', '/dev/fd/3']) {
    const file = openSync(log, 'a');
    const argv = [program, 'kv', 'export', '-o', name, '--quiet', ...at];
    const isOther = name === '/dev/fd/3';
    const stdio = isOther
      ? (['ignore', 'ignore', 'pipe', file] as const)
      : (['ignore', file, 'pipe'] as const);
    const ran = spawnSync(process.execPath, argv, { ...options, stdio: [...stdio] });
    closeSync(file);
    expect(ran.stderr.toString()).toBe('');
  }
  expect(readFileSync(log, 'utf8')).toBe(`begun\n${'{"key":"k","value":"v"}\n'.repeat(3)}`);
  for (const name of ['stdout', 'link'])
    expect(lstatSync(join(person.cwd, name)).isSymbolicLink()).toBe(true);
});

test('removes the temporary file of a killed process, but not of a running process', async () => {
  const cwd = scratchFolder();
  const module = JSON.stringify(new URL('../../src/files/replace.ts', import.meta.url));
  const script = `
    import { replaceFile } from ${module};
    const random = (bytes) => new Uint8Array(bytes);
    await replaceFile({ random }, ${JSON.stringify(join(cwd, 'file'))}, { mode: 0o600, durable: false }, () => {
      process.stdout.write('open');
      return new Promise(() => setInterval(() => undefined, 1000));
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script]);
  await once(child.stdout, 'data');
  const left = () => readdirSync(cwd).filter((name) => name.startsWith('.edgectl-'));
  await removeLeftovers(cwd, Date.now());
  expect(left()).toHaveLength(1);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(left()).toHaveLength(1);
  // A download in parts can be resumed from a file that contains bytes, but not from an empty file.
  const [name = ''] = left();
  const parts = ['0', 'f'].map((digit) => name.replace(/[0-9a-f]{6}\.tmp$/, `${digit.repeat(6)}.part`));
  parts.forEach((part, index) => {
    writeFileSync(join(cwd, part), 'x'.repeat(index));
  });
  await removeLeftovers(cwd, Date.now());
  expect(left()).toEqual([parts[1]]);
  await removeLeftovers(cwd, Date.now() + 24 * 60 * 60 * 1000);
  expect(left()).toEqual([]);
});
