import { fstatSync, type Stats } from 'node:fs';
import { access, constants, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Advice } from '../model/problem.ts';
import { Problem } from '../model/problem.ts';
import type { World } from '../world.ts';
import { pathReason, systemCode } from './system-reason.ts';

/** Where something is written. */
export type OutputDestination =
  | { readonly kind: 'stdout' }
  /** A device, a pipe, or a file that is open already: written through, never replaced and never removed. */
  | { readonly kind: 'through'; readonly path: string; readonly found: Stats }
  /** A file, there or not yet, at the end of all links. */
  | { readonly kind: 'file'; readonly path: string; readonly found: Stats | undefined };

export interface OutputName {
  /** As it was typed; `-` is standard output. */
  readonly name: string;
  /** Where it is, when `name` says it for a person only. */
  readonly path?: string;
  /** The advice to a user who has named a folder. */
  readonly ofFolder: Advice;
  /** Folders that are missing will be made. */
  readonly makesFolders?: boolean;
}

/**
 * Finds the output behind a name, following links. Refuses with invalid-input a folder, a socket, and what cannot be
 * written to, by the name that was typed. Changes nothing.
 */
export async function findOutput(
  { cwd, stdout }: Pick<World, 'cwd' | 'stdout'>,
  output: OutputName,
): Promise<OutputDestination> {
  if (output.name === '-' && output.path === undefined) return { kind: 'stdout' };
  const typed = output.path ?? resolve(cwd, output.name);
  try {
    const { path, isDescriptor } = await followLinks(typed);
    const found = await statIfThere(isDescriptor ? typed : path);
    if (found?.isDirectory()) throw unwritable(output, 'it is a folder', output.ofFolder);
    const isThrough = found !== undefined && (isDescriptor || !found.isFile());
    if (isThrough && isSame(found, statOfStream(stdout))) return { kind: 'stdout' };
    if (found?.isSocket()) throw unwritable(output, 'it is a socket', output.ofFolder);
    if (found !== undefined) await access(typed, constants.W_OK);
    if (isThrough) return { kind: 'through', path: typed, found };
    if (!output.makesFolders) await access(dirname(path), constants.W_OK | constants.X_OK);
    return { kind: 'file', path, found };
  } catch (error) {
    if (systemCode(error) === undefined || error instanceof Problem) throw error;
    throw unwritable(output, reasonOf(cwd, output, error), undefined, error);
  }
}

/** As many as Linux follows. */
const mostLinks = 40;

/**
 * The path at the end of all links, which may lead to what is not there yet. An open file (`/dev/stdout`, `/dev/fd/3`) is
 * a link to the system only: its content is behind it, whatever has become of the name that it tells.
 */
async function followLinks(typed: string): Promise<{ path: string; isDescriptor: boolean }> {
  let path = typed;
  for (let links = 0; links < mostLinks; links += 1) {
    const folder = await realpath(dirname(path)).catch((error: unknown) => {
      if (systemCode(error) !== 'ENOENT') throw error;
    });
    if (folder === undefined) return { path, isDescriptor: false };
    path = join(folder, basename(path));
    if (/^\/proc\/\d+(?:\/task\/\d+)?\/fd$|^\/dev\/fd$/.test(folder)) return { path, isDescriptor: true };
    const target = await readlink(path).catch((error: unknown) => {
      if (!['EINVAL', 'ENOENT'].includes(systemCode(error) ?? '')) throw error;
    });
    if (target === undefined) return { path, isDescriptor: false };
    path = resolve(folder, target);
  }
  // Whoever looks at it is told by the system that it is a circle.
  return { path, isDescriptor: false };
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  return stat(path).catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw error;
    return undefined;
  });
}

function statOfStream(stream: object): Stats | undefined {
  if (!('fd' in stream) || typeof stream.fd !== 'number') return undefined;
  try {
    return fstatSync(stream.fd);
  } catch {
    return undefined;
  }
}

function isSame(one: Stats, other: Stats | undefined): boolean {
  return one.dev === other?.dev && one.ino === other.ino;
}

/** Words a failure. It is one of the folder: a missing file is no failure here. */
function reasonOf(cwd: string, { name, path = name }: OutputName, error: unknown): string {
  if (systemCode(error) === 'ENOENT') return `there is no folder ${dirname(name)}`;
  return pathReason(cwd, path, error);
}

function unwritable({ name }: OutputName, reason: string, advice?: Advice, cause?: unknown): Problem {
  return new Problem('invalid-input', `Cannot write ${name}: ${reason}.`, { ...advice, cause });
}
