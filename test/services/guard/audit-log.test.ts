import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { machineId } from '../../../src/liveness.ts';
import type { AuditRecord } from '../../../src/model/guard/audit.ts';
import {
  auditFolder,
  auditLimits,
  listRotated,
  openAuditLog,
} from '../../../src/services/guard/audit-log.ts';
import { listAudit, verifyAudit } from '../../../src/services/guard/read-audit.ts';
import { type TestWorld, testWorld } from '../../support/world.ts';

let world: TestWorld;
beforeEach(() => {
  world = testWorld();
});

const request: AuditRecord = {
  kind: 'request',
  user: 'ann',
  client: 'edgectl',
  place: 'profile acme',
  target: 'production',
  effect: 'destroy',
  method: 'DELETE',
  route: '/zones/:zone',
  zone: 'z1',
  decision: 'allow',
  rule: 'everything',
  policy: 'built-in',
};

const currentPath = () => join(auditFolder(world), 'audit.ndjson');
const lines = () => readFileSync(currentPath(), 'utf8').trimEnd().split('\n');

test('numbers and chains records, in a file that only the owner can read', async () => {
  const log = openAuditLog(world);
  const numbers = await Promise.all([log.append(request), log.append(request)]);
  await log.append({ kind: 'outcome', of: 1, status: 200, requestId: 'ray' });
  expect(numbers).toEqual([1, 2]);
  expect(statSync(currentPath()).mode & 0o777).toBe(0o600);
  expect(await listAudit(world)).toMatchObject([
    { number: 1, outcome: 'answered', status: 200, requestId: 'ray' },
    { number: 2, outcome: 'unknown' },
  ]);
  expect(await verifyAudit(world)).toMatchObject({ records: 3, faults: [], torn: 0, first: 1 });
});

test.each<[string, (text: string[]) => string[], number, string]>([
  [
    'changed',
    (text) => text.map((line, at) => (at === 1 ? line.replace('z1', 'z2') : line)),
    3,
    'was changed',
  ],
  ['removed', (text) => text.toSpliced(1, 1), 2, 'record 2 is missing before this record'],
  [
    'removed with the next',
    (text) => text.toSpliced(1, 2),
    2,
    'records 2 to 3 are missing before this record',
  ],
  ['inserted', (text) => text.toSpliced(1, 0, text[0] ?? ''), 2, 'inserted'],
  ['swapped', ([one = '', two = '', ...rest]) => [two, one, ...rest], 2, 'was changed'],
  ['followed by other JSON', (text) => [...text, '{"x":1}'], 5, 'not a record'],
  ['replaced by other text', (text) => text.with(1, 'not a record'), 3, 'not a record'],
])('detects a record that was %s', async (_, change, line, why) => {
  const log = openAuditLog(world);
  for (let count = 0; count < 4; count++) await log.append(request);
  writeFileSync(currentPath(), `${change(lines()).join('\n')}\n`);
  const { faults } = await verifyAudit(world);
  expect(faults[0]).toMatchObject({ line, why: expect.stringContaining(why) });
});

test.each([1, 10, 200])('marks a last line that lacks %i bytes, and continues the chain', async (missing) => {
  const log = openAuditLog(world);
  await log.append(request);
  const { last } = await verifyAudit(world);
  await log.append(request);
  truncateSync(currentPath(), statSync(currentPath()).size - missing);
  if (missing > 1) expect((await verifyAudit(world)).last).toEqual(last);
  const number = await openAuditLog(world).append(request);
  await openAuditLog(world).append(request);
  const { faults, torn } = await verifyAudit(world);
  expect(faults).toEqual([]);
  expect(torn).toBe(missing === 1 ? 0 : 1);
  expect(number).toBe(3);
});

test('renames a full file, continues the chain, and deletes the oldest files', async () => {
  const log = openAuditLog(world);
  await log.append(request);
  const [line = ''] = lines();
  // The name is so long that the following requests fill the file.
  const filling = { ...request, name: 'x'.repeat(auditLimits.fileBytes / 64) };
  for (let count = 0; count < 130; count++) await log.append(filling);
  expect(line.length).toBeLessThan(1000);
  expect((await listRotated(auditFolder(world))).length).toBe(2);
  await openAuditLog(world).append(request);
  expect(await verifyAudit(world)).toMatchObject({ faults: [], records: 132, first: 1 });
});

/**
 * Writes a log file in the format of edgectl 1, in which each line contains the SHA-256 of the previous line. Returns the hash of the last
 * line.
 */
function writeOldLog(
  file: string,
  records: readonly Record<string, unknown>[],
  { first = 1, prev = '0'.repeat(64) } = {},
): string {
  let text = '';
  let hash = prev;
  for (const [index, record] of records.entries()) {
    const line = JSON.stringify({
      version: 1,
      number: first + index,
      at: '2026-11-24T13:28:46.000Z',
      ...record,
      prev: hash,
    });
    hash = createHash('sha256').update(line).digest('hex');
    text += `${line}\n`;
  }
  mkdirSync(auditFolder(world), { recursive: true, mode: 0o700 });
  writeFileSync(join(auditFolder(world), file), text, { mode: 0o600 });
  return hash;
}

/** A record as long as edgectl once wrote for a bulk request with long names: 307 KB. */
const longRecord = { ...request, names: Array.from({ length: 100 }, () => '€'.repeat(1020)) };

test('continues a log whose last record is long', async () => {
  writeOldLog('audit.ndjson', [request, { ...request, name: 'wanted' }, longRecord]);
  expect(await openAuditLog(world).append(request)).toBe(4);
  expect(await verifyAudit(world)).toMatchObject({ faults: [], records: 4 });
  expect((await listAudit(world)).map(({ number, name }) => [number, name])).toEqual([
    [1, undefined],
    [2, 'wanted'],
    [3, undefined],
    [4, undefined],
  ]);
});

test.each([1000, 200_000])('continues a log whose long last record lacks %i bytes', async (missing) => {
  writeOldLog('audit.ndjson', [request, longRecord, longRecord]);
  truncateSync(currentPath(), statSync(currentPath()).size - missing);
  expect(await openAuditLog(world).append(request)).toBe(4);
  expect(await verifyAudit(world)).toMatchObject({ faults: [], torn: 1 });
});

test('continues a full file whose last record is long', async () => {
  writeOldLog('audit-000000000002.ndjson', [request, longRecord]);
  expect(await openAuditLog(world).append(request)).toBe(3);
  expect(await verifyAudit(world)).toMatchObject({ faults: [], records: 3 });
});

test('continues the numbers of the full files if the current file contains no complete record', async () => {
  const prev = writeOldLog('audit-000000000002.ndjson', [request, request]);
  writeOldLog('audit.ndjson', [longRecord], { first: 3, prev });
  truncateSync(currentPath(), statSync(currentPath()).size - 1000);
  expect(await openAuditLog(world).append(request)).toBe(4);
  expect(await verifyAudit(world)).toMatchObject({ faults: [], torn: 1, first: 1 });
});

test('overwrites no full file, and lists every record, even if numbers occur twice in the log', async () => {
  writeOldLog('audit-000000000003.ndjson', [request, request, { ...request, name: 'earlier' }]);
  const full = join(auditFolder(world), 'audit-000000000003.ndjson');
  const before = readFileSync(full, 'utf8');
  const filling = { ...request, name: 'x'.repeat(auditLimits.fileBytes) };
  writeOldLog('audit.ndjson', [{ ...request, name: 'later' }, filling]);
  const log = openAuditLog(world);
  await log.append(request);
  await log.append(request);
  expect(readFileSync(full, 'utf8')).toBe(before);
  expect(listRotated(auditFolder(world))).toEqual(['audit-000000000003.ndjson', 'audit-000000000004.ndjson']);
  const entries = await listAudit(world);
  expect(entries.filter(({ name = '' }) => ['earlier', 'later'].includes(name))).toHaveLength(2);
  expect(entries).toHaveLength(7);
  const last = entries.at(-1)?.number ?? 0;
  expect(entries.filter(({ number }) => number === last)).toHaveLength(1);
  const [fault] = (await verifyAudit(world)).faults;
  expect([basename(fault?.file ?? ''), fault?.line]).toEqual(['audit-000000000004.ndjson', 1]);
});

test('refuses a file that other users own or can write, and does not change the file', async () => {
  await openAuditLog(world).append(request);
  const before = readFileSync(currentPath(), 'utf8');
  chmodSync(currentPath(), 0o644);
  await expect(openAuditLog(world).append(request)).rejects.toThrow('is open to other users');
  await expect(listAudit(world)).rejects.toThrow('is open to other users');
  expect(readFileSync(currentPath(), 'utf8')).toBe(before);
});

test('takes over only the lock of a process that has ended, without returning to the event loop', async () => {
  let time = 0;
  world = testWorld({ now: () => (time += 4000) });
  mkdirSync(auditFolder(world), { recursive: true, mode: 0o700 });
  const lock = join(auditFolder(world), 'held');
  const log = openAuditLog(world);
  symlinkSync(`edgectl:${process.pid}:1:${'a'.repeat(16)}:${machineId()}`, lock);
  const written = log.append(request);
  expect(lines()).toHaveLength(1);
  expect(await written).toBe(1);
  expect(readdirSync(auditFolder(world))).toEqual(['audit.ndjson']);
  const elsewhere = `edgectl:999999:1:${'a'.repeat(16)}:elsewhere`;
  symlinkSync(elsewhere, lock);
  await expect(log.append(request)).rejects.toThrow('The audit log is locked by process 999999.');
  expect(readlinkSync(lock)).toBe(elsewhere);
});

test('writes one chain from several processes, even if one of the processes is killed', {
  timeout: 30_000,
}, async () => {
  const script = `
    const { openAuditLog } = await import(${JSON.stringify(new URL('../../../src/services/guard/audit-log.ts', import.meta.url).href)});
    const { randomBytes } = await import('node:crypto');
    const { setTimeout: sleep } = await import('node:timers/promises');
    const world = { folders: ${JSON.stringify({ state: world.folders.state })}, pid: process.pid, now: Date.now, random: randomBytes,
      sleep: (ms) => sleep(ms), interrupted: new AbortController().signal };
    const log = openAuditLog(world);
    const record = ${JSON.stringify(request)};
    console.log('ready');
    for (let count = 0; count < Number(process.argv[1]); count++) await log.append(record);`;
  const start = (count: number) =>
    spawn(process.execPath, ['--input-type=module', '--eval', script, String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const killed = start(1_000_000);
  await once(killed.stdout, 'data');
  const writers = [start(50), start(50)];
  const closed = writers.map((writer) => once(writer, 'close'));
  await once(writers[0]?.stdout ?? killed.stdout, 'data');
  killed.kill('SIGKILL');
  expect((await Promise.all(closed)).map(([code]) => code)).toEqual([0, 0]);
  const check = await verifyAudit(world);
  expect(check.faults).toEqual([]);
  expect(check.records).toBeGreaterThanOrEqual(100);
  expect(readdirSync(auditFolder(world)).filter((name) => !name.startsWith('audit'))).toEqual([]);
});
