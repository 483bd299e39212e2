import { lstat, readFile, unlink } from 'node:fs/promises';
import { type OutputFile, openOutputFile } from '../../files/output-file.ts';
import type { World } from '../../world.ts';
import { onMissing } from '../session/state-file.ts';

/** A file with the addresses of a server, written when the server is ready. */
export interface ReadyFile {
  /** Whether the file is standard output. If so, nothing else may be printed to standard output. */
  readonly isStdout: boolean;
  write(content: unknown): Promise<void>;
  /**
   * Deletes the file if it still has the content that `write` wrote. Files of other processes, devices and pipes are kept. Rejects with the
   * system's error.
   */
  remove(): Promise<void>;
}

/** Checks and opens the file. Throws invalid-input. Only the owner may read a ready file, because it contains credentials. */
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

/** Reads the file to identify it by its content, because a newer file of another process may have the same inode number. */
async function readContent({ destination }: OutputFile): Promise<string | undefined> {
  if (destination.kind !== 'file') return undefined;
  const found = await lstat(destination.path).catch(onMissing(undefined));
  return found?.isFile() ? readFile(destination.path, 'utf8') : undefined;
}

async function removeFile({ destination }: OutputFile): Promise<void> {
  if (destination.kind === 'file') await unlink(destination.path).catch(onMissing(undefined));
}
