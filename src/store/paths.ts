import { join } from 'node:path';
import { hmacSha256, sha256 } from '../model/sha256.ts';

/**
 * The class name under which Miniflare stores key-value namespaces. The name of the databases' folder is the class name, and the names of
 * the databases are derived from it.
 */
export const kvClass = 'miniflare-KVNamespaceObject';

/** The paths of one namespace or bucket on disk. The paths need not exist. */
export interface DataPaths {
  /** The persist root, which contains all other paths. */
  readonly root: string;
  /** The database, with one row per key. */
  readonly database: string;
  /** The folder that contains `blobs`, and edgectl's notes next to it. */
  readonly folder: string;
  readonly folderName: string;
  /** The folder of the values, with one file per value or per part of a value. */
  readonly blobs: string;
}

/** Returns the folder of all key-value data below a persist root, in Miniflare's layout: `<root>/v3/kv`. */
export function kvRoot(root: string): string {
  return join(root, 'v3', 'kv');
}

/** Returns the folder of the namespaces' databases: `<root>/v3/kv/miniflare-KVNamespaceObject`. */
export function kvDatabases(root: string): string {
  return join(kvRoot(root), kvClass);
}

/** Returns the paths of the namespace with this id. Two ids may share a folder, but never a database. */
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
 * Returns Miniflare's id, 64 hex digits, of the object that serves a resource. The first half is half of a keyed hash of the name. The
 * second half is half of a keyed hash of the first half. The key is the hash of the class name.
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
 * Returns Miniflare's folder name for a resource. Characters that are not allowed in a file name, or that could make the path leave the
 * folder, are replaced with `_`. The name is cut to 255 UTF-16 units. The result never contains a separator and is never `.` or `..`.
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

/** Returns new blob ids of 80 hex digits each: 32 random bytes, followed by the time in milliseconds as 8 bytes. */
export function blobIds(count: number, random: (bytes: number) => Uint8Array, now: number): string[] {
  const digits = Buffer.from(random(count * idRandomBytes)).toString('hex');
  const time = Math.trunc(now).toString(16).padStart(16, '0');
  const width = 2 * idRandomBytes;
  return Array.from({ length: count }, (_, index) => digits.slice(index * width, (index + 1) * width) + time);
}

/** Returns whether a string is a valid blob id. No other string may become part of a path. */
export function isBlobId(text: string): boolean {
  return /^[0-9a-f]{80}$/.test(text);
}

/**
 * Returns when the write of the blob with this file name started, in milliseconds since the UNIX epoch. The file name is `<id>`, or
 * `.<id>.<pid>.<n>.tmp` while workerd writes the blob. Returns undefined for any other name.
 */
export function blobTime(fileName: string): number | undefined {
  const match = /^(?:[0-9a-f]{64}([0-9a-f]{16})|\.[0-9a-f]{64}([0-9a-f]{16})\.\d+\.\d+\.tmp)$/.exec(fileName);
  const digits = match?.[1] ?? match?.[2];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}
