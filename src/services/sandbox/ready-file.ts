import { lstat, readFile, unlink } from 'node:fs/promises';
import { type OutputFile, openOutputFile } from '../../files/output-file.ts';
import type { World } from '../../world.ts';
import { ifMissing } from '../session/state-file.ts';

/** The file that tells others that a server answers, and how. */
export interface ReadyFile {
  /** Whether it is standard output, on which nothing else belongs then. */
  readonly isStdout: boolean;
  write(content: unknown): Promise<void>;
  /**
   * Removes the file if it is still the one that `write` has written. A file of another process, a device and a pipe
   * stay. Rejects with the system's error.
   */
  remove(): Promise<void>;
}

/** Checks the named file; refuses with invalid-input. It holds credentials, so only its owner may read it. */
export async function openReadyFile(world: World, name: string): Promise<ReadyFile> {
  const file = await openOutputFile(world, {
    name,
    ifThere: 'replace',
    isPrivate: true,
    holdsCredentials: true,
    ofFolder: { hint: 'Name a file in it.' },
  });
  let written: string | undefined;
  return {
    isStdout: file.destination.kind === 'stdout',
    async write(content) {
      const text = `${JSON.stringify(content, null, 2)}\n`;
      await file.write(textOf(text));
      written = text;
    },
    async remove() {
      if (written !== undefined && (await contentOf(file)) === written) await removeFile(file);
    },
  };
}

async function* textOf(text: string): AsyncGenerator<string> {
  yield text;
}

/** Reads the file, to recognise it by its content: a newer file of another process may have the same inode number. */
async function contentOf({ destination }: OutputFile): Promise<string | undefined> {
  if (destination.kind !== 'file') return undefined;
  const found = await lstat(destination.path).catch(ifMissing(undefined));
  return found?.isFile() ? readFile(destination.path, 'utf8') : undefined;
}

async function removeFile({ destination }: OutputFile): Promise<void> {
  if (destination.kind === 'file') await unlink(destination.path).catch(ifMissing(undefined));
}
