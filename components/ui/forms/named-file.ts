import { typedPath } from '../../../src/files/typed-path.ts';
import { lookAtPath, writingFault } from '../../../src/services/objects/file-look.ts';
import { escapeText } from '../../../src/text/escape.ts';
import type { World } from '../../../src/world.ts';
import type { Question } from './Confirm.tsx';

type Paths = Pick<World, 'cwd' | 'env'>;

/** The fault of the field `path` of a form. */
interface PathErrors {
  readonly errors: { readonly path: string };
}

/** A command that writes to a file. */
interface Writing {
  /** As it was typed. */
  readonly path: string;
  /** Whether what is there is written over. */
  readonly replace: boolean;
}

/** The absolute path of a file to read that was named in a form, or what is wrong with it. */
export async function fileToRead(
  world: Paths,
  typed: string,
): Promise<{ readonly path: string } | PathErrors> {
  const path = typedPath(world, typed);
  const state = await lookAtPath(path);
  if (state === 'file') return { path };
  const isThere = state === 'folder' || state === 'other';
  return { errors: { path: isThere ? 'This is no file.' : 'There is no such file.' } };
}

/**
 * The absolute path of a file to write that was named in a form, or what is wrong with it; for one that is there already
 * the question whether it is to be written over.
 */
export async function fileToWrite<C extends Writing>(
  world: Paths,
  command: C,
): Promise<
  | { readonly path: string }
  | PathErrors
  | { readonly dialog: { readonly kind: 'confirm'; readonly question: Question; readonly command: C } }
> {
  const path = typedPath(world, command.path);
  const state = await lookAtPath(path);
  const fault = writingFault(command.path, state);
  if (fault !== undefined) return { errors: { path: fault } };
  if (state !== 'file' || command.replace) return { path };
  const question = {
    question: `The file ${escapeText(command.path)} exists already. Replace it?`,
    lost: ['What is in it is lost.'],
    yes: 'replace it',
  };
  return { dialog: { kind: 'confirm', question, command: { ...command, replace: true } } };
}
