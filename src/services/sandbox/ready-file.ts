import { lstat, readFile, unlink } from 'node:fs/promises';
import { type OutputFile, openOutputFile } from '../../files/output-file.ts';
import type { World } from '../../world.ts';
import { onMissing } from '../session/state-file.ts';

/** A file with the addresses and credentials of a server, which is written when the server is ready. */
export interface ReadyFile {
  /** Whether the file is standard output; if so, nothing else may be printed to standard output. */
  readonly isStdout: boolean;
  write(content: unknown): Promise<void>;
  /**
   * Deletes the file if it still has the content that `write` wrote. Does not delete files of other processes, devices or pipes. Rejects with
   * the system's error.
   */
  remove(): Promise<void>;
}

/** Opens a ready file. Throws if the file cannot be written, or if other users could read it, because it contains credentials. */
export async function openReadyFile(world: World, name: string): Promise<ReadyFile> {
  const file = await openOutputFile(world, {
    name,
    ifThere: 'replace',
    isPrivate: true,
    holdsCredentials: true,
    ofFolder: { hint: 'Specify a file in the folder.' },
  });
  let written: string | undefined;
  return {
    isStdout: file.destination.kind === 'stdout',
    async write(content) {
      const text = `${JSON.stringify(content, null, 2)}\n`;
      await file.write(toChunks(text));
      written = text;
    },
    async remove() {
      if (written !== undefined && (await readContent(file)) === written) await removeFile(file);
    },
  };
}

async function* toChunks(text: string): AsyncGenerator<string> {
  yield text;
}

/** Returns the content of the file, which identifies it: a newer file of another process may have the same inode number. */
async function readContent({ destination }: OutputFile): Promise<string | undefined> {
  if (destination.kind !== 'file') return undefined;
  const found = await lstat(destination.path).catch(onMissing(undefined));
  return found?.isFile() ? readFile(destination.path, 'utf8') : undefined;
}

async function removeFile({ destination }: OutputFile): Promise<void> {
  if (destination.kind === 'file') await unlink(destination.path).catch(onMissing(undefined));
}
