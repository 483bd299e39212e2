import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { cwd, getuid } from 'node:process';

// Only this module decides whether edgectl trusts a file or folder that edgectl found and the user did not specify. docs/threat-model.md
// contains the requirements as a table. This module must not import other modules of edgectl, because `load.cjs` contains it.

interface Requirement {
  readonly is: 'file' | 'folder';
  /** `user`: the owner must be the user. `root`: the owner may also be root or, if the user is root, the owner of the working directory. */
  readonly owner: 'user' | 'root';
  /**
   * Permission bits that must not be set. 077: others must not be able to read or change the file. 022: others must not be able to change
   * the file. 0: all modes are allowed.
   */
  readonly closed: 0o077 | 0o022 | 0;
  /**
   * Permission bits that must not be set for the folder of a file, unless the folder is sticky. The folder's owner must also be trusted. If
   * omitted, the folder is not checked.
   */
  readonly folder?: 0o022 | 0;
  /** Whether links are followed. The owner of a followed link and the owner of its target must be trusted. */
  readonly links: 'refused' | 'followed';
  /** Maximum size of the file in bytes. */
  readonly size?: number;
  /** A description of the file's location, for the documents. */
  readonly about: string;
}

const KiB = 1024;
const MiB = 1024 * KiB;

/** The requirements for each kind of file or folder. */
export const requirements = {
  'cache-folder': {
    is: 'folder',
    owner: 'user',
    closed: 0o022,
    links: 'refused',
    about: 'folders of compiled code (`edgectl` and `edgectl/node` in the cache folder)',
  },
  'compiled-code': {
    is: 'file',
    owner: 'user',
    closed: 0o022,
    folder: 0o022,
    links: 'refused',
    size: 64 * MiB,
    about: 'compiled code (`*.code` in the cache folder)',
  },
  settings: {
    is: 'file',
    owner: 'root',
    closed: 0o022,
    folder: 0o022,
    links: 'followed',
    size: MiB,
    about:
      "settings, profiles, trusted folders, keys and policy in the configuration folder; root's policy in `/etc/edgectl`",
  },
  state: {
    is: 'file',
    owner: 'root',
    closed: 0o022,
    folder: 0o022,
    links: 'refused',
    size: 512 * MiB,
    about:
      'checkpoints, tasks, progress of transfers, watches, first-seen dates and console state in the state folder',
  },
  plan: {
    is: 'file',
    owner: 'root',
    closed: 0o022,
    folder: 0o022,
    links: 'refused',
    size: 256 * MiB,
    about: 'saved plans in the state folder',
  },
  completion: {
    is: 'file',
    owner: 'root',
    closed: 0o022,
    folder: 0o022,
    links: 'refused',
    size: 4 * MiB,
    about: 'completion cache in the state folder',
  },
  undo: {
    is: 'file',
    owner: 'user',
    closed: 0o077,
    folder: 0o022,
    links: 'refused',
    size: 512 * MiB,
    about: 'entries of the undo journal in the state folder',
  },
  audit: {
    is: 'file',
    owner: 'user',
    closed: 0o077,
    folder: 0o022,
    links: 'refused',
    size: 64 * MiB,
    about: 'audit log in the state folder',
  },
  pace: {
    is: 'file',
    owner: 'user',
    closed: 0o077,
    folder: 0o022,
    links: 'refused',
    size: MiB,
    about: 'used request budgets in the state folder',
  },
  guards: {
    is: 'folder',
    owner: 'user',
    closed: 0o077,
    links: 'refused',
    about: 'folder of the guards’ sockets (`guards` in the state folder)',
  },
  lease: {
    is: 'file',
    owner: 'user',
    closed: 0o077,
    links: 'refused',
    size: 64 * KiB,
    about: 'lease of a running server (`lease.json` in a folder of local or sandbox data)',
  },
  'data-folder': {
    is: 'folder',
    owner: 'root',
    closed: 0,
    links: 'refused',
    about: 'folder of local data (`.edgectl/state` next to the configuration or in the working directory)',
  },
  configuration: {
    is: 'file',
    owner: 'root',
    closed: 0,
    folder: 0,
    links: 'followed',
    size: MiB,
    about: 'configuration in the working directory or above it, and `.dev.vars` next to the configuration',
  },
  'folder-policy': {
    is: 'file',
    owner: 'root',
    closed: 0,
    folder: 0,
    links: 'refused',
    size: MiB,
    about: '`edgectl-policy.toml` in the working directory or above it',
  },
  'folder-profile': {
    is: 'file',
    owner: 'root',
    closed: 0,
    folder: 0,
    links: 'refused',
    size: KiB,
    about: '`.edgectl-profile` in the working directory or above it',
  },
} as const satisfies Readonly<Record<string, Requirement>>;

export type FoundKind = keyof typeof requirements;

/** The reader: a user, and the working directory, whose owner is trusted if the user is root. */
export interface Reader {
  /** The user's id; undefined if users have no ids (Windows). In that case, owners and modes are not checked. */
  readonly uid: number | undefined;
  /** The working directory (default: the working directory of the process). */
  readonly cwd?: string | undefined;
}

/** Returns the user of this process, in a working directory. */
export function readerIn(folder: string): Reader {
  return { uid: getuid?.(), cwd: folder };
}

/** The reason why a file or folder is not trusted. `path` is the part at fault: the file, a link on its path, or its folder. */
export type Doubt = { readonly path: string } & (
  | { readonly fault: 'owner'; readonly owner: number }
  | { readonly fault: 'mode'; readonly mode: number }
  | { readonly fault: 'link' }
  | { readonly fault: 'kind'; readonly wanted: 'file' | 'folder' }
  | { readonly fault: 'size'; readonly limit: number }
);

/** The descriptor and the metadata of an open file, or the reason why the file is not trusted. */
export type FoundFile = { readonly file: number; readonly stats: Stats } | { readonly doubt: Doubt };

/** Returns the reason why a file or folder that was found is not trusted; undefined if it is trusted or does not exist. */
export function findDoubt(
  kind: FoundKind,
  path: string,
  reader: Reader = { uid: getuid?.() },
): Doubt | undefined {
  const found = resolveTrusted(kind, path, reader);
  if (found === undefined) return undefined;
  return 'doubt' in found ? found.doubt : checkTrust(kind, found.path, found.stats, reader);
}

/**
 * Opens a file that edgectl found, for reading. The caller must close the file. Returns undefined if the file does not exist, and throws
 * the system's error if it cannot be opened. Never waits for a pipe. Checks the open file again, in case another file has replaced the
 * checked file meanwhile.
 */
export function openFound(
  kind: FoundKind,
  path: string,
  reader: Reader = { uid: getuid?.() },
): FoundFile | undefined {
  const found = resolveTrusted(kind, path, reader);
  if (found === undefined || 'doubt' in found) return found;
  const early = checkTrust(kind, found.path, found.stats, reader);
  if (early !== undefined) return { doubt: early };
  const file = openSync(
    found.path,
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  );
  const stats = fstatSync(file);
  const doubt = checkTrust(kind, found.path, stats, reader);
  if (doubt === undefined) return { file, stats };
  closeSync(file);
  return { doubt };
}

/**
 * Returns the reason why edgectl would later distrust a file in this folder; undefined if edgectl would trust the file. The folder must
 * exist.
 */
export function findFolderDoubt(
  kind: FoundKind,
  folder: string,
  reader: Reader = { uid: getuid?.() },
): Doubt | undefined {
  return folderDoubt(kind, folder, false, reader);
}

/** Returns the content of a file that was found, or the reason why it is not trusted. Otherwise, behaves like `openFound`. */
export function readFound(
  kind: FoundKind,
  path: string,
  reader?: Reader,
): { readonly bytes: Buffer } | { readonly doubt: Doubt } | undefined {
  const found = openFound(kind, path, reader);
  if (found === undefined || 'doubt' in found) return found;
  try {
    return { bytes: readToEnd(found.file, found.stats.size) };
  } finally {
    closeSync(found.file);
  }
}

function readToEnd(file: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const count = readSync(file, bytes, length, size - length, length);
    if (count === 0) break;
    length += count;
  }
  return length === size ? bytes : bytes.subarray(0, length);
}

/** Maximum number of links to follow on the path to one file, equal to Linux's own limit. */
const maxLinks = 40;

/** Resolves a path, and checks all folders and links on the path. Returns undefined if the path does not exist. */
function resolveTrusted(
  kind: FoundKind,
  path: string,
  reader: Reader,
): { readonly path: string; readonly stats: Stats } | { readonly doubt: Doubt } | undefined {
  const { links }: Requirement = requirements[kind];
  let at = path;
  for (let count = 0; count <= maxLinks; count++) {
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    const folder = folderDoubt(kind, dirname(at), count > 0, reader);
    if (folder !== undefined) return { doubt: folder };
    if (!stats.isSymbolicLink()) return { path: at, stats };
    if (links === 'refused') break;
    if (!isTrustedOwner(kind, stats, reader))
      return { doubt: { path: at, fault: 'owner', owner: stats.uid } };
    at = resolve(dirname(at), readlinkSync(at));
  }
  return { doubt: { path: at, fault: 'link' } };
}

/**
 * Returns the reason why a file's folder is not trusted. In a sticky folder, other users cannot replace the file. For the folder of a
 * link's target, checks the owner but not the mode, because modes in a checkout depend on the user's umask.
 */
function folderDoubt(kind: FoundKind, path: string, isTarget: boolean, reader: Reader): Doubt | undefined {
  const { links, folder: closed }: Requirement = requirements[kind];
  if (closed === undefined) return undefined;
  const found = lstatSync(path);
  if (!isTrustedOwner(kind, found, reader)) return { path, fault: 'owner', owner: found.uid };
  const isLink = found.isSymbolicLink();
  if (isLink && links === 'refused') return { path, fault: 'link' };
  const stats = isLink ? statSync(path) : found;
  if (!isTrustedOwner(kind, stats, reader)) return { path, fault: 'owner', owner: stats.uid };
  if (isTarget || reader.uid === undefined) return undefined;
  const isOpen = (stats.mode & closed) !== 0 && (stats.mode & sticky) === 0;
  return isOpen ? { path, fault: 'mode', mode: stats.mode & 0o7777 } : undefined;
}

const sticky = 0o1000;

/** Returns the reason why one file or folder is not trusted, based on its stats; undefined if it is trusted. */
export function checkTrust(kind: FoundKind, path: string, stats: Stats, reader: Reader): Doubt | undefined {
  const { is, closed, size = Number.POSITIVE_INFINITY }: Requirement = requirements[kind];
  if (!(is === 'file' ? stats.isFile() : stats.isDirectory())) return { path, fault: 'kind', wanted: is };
  if (!isTrustedOwner(kind, stats, reader)) return { path, fault: 'owner', owner: stats.uid };
  if (reader.uid !== undefined && (stats.mode & closed) !== 0)
    return { path, fault: 'mode', mode: stats.mode & 0o7777 };
  return is === 'file' && stats.size > size ? { path, fault: 'size', limit: size } : undefined;
}

function isTrustedOwner(kind: FoundKind, { uid: owner }: Stats, { uid, cwd: folder }: Reader): boolean {
  const { owner: required }: Requirement = requirements[kind];
  if (uid === undefined || owner === uid) return true;
  if (required === 'user') return false;
  if (owner === 0) return true;
  return uid === 0 && owner === describeOwner(folder ?? workingFolder());
}

function describeOwner(path: string | undefined): number | undefined {
  return path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })?.uid;
}

/** Returns the working directory; undefined if it was deleted. */
function workingFolder(): string | undefined {
  try {
    return cwd();
  } catch {
    return undefined;
  }
}
