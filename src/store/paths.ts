import { join } from 'node:path';
import { hmacSha256, sha256 } from '../model/sha256.ts';

/** Class name under which Miniflare keeps key-value namespaces; it names their folder and seeds their file names. */
export const kvClass = 'miniflare-KVNamespaceObject';

/** Where one namespace or bucket lies on disk. Nothing of it need exist. */
export interface DataPaths {
  /** The persist root, below which all of it lies. */
  readonly root: string;
  /** The database with one row for each key. */
  readonly database: string;
  /** Holds `blobs` and what edgectl notes beside it. */
  readonly folder: string;
  readonly folderName: string;
  /** One file for each value, or part of one. */
  readonly blobs: string;
}

/** Folder of all key-value data below a persist root, as Miniflare lays it out: `<root>/v3/kv`. */
export function kvRoot(root: string): string {
  return join(root, 'v3', 'kv');
}

/** Folder of the namespaces' databases: `<root>/v3/kv/miniflare-KVNamespaceObject`. */
export function kvDatabases(root: string): string {
  return join(kvRoot(root), kvClass);
}

/** Where the namespace with this id lies. Two ids may share a folder, never a database. */
export function kvPaths(root: string, namespaceId: string): DataPaths {
  const name = folderName(namespaceId);
  const folder = join(kvRoot(root), name);
  return {
    root,
    database: join(kvDatabases(root), `${objectId(kvClass, namespaceId)}.sqlite`),
    folder,
    folderName: name,
    blobs: join(folder, 'blobs'),
  };
}

/**
 * Miniflare's id of the object that serves a resource, 64 hex digits: half a keyed hash of the name, then half a
 * keyed hash of that half, the key being the hash of the class name.
 */
export function objectId(className: string, name: string): string {
  const key = sha256(Buffer.from(className));
  const half = (data: Uint8Array) => hmacSha256(key, data).subarray(0, 16);
  const first = half(Buffer.from(name));
  return Buffer.concat([first, half(first)]).toString('hex');
}

const unsafeCharacter = /[?<>*"'^/\\:|\u0000-\u001f\u0080-\u009f]/g;
const windowsDevice = /^(?:aux|con|nul|prn|com\d|lpt\d)(?:\..*)?$/i;

/**
 * The folder name that Miniflare gives a resource: what could leave the folder or cannot be a file name becomes
 * `_`, and at most 255 UTF-16 units remain. It never holds a separator and is never `.` or `..`.
 */
export function folderName(name: string): string {
  const withoutDotParts = name
    .split(/([/\\])/)
    .map((part) => (/^\.+$/.test(part) ? underscores(part) : part))
    .join('');
  return withoutDotParts
    .replace(unsafeCharacter, '_')
    .replace(windowsDevice, '_')
    .replace(/^ +/, underscores)
    .replace(/ +$/, underscores)
    .slice(0, 255);
}

function underscores(replaced: string): string {
  return '_'.repeat(replaced.length);
}

const idRandomBytes = 32;

/** New blob ids: 32 random bytes, then the time in milliseconds as 8 bytes, each as 80 hex digits. */
export function blobIds(count: number, random: (bytes: number) => Uint8Array, now: number): string[] {
  const digits = Buffer.from(random(count * idRandomBytes)).toString('hex');
  const time = Math.trunc(now).toString(16).padStart(16, '0');
  const width = 2 * idRandomBytes;
  return Array.from({ length: count }, (_, index) => digits.slice(index * width, (index + 1) * width) + time);
}

/** Whether a text has the form of a blob id. Anything else must not become part of a path. */
export function isBlobId(text: string): boolean {
  return /^[0-9a-f]{80}$/.test(text);
}

/**
 * When the blob behind a file name was begun, in milliseconds: `<id>`, or `.<id>.<pid>.<n>.tmp` while workerd
 * writes it. Undefined for any other name.
 */
export function blobTime(fileName: string): number | undefined {
  const match = /^(?:[0-9a-f]{64}([0-9a-f]{16})|\.[0-9a-f]{64}([0-9a-f]{16})\.\d+\.\d+\.tmp)$/.exec(fileName);
  const digits = match?.[1] ?? match?.[2];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}
