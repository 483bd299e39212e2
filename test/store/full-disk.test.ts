import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openSandbox } from '../../src/sandbox/http/app.ts';
import { answerUnsigned } from '../../src/sandbox/s3/answer.ts';
import { newPerson, type Person, runCommand } from '../support/run-command.ts';
import { scratchFolder } from '../support/world.ts';

const MiB = 1024 * 1024;

// This test needs no mounted file system, so it runs everywhere: at max_page_count, SQLite has no room for another page
// (sqlite.org/pragma.html, "max_page_count"), as on a full disk.
test('deletes data from databases that cannot grow', async () => {
  const person = newPerson();
  const at = `--sandbox=${scratchFolder('full')}`;
  const run = (...argv: string[]) => runCommand(person, [...argv, at]);
  const id = /[0-9a-f]{32}/.exec((await run('kv', 'namespace', 'create', 'KV', '--json')).out)?.[0] ?? '';
  const inKv = ['--namespace-id', id];
  writeFileSync(join(person.cwd, 'object'), randomBytes(1000));
  await run('objstore', 'bucket', 'create', 'bucket');
  await run('objstore', 'object', 'put', 'bucket/o', '--path', 'object');
  const bulk = (name: string) => {
    const entries = Array.from({ length: 500 }, (_, index) => ({ key: `${name}${index}`, value: 'v' }));
    writeFileSync(join(person.cwd, name), JSON.stringify(entries));
    return run('kv', 'bulk', 'put', name, ...inKv);
  };
  expect(await bulk('first')).toMatchObject({ code: 0 });
  const { exec } = DatabaseSync.prototype;
  onTestFinished(() => {
    DatabaseSync.prototype.exec = exec;
  });
  DatabaseSync.prototype.exec = function (sql) {
    exec.call(this, sql);
    // Lowers the size limit of each connection when the connection runs its first statement. If the limit is below the current size, SQLite
    // uses the current size.
    if (sql.startsWith('PRAGMA busy_timeout')) exec.call(this, 'PRAGMA max_page_count = 1');
  };
  const refused = await bulk('second');
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('cannot grow: the disk is full')]);
  expect(await run('kv', 'key', 'delete', 'first0', ...inKv)).toMatchObject({ code: 0 });
  expect(await run('objstore', 'object', 'delete', 'bucket/o', '--yes')).toMatchObject({ code: 0 });
  expect(await run('kv', 'namespace', 'clear', ...inKv, '--yes')).toMatchObject({ code: 0 });
  expect(JSON.parse((await run('kv', 'key', 'list', ...inKv)).out)).toEqual([]);
  const reset = ['sandbox', 'reset', '--dir', at.slice(10), '--yes'];
  expect(await runCommand(person, reset)).toMatchObject({ code: 0 });
  expect((await run('kv', 'namespace', 'list')).out).toBe('[]\n');
});

const mounted: string[] = [];
afterAll(() => {
  for (const folder of mounted) execFileSync('umount', [folder]);
});

/** Mounts a file system of this size; returns undefined if the user or the container cannot mount one. */
function smallDisk(size: string): string | undefined {
  const folder = scratchFolder('disk');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  mounted.push(folder);
  return folder;
}

/** Uses all remaining space. */
function fill(disk: string): void {
  expect(() => writeFileSync(join(disk, 'filler'), Buffer.alloc(20 * MiB))).toThrow('ENOSPC');
  expect(statfsSync(disk).bavail).toBe(0);
}

const disk = smallDisk('8m');

test.runIf(disk !== undefined)('empties a sandbox that has filled its disk', async () => {
  const person: Person = newPerson();
  const at = `--sandbox=${join(disk ?? '', 'data')}`;
  mkdirSync(join(disk ?? '', 'data'));
  const run = (...argv: string[]) => runCommand(person, [...argv, at]);
  const id = /[0-9a-f]{32}/.exec((await run('kv', 'namespace', 'create', 'KV', '--json')).out)?.[0] ?? '';
  const key = (verb: string, ...rest: string[]) => run('kv', 'key', verb, ...rest, '--namespace-id', id);
  await key('put', 'small', 'value');
  writeFileSync(join(person.cwd, 'object'), randomBytes(1000));
  await run('objstore', 'bucket', 'create', 'bucket');
  expect(await run('objstore', 'object', 'put', 'bucket/o', '--path', 'object')).toMatchObject({ code: 0 });
  const entries = Array.from({ length: 90 }, (_, at) => ({ key: `k${at}`, value: 'v'.repeat(100_000) }));
  writeFileSync(join(person.cwd, 'bulk.json'), JSON.stringify(entries));
  expect((await run('kv', 'bulk', 'put', 'bulk.json', '--namespace-id', id)).code).not.toBe(0);
  fill(disk ?? '');
  const refused = await key('put', 'other', 'value');
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('the disk is full')]);
  expect(await key('get', 'small')).toMatchObject({ code: 0, out: 'value' });
  expect(await key('delete', 'small')).toMatchObject({ code: 0 });
  expect(await run('objstore', 'object', 'delete', 'bucket/o', '--yes')).toMatchObject({ code: 0 });
  expect(await run('kv', 'namespace', 'clear', '--namespace-id', id, '--yes')).toMatchObject({ code: 0 });
  expect(JSON.parse((await key('list')).out)).toEqual([]);
  fill(disk ?? '');
  expect(await runCommand(person, ['sandbox', 'reset', '--dir', at.slice(10), '--yes'])).toMatchObject({
    code: 0,
  });
  expect((await run('kv', 'namespace', 'list')).out).toBe('[]\n');
});

const homeDisk = smallDisk('8m');

// docs/decisions.md, "Rule of loss": data named on the command line is deleted. If the old state cannot be saved, the error names
// --no-undo. If there is no space at all, a script that has not requested undo continues without undo.
test.runIf(homeDisk !== undefined)('empties a full disk that contains the home folder', async () => {
  const person: Person = { ...newPerson(), home: join(homeDisk ?? '', 'home') };
  for (const name of ['home', 'data']) mkdirSync(join(homeDisk ?? '', name));
  const at = `--sandbox=${join(homeDisk ?? '', 'data')}`;
  const run = (...argv: string[]) => runCommand(person, [...argv, at]);
  const id = /[0-9a-f]{32}/.exec((await run('kv', 'namespace', 'create', 'KV', '--json')).out)?.[0] ?? '';
  const inKv = ['--namespace-id', id];
  for (const key of ['a', 'b', 'c', 'd']) await run('kv', 'key', 'put', key, 'value', ...inKv);
  writeFileSync(join(person.cwd, 'large'), randomBytes(3 * MiB));
  await run('kv', 'key', 'put', 'large', '--path', 'large', ...inKv);
  writeFileSync(join(person.cwd, 'object'), randomBytes(1000));
  await run('objstore', 'bucket', 'create', 'bucket');
  await run('objstore', 'object', 'put', 'bucket/o', '--path', 'object');
  fill(homeDisk ?? '');
  for (const flags of [['--undo'], []]) {
    const refused = await run('kv', 'key', 'delete', 'large', ...inKv, ...flags);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(/cannot be saved for undo.*--no-undo/s),
    ]);
  }
  expect(await run('kv', 'key', 'delete', 'large', ...inKv, '--no-undo')).toMatchObject({ code: 0 });
  fill(homeDisk ?? '');
  expect(await run('kv', 'key', 'delete', 'a', ...inKv)).toMatchObject({ code: 0 });
  expect(await run('objstore', 'object', 'delete', 'bucket/o', '--yes')).toMatchObject({ code: 0 });
  writeFileSync(join(person.cwd, 'keys.json'), '["c"]');
  const bulk = await run('kv', 'bulk', 'delete', 'keys.json', ...inKv, '--yes', '--limit', '1');
  expect(bulk).toMatchObject({ code: 0 });
  expect(await run('kv', 'namespace', 'clear', ...inKv, '--yes')).toMatchObject({ code: 0 });
  expect(JSON.parse((await run('kv', 'key', 'list', ...inKv)).out)).toEqual([]);
  fill(homeDisk ?? '');
  const reset = ['sandbox', 'reset', '--dir', at.slice(10), '--yes'];
  expect(await runCommand(person, reset)).toMatchObject({ code: 0 });
  // The data is on another disk, which has space; the journal's disk has none.
  fill(homeDisk ?? '');
  const local = ['--namespace-id', 'a'.repeat(32), '--local'];
  await runCommand(person, ['kv', 'key', 'put', 'k', 'v', ...local]);
  const without = { code: 0, err: expect.stringContaining('cannot be saved for undo: the disk is full') };
  expect(await runCommand(person, ['kv', 'key', 'delete', 'k', ...local])).toMatchObject(without);
});

const bucketDisk = smallDisk('8m');

test.runIf(bucketDisk !== undefined)('deletes objects from a full disk over the S3 API', async () => {
  const folder = bucketDisk ?? '';
  const options = {
    kind: 'sandbox',
    folder,
    persistRoot: folder,
    now: Date.now,
    random: randomBytes,
  } as const;
  const sandbox = openSandbox(options);
  sandbox.access();
  const s3 = async (method: string, path: string, body = '') => {
    const call = {
      method,
      path,
      headers: { 'content-length': String(body.length) },
      body: Buffer.from(body),
    };
    return (await answerUnsigned(sandbox.platform, call)).status;
  };
  expect(await s3('PUT', '/bucket')).toBe(200);
  expect(await s3('PUT', '/bucket/key', 'x'.repeat(100_000))).toBe(200);
  fill(folder);
  expect(await s3('PUT', '/bucket/other', 'x')).toBe(507);
  expect(await s3('DELETE', '/bucket/key')).toBe(204);
  expect(await s3('GET', '/bucket/key')).toBe(404);
  sandbox.close();
});

const strangerDisk = smallDisk('8m');

test.runIf(strangerDisk !== undefined)('does not free the reserve for a caller without access', async () => {
  const folder = strangerDisk ?? '';
  const options = { folder, persistRoot: folder, now: Date.now, random: randomBytes };
  const open = () => openSandbox({ kind: 'sandbox', ...options });
  const first = open();
  const { accountId, apiToken } = first.access();
  const path = `/accounts/${accountId}/storage/kv/namespaces`;
  const call = (sandbox: typeof first, token: string) =>
    sandbox.send({
      method: 'GET',
      path,
      headers: { authorization: `Bearer ${token}` },
      repeatable: true,
    });
  expect((await call(first, apiToken)).status).toBe(200);
  fill(folder);
  first.close();
  fill(folder);
  const reserve = join(folder, 'reserve');
  expect(existsSync(reserve)).toBe(true);
  const next = open();
  await call(next, 'wrong').catch(() => undefined);
  expect(existsSync(reserve)).toBe(true);
  next.access();
  expect((await call(next, apiToken)).status).toBe(200);
  next.close();
});
