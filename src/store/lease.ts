import { closeSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../files/folders.ts';
import { isRunning, ownUid, readStartTicks, runsAs } from '../liveness.ts';
import { findVersion, formatVersions, isNewer, newerFormatProblem } from '../model/formats.ts';
import { Problem } from '../model/problem.ts';
import { unlessMissing } from './blobs.ts';
import { guarded } from './faults.ts';
import { createFile, ensureFile, isThere, readSmall } from './inside.ts';
import { exclusively } from './sqlite.ts';

/** The record of the server that serves a folder. The lease file is `<dir>/lease.json`; only its owner can read it. */
export interface Lease {
  readonly pid: number;
  /** The port of the server on loopback. */
  readonly port: number;
  /** The time at which the server was started, in milliseconds since the UNIX epoch. */
  readonly startedAt: number;
  /** A secret of this server. A client uses this secret to distinguish the server from another program on the same port. */
  readonly token: string;
  /** The base URL of the API, on loopback with the same port. Any other address in a lease is rejected. */
  readonly apiBaseUrl: string;
}

/** A lease that this process holds. `release` deletes the lease, unless another process has taken it over. */
export interface HeldLease extends Lease {
  release(): void;
}

/**
 * A lease that belongs to a live process of the user, but is in a file that another user could have written. The folder counts as held, but
 * the address and token in the file are not trusted.
 */
export interface DoubtedLease {
  readonly pid: number;
  /** The reason for the doubt, as a phrase that follows the name of the file (`file`). */
  readonly doubt: string;
  readonly file: string;
}

/**
 * Returns the lease of a folder's live server, or undefined. A lease is ignored if its process has ended, if its process id now belongs to
 * another process, or if the process belongs to a user other than `uid` (the folder may come from someone else). A lease is returned as
 * doubted if its file is not trusted, for example if other users can write to it: the file may have come with the folder, or the file
 * system (exFAT, drvfs) may store no owner or mode. Throws a Problem for a lease that a newer edgectl wrote. Reads one file and changes
 * nothing.
 */
export function readLease(dir: string, uid = ownUid()): Lease | DoubtedLease | undefined {
  const found = readFile(dir, uid);
  if (found) refuseNewer(leaseFile(dir), found.text);
  const recorded = found && parseLease(found.text);
  if (recorded === undefined || !isRunning(recorded.lease.pid)) return undefined;
  const { lease, processStart } = recorded;
  if (!runsAs(lease.pid, uid) || readStartTicks(lease.pid) !== processStart) return undefined;
  return found?.doubt === undefined ? lease : { pid: lease.pid, doubt: found.doubt, file: leaseFile(dir) };
}

/**
 * Takes the lease of a folder for the process `lease.pid`, and creates the folder if it is missing. Replaces a stale lease. If a live
 * process of the user holds the lease, even a doubted lease, throws Problem 'store-busy', which names the process.
 */
export function takeLease(dir: string, lease: Lease): HeldLease {
  locked(dir, () => {
    const live = readLease(dir);
    if (live !== undefined) throw heldBy(live, dir);
    const file = leaseFile(dir);
    const unfinished = `${file}.tmp`;
    rmSync(unfinished, { force: true });
    writeNew(
      unfinished,
      JSON.stringify({ version: formatVersions.lease, ...lease, processStart: readStartTicks(lease.pid) }),
    );
    renameSync(unfinished, file);
  });
  return { ...lease, release: () => releaseLease(dir, lease.token) };
}

function releaseLease(dir: string, token: string): void {
  if (!isThere(leaseFile(dir))) return;
  locked(dir, () => {
    const found = readFile(dir, ownUid());
    if (found && parseLease(found.text)?.lease.token === token) rmSync(leaseFile(dir), { force: true });
  });
}

function readFile(
  dir: string,
  uid: number | undefined,
): { text: string; doubt: string | undefined } | undefined {
  const found = guarded(
    () => leaseFile(dir),
    () => unlessMissing(() => readSmall(leaseFile(dir), uid), undefined),
  );
  return found && { text: found.content.toString('utf8'), doubt: found.doubt };
}

function writeNew(path: string, text: string): void {
  const file = createFile(path, 0o600);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

function leaseFile(dir: string): string {
  return join(dir, 'lease.json');
}

/** Runs `work` in one process at a time. Without this lock, two servers that start at the same time could both find the folder free. */
function locked(dir: string, work: () => void): void {
  const file = join(dir, 'lease.lock');
  guarded(
    () => file,
    () => {
      makePrivateFolder(dir);
      ensureFile(file);
      exclusively(file, work);
    },
  );
}

function heldBy(lease: Lease | DoubtedLease, dir: string): Problem {
  const where = 'doubt' in lease ? '' : `, at ${lease.apiBaseUrl}`;
  return new Problem('store-busy', `Process ${lease.pid} already serves ${dir}${where}.`, {
    hint: `Use that server, or stop it first: kill ${lease.pid}`,
  });
}

/**
 * Parses a lease. Another user may have supplied the file with the folder, so the lease can specify only a process and a port on this
 * machine.
 */
function parseLease(text: string): { lease: Lease; processStart: unknown } | undefined {
  const record = parseRecord(text);
  const { pid, port, startedAt, token, apiBaseUrl, processStart } = record;
  if (!isCount(pid) || !isCount(port) || typeof startedAt !== 'number') return undefined;
  if (typeof token !== 'string' || typeof apiBaseUrl !== 'string' || !isLoopback(apiBaseUrl, port))
    return undefined;
  const lease = { pid, port, startedAt, token, apiBaseUrl };
  return { lease, processStart };
}

function parseRecord(text: string): Record<string, unknown> {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return {};
  }
}

/** Refuses a lease that a newer edgectl wrote, unless its process has ended, because other fields may have changed in a newer format. */
function refuseNewer(file: string, text: string): void {
  const version = findVersion(text);
  if (!isNewer('lease', version)) return;
  const { pid } = parseRecord(text);
  if (isCount(pid) && !isRunning(pid)) return;
  throw newerFormatProblem('lease', file, version, {
    hint: 'Upgrade edgectl, or stop the server that uses this folder. If no server uses the folder, delete the file.',
  });
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function isLoopback(text: string, port: number): boolean {
  const url = URL.parse(text);
  const hosts = ['127.0.0.1', '[::1]', 'localhost'];
  return url?.protocol === 'http:' && hosts.includes(url.hostname) && (url.port || '80') === String(port);
}
