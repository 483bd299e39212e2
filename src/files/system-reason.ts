import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Returns the operating system's reason for a failure, such as "no such file or directory", without the call and the path that Node adds.
 * For any other error, returns its message.
 */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const tls = tlsReason(error.message);
  if (tls !== undefined) return tls;
  if (!('syscall' in error)) return error.message;
  if ('code' in error && error.code === 'EISDIR') return 'it is a folder';
  if ('code' in error && error.code === 'EFBIG') return fileLimit;
  return error.message.replace(/^[A-Z0-9_]+: /, '').replace(/, \w+(?: '.*)?$/s, '');
}

/** The reason for EFBIG. At the shell's limit on file size, SIGXFSZ ends most programs; Node ignores this signal and gets EFBIG. */
export const fileLimit = 'the file would be larger than the limit on file sizes (ulimit -f)';

/**
 * Returns OpenSSL's reason from the message of a Node error; undefined for any other message. The rest of such a message is an error code
 * and a location in OpenSSL's source.
 */
export function tlsReason(message: string): string | undefined {
  const [, reason] = /:SSL routines:[^:]*:([^:]+)/.exec(message) ?? [];
  if (reason === undefined) return undefined;
  const isPlain = /wrong version number|packet length too long|http request|unknown protocol/.test(reason);
  return isPlain ? 'the port does not use TLS (https)' : `TLS failed: ${reason}`;
}

/** Explains why a path could not be used, with the failing part as typed. `cwd` is absolute. */
export function pathReason(cwd: string, name: string, error: unknown): string {
  const code = systemCode(error);
  if (code === 'ENOTDIR') return `${findFileAbove(cwd, name)} is a file, not a folder`;
  if (code === 'ENAMETOOLONG') return 'its name is too long';
  if (code === 'ELOOP') return 'its links form a loop';
  if (code === 'EEXIST') return 'something with this name already exists';
  if (code === 'ENXIO') return 'it is a socket, or no process listens there';
  return systemReason(error);
}

/** Returns the error with the path added, because Node omits the path if writing to an open file fails. */
export function withPath(error: unknown, path: string): unknown {
  if (error instanceof Error && 'syscall' in error && !('path' in error)) Object.assign(error, { path });
  return error;
}

/** Returns the system's error code, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Returns the nearest parent of a path that exists but is not a folder. */
function findFileAbove(cwd: string, name: string): string {
  for (let above = dirname(name); above !== dirname(above); above = dirname(above)) {
    if (pathExists(resolve(cwd, above))) return above;
  }
  return dirname(name);
}

function pathExists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
