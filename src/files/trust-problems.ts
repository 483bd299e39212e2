import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { geteuid, getuid } from 'node:process';
import { Problem, type ProblemCode } from '../model/problem.ts';
import { type Doubt, type FoundKind, readFound } from './found.ts';
import { systemCode, systemReason } from './system-reason.ts';

/** Describes why a file or folder is not trusted, in words that follow its path: "belongs to ann (user id 1000)". */
export function describeDoubt(doubt: Doubt): string {
  switch (doubt.fault) {
    case 'owner':
      return `belongs to ${userName(doubt.owner)}`;
    case 'mode':
      return `is open to other users (mode ${(doubt.mode & 0o777).toString(8)})`;
    case 'link':
      return 'is a symbolic link';
    case 'kind':
      return `is not a ${doubt.wanted}`;
    case 'size':
      return `is longer than ${doubt.limit / 1024} KiB`;
  }
}

/**
 * Returns the Problem for an untrusted file that belongs to edgectl. `path` is the path that edgectl opened; the fault may be at the target
 * of a link. `result` is the consequence, which follows the reason after a semicolon.
 */
export function untrustedProblem(
  code: ProblemCode,
  path: string,
  doubt: Doubt,
  result = 'it is not read',
  uid: number | undefined = getuid?.(),
): Problem {
  const isElsewhere = doubt.path !== path && doubt.path !== dirname(path);
  const place = isElsewhere ? `${doubt.path}, the target of ${path},` : doubt.path;
  return new Problem(code, `${place} ${describeDoubt(doubt)}; ${result}.`, {
    hint: untrustedHint(doubt, uid),
  });
}

function untrustedHint(doubt: Doubt, uid: number | undefined): string {
  if (doubt.fault === 'mode')
    return `Check the contents, then remove the permissions of other users: chmod ${isWritable(doubt.mode) ? 'go-w' : 'go-rwx'} ${doubt.path}`;
  if (doubt.fault !== 'owner') return `Delete or rename ${doubt.path} if you did not create it.`;
  return uid === 0
    ? sudoNote(doubt.owner)
    : `If ${doubt.path} is yours, change the owner; otherwise delete ${doubt.path}.`;
}

/**
 * Returns whether other users can write to an untrusted file with this mode. If false, the file is untrusted because other users can read
 * it.
 */
function isWritable(mode: number): boolean {
  return (mode & 0o022) !== 0;
}

/**
 * Returns a note for a root user whose HOME is another user's home folder, for example because of sudo. Files created there would belong to
 * root.
 */
function sudoNote(owner: number): string {
  return `You are root, but use the files of ${userName(owner)}: run edgectl as that user (without sudo), or set HOME to root's own home (sudo -H).`;
}

/** Returns the content of one of edgectl's own files; undefined if it is missing. Throws for an untrusted or unreadable file. */
export function readTrusted(code: ProblemCode, kind: FoundKind, path: string): Buffer | undefined {
  const found = orUnreadableProblem(code, path, () => readFound(kind, path));
  if (found !== undefined && 'doubt' in found) throw untrustedProblem(code, path, found.doubt);
  return found?.bytes;
}

/** Runs a function that reads one of edgectl's own files. Converts a system error to a Problem with the failing part of the path. */
export function orUnreadableProblem<T>(code: ProblemCode, path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const errno = systemCode(error);
    if (errno === undefined) throw error;
    const closed = errno === 'EACCES' || errno === 'EPERM' ? findClosedPart(path) : undefined;
    if (closed === undefined)
      throw new Problem(code, `Cannot read ${path}: ${systemReason(error)}.`, { cause: error });
    const { owner, at } = closed;
    throw new Problem(
      code,
      `Cannot read ${path}: ${at} belongs to ${userName(owner)}, and you have no access to it.`,
      {
        cause: error,
        hint: closedHint(closed),
      },
    );
  }
}

interface ClosedPart {
  readonly at: string;
  readonly owner: number;
  /** Whether the path is inside one of the user's own folders. */
  readonly isInside: boolean;
}

/**
 * Returns the first part of a path, from the root down, that this user is not allowed to search or read; undefined if there is
 * none.
 */
function findClosedPart(path: string): ClosedPart | undefined {
  const parts = [path];
  for (let at = path; dirname(at) !== at; at = dirname(at)) parts.unshift(dirname(at));
  const at = parts.find((part) => !isOpen(part, part === path));
  if (at === undefined) return undefined;
  const above = statSync(dirname(at), { throwIfNoEntry: false })?.uid;
  return { at, owner: statSync(at).uid, isInside: above !== undefined && above === geteuid?.() };
}

function isOpen(path: string, isFile: boolean): boolean {
  try {
    if (isFile) closeSync(openSync(path, 'r'));
    else statSync(`${path}/.`);
    return true;
  } catch {
    return false;
  }
}

function closedHint({ at, owner, isInside }: ClosedPart): string {
  const uid = geteuid?.();
  if (owner === uid) return `Give yourself permission to read it: chmod u+rwX ${at}`;
  if (isInside) return `If edgectl ran as another user (sudo), take ownership: sudo chown -R ${uid} ${at}`;
  return 'Set HOME (and XDG_CONFIG_HOME, XDG_STATE_HOME) to your own folders, or run edgectl as that user.';
}

function userName(uid: number): string {
  try {
    const rows = readFileSync('/etc/passwd', 'utf8').split('\n');
    const name = rows.map((row) => row.split(':')).find((fields) => fields[2] === String(uid))?.[0];
    if (name !== undefined) return `${name} (user id ${uid})`;
  } catch {
    // If the list of users cannot be read, only the id is used.
  }
  return `the user with the id ${uid}`;
}
