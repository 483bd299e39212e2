import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openReadyFile } from '../../../src/services/sandbox/ready-file.ts';
import { newPerson, type Person, runCommand } from '../../support/run-command.ts';
import { scratchFolder, testWorld } from '../../support/world.ts';

const ready = { apiToken: 'secret' };

describe('a ready file', () => {
  test('is readable only by its owner, and is removed at the end; the target of a link is removed', async () => {
    const cwd = scratchFolder();
    symlinkSync('real.json', join(cwd, 'ready.json'));
    const file = await openReadyFile(testWorld({ cwd }), 'ready.json');
    await file.write(ready);
    expect(JSON.parse(readFileSync(join(cwd, 'real.json'), 'utf8'))).toEqual(ready);
    expect(lstatSync(join(cwd, 'real.json')).mode & 0o777).toBe(0o600);
    await file.remove();
    expect(readdirSync(cwd)).toEqual(['ready.json']);
  });

  test('is readable only by its owner, even if it replaces a file that everyone could read', async () => {
    const cwd = scratchFolder();
    const path = join(cwd, 'ready.json');
    writeFileSync(path, 'old', { mode: 0o644 });
    const file = await openReadyFile(testWorld({ cwd }), 'ready.json');
    await file.write(ready);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(ready);
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
  });

  test('is not removed if another process has replaced it', async () => {
    const cwd = scratchFolder();
    const file = await openReadyFile(testWorld({ cwd }), 'ready.json');
    await file.write(ready);
    rmSync(join(cwd, 'ready.json'));
    await file.remove();
    writeFileSync(join(cwd, 'ready.json'), 'of another');
    await file.remove();
    expect(readFileSync(join(cwd, 'ready.json'), 'utf8')).toBe('of another');
  });

  test('is written to and not removed if it is a pipe', async () => {
    const cwd = scratchFolder();
    const pipe = join(cwd, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const file = await openReadyFile(testWorld({ cwd }), 'pipe');
    const [read] = await Promise.all([readFile(pipe, 'utf8'), file.write(ready)]);
    await file.remove();
    expect(JSON.parse(read)).toEqual(ready);
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });
});

/** Runs a sandbox, calls `during` with the path of the ready file, and then stops the sandbox. */
async function whileRunning(person: Person, name: string, during: (path: string) => void) {
  const interruption = new AbortController();
  const line = ['sandbox', 'start', '--port', '0', '--dir', 'data', '--ready-file', name];
  const running = runCommand(person, line, { interrupted: interruption.signal });
  const path = join(person.cwd, name);
  while (name !== '-' && !existsSync(path)) await turn();
  during(path);
  interruption.abort();
  return running;
}

test('reports a ready file that cannot be removed, and stops the server anyway', async () => {
  const person = newPerson();
  const folder = join(person.cwd, 'ready');
  await mkdir(folder);
  const { err } = await whileRunning(person, 'ready/ready.json', () => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file instead of the folder');
  });
  expect(err).toMatch(/Cannot delete \S*ready\/ready\.json/);
  const status = await runCommand(person, ['sandbox', 'status', '--dir', 'data']);
  expect(status.out).toContain('No sandbox server is running');
});

test("accepts a ready file in the sandbox's folder, which is created first, and - for standard output", async () => {
  const person = newPerson();
  await whileRunning(person, 'data/ready.json', () => undefined);
  expect(existsSync(join(person.cwd, 'data/registry.sqlite'))).toBe(true);
  expect(existsSync(join(person.cwd, 'data/ready.json'))).toBe(false);
  const { out } = await whileRunning(person, '-', () => undefined);
  expect(JSON.parse(out)).toMatchObject({ apiBaseUrl: expect.any(String), folder: join(person.cwd, 'data') });
  expect(readdirSync(person.cwd)).toEqual(['data']);
});

test('fails to reset a missing sandbox, and does not create a sandbox', async () => {
  const person = newPerson();
  const { code, out, err } = await runCommand(person, ['sandbox', 'reset', '--dir', 'nowhere', '--yes']);
  expect([code, out]).toEqual([3, '']);
  expect(err).toContain('No sandbox found in');
  expect(readdirSync(person.cwd)).toEqual([]);
});
