import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ownUid } from '../liveness.ts';
import { systemCode, systemReason } from './system-reason.ts';

/** A file that was opened, or why it is not to be believed: half a sentence. */
export type OwnFile = { readonly file: FileHandle; readonly size: number } | { readonly doubt: string };

/**
 * Opens a file that edgectl wrote for its user alone, to read it. Never follows a link, never waits for a pipe, and
 * doubts what belongs to somebody else or is open to others. The caller closes it.
 */
export async function openOwnFile(path: string): Promise<OwnFile> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((error: unknown) => error);
  if (file instanceof Error) {
    return { doubt: systemCode(file) === 'ELOOP' ? 'is a link' : `cannot be read: ${systemReason(file)}` };
  }
  const opened = file as FileHandle;
  const stats = await opened.stat();
  const { size, mode, uid } = stats;
  const isOurs = ownUid() === undefined || uid === ownUid();
  const doubt = !stats.isFile()
    ? 'is no file'
    : !isOurs
      ? 'belongs to somebody else'
      : (mode & 0o077) !== 0
        ? 'is open to others'
        : undefined;
  if (doubt === undefined) return { file: opened, size };
  await opened.close();
  return { doubt };
}
