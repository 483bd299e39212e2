import { resolveTypedPath } from '../../../src/files/typed-path.ts';
import { checkPath, writingFault } from '../../../src/services/objects/file-check.ts';
import type { World } from '../../../src/world.ts';
import type { Question } from './Confirm.tsx';

type Paths = Pick<World, 'cwd' | 'env'>;

/** An error for the field `path` of a form. */
interface PathErrors {
  readonly errors: { readonly path: string };
}

/** Returns the absolute path of an input file named in a form, or its error. */
export async function fileToRead(
  world: Paths,
  typed: string,
): Promise<{ readonly path: string } | PathErrors> {
  const path = resolveTypedPath(world, typed);
  const state = await checkPath(path);
  if (state === 'file') return { path };
  const isThere = state === 'folder' || state === 'other';
  return { errors: { path: isThere ? 'The path is not a file.' : 'File not found.' } };
}

/**
 * Returns the absolute path of an output file named in a form, or its error. For an existing file, returns the question that asks whether
 * to overwrite it; the answer Yes runs `again`. If `again` is undefined, overwriting has already been confirmed.
 */
export async function fileToWrite<C>(
  world: Paths,
  typed: string,
  again: C | undefined,
): Promise<
  | { readonly path: string }
  | PathErrors
  | { readonly dialog: { readonly kind: 'confirm'; readonly question: Question; readonly command: C } }
> {
  const path = resolveTypedPath(world, typed);
  const state = await checkPath(path);
  const fault = writingFault(typed, state);
  if (fault !== undefined) return { errors: { path: fault } };
  if (state !== 'file' || again === undefined) return { path };
  const question = {
    question: `The file ${typed} already exists. Replace it?`,
    lost: ['The content of the file will be lost.'],
    danger: 'permanent' as const,
    yes: 'replace it',
  };
  return { dialog: { kind: 'confirm', question, command: again } };
}
