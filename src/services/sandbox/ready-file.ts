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
   * Removes the file if it is still what `write` has written. What another has put in its place, a device and a pipe stay.
   * Rejects with the system's error.
   */
  remove(): Promise<void>;
}

/** Looks at the file that is named; refuses with invalid-input. There are credentials in it: it is the owner's only. */
export async function openReadyFile(world: World, name: string): Promise<ReadyFile> {
  const file = await openOutputFile(world, {
    name,
    isPrivate: true,
    holdsCredentials: true,
    folderHint: 'Name a file in it.',
  });
  let written: string | undefined;
  return {
    isStdout: file.place.kind === 'stdout',
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

/** By its content, because a file that another has made since may have the same number to the system. */
async function contentOf({ place }: OutputFile): Promise<string | undefined> {
  if (place.kind !== 'file') return undefined;
  const found = await lstat(place.path).catch(ifMissing(undefined));
  return found?.isFile() ? readFile(place.path, 'utf8') : undefined;
}

async function removeFile({ place }: OutputFile): Promise<void> {
  if (place.kind === 'file') await unlink(place.path).catch(ifMissing(undefined));
}
