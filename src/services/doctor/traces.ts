import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNewerVersion } from '../../files/stored.ts';
import { ownUid } from '../../liveness.ts';
import { isProblem } from '../../model/problem.ts';
import { type Trace, type TracePlace, traces } from '../../model/traces.ts';
import { globMatcher } from '../../text/glob.ts';
import { shellWord } from '../../text/shell.ts';
import type { World } from '../../world.ts';
import { isChosenFolder, sandboxFolder } from '../sandbox/folder.ts';
import { localFolder } from '../session/open-session.ts';
import type { Choice } from '../session/session.ts';
import { cacheFolder } from './folders.ts';

/** Files of one kind that exist on this machine. `oldest` and `newest` are in milliseconds since the UNIX epoch. */
export interface FoundTrace {
  /** Name of the declared trace; `unknown` for files in edgectl's folders that this version of edgectl does not write. */
  readonly name: string;
  /** The file, or the folder that contains the files. */
  readonly path: string;
  readonly about: string;
  /** Number of files. */
  readonly files: number;
  /** Total size, in bytes. */
  readonly size: number;
  /** Permission bits that at least one of the files has. */
  readonly mode: number;
  /** Permission bits of `path`, if `path` is a folder. These bits can prevent other users from reaching the files in the folder. */
  readonly folderMode: number | undefined;
  readonly oldest: number;
  readonly newest: number;
  readonly lifetime: string;
  /** The command that deletes the files. */
  readonly remove: string;
  /** Number of files in a format that only a newer edgectl can read. */
  readonly newer: number;
}

/** A file below a folder, with its path relative to the folder, in segments. */
interface FoundFile {
  readonly segments: readonly string[];
  readonly stats: Stats;
}

const unknownTrace: Omit<Trace, 'paths'> = {
  name: 'unknown',
  in: 'state',
  about: 'written by another version of edgectl, or by another program',
  mode: '',
  lifetime: 'unknown',
};

/** Lists everything that edgectl has stored on this machine, sorted by path. Sends no request, and changes nothing. */
export async function listTraces(world: World, choice: Choice): Promise<FoundTrace[]> {
  const found = [
    ...(['config', 'state', 'data', 'cache'] as const).flatMap((place) => tracesBelow(world, place)),
    ...temporaryTraces(),
    ...projectTraces(await findProjectFolders(world, choice)),
    ...chosenSandbox(world, choice),
  ];
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Returns the files in one of the user's folders. Files that do not belong to a declared trace are `unknown`. */
function tracesBelow(world: World, place: 'config' | 'state' | 'data' | 'cache'): FoundTrace[] {
  const folder = orUndefined(() => (place === 'cache' ? cacheFolder(world) : world.folders[place]));
  if (folder === undefined) return [];
  const matchers = listMatchers(place);
  const groups = Map.groupBy(filesBelow(folder), ({ segments }) => {
    const trace = matchers.find(({ matches }) => matches(segments))?.trace;
    if (trace === undefined) return JSON.stringify(['unknown', join(folder, ...segments)]);
    // All files of compiled code count as one trace.
    return JSON.stringify([
      trace.name,
      place === 'cache' ? folder : join(folder, ...toGroup(trace, segments)),
    ]);
  });
  return [...groups].map(([key, files]) => {
    const [name, path]: [string, string] = JSON.parse(key);
    return toFound(traces.find((trace) => trace.name === name) ?? unknownTrace, path, folder, files);
  });
}

/** Returns the segments of the file or folder that represents a file's trace: the path up to the first segment with a pattern. */
function toGroup({ paths }: Trace, segments: readonly string[]): readonly string[] {
  const fixed = (paths[0] ?? '').split('/').findIndex((part) => part.includes('*'));
  return fixed === -1 ? segments : segments.slice(0, Math.max(1, fixed));
}

/** Returns this user's traces in the system's folder for temporary files. */
function temporaryTraces(): FoundTrace[] {
  const folder = tmpdir();
  const uid = ownUid();
  return entriesIn(folder).flatMap((name) => {
    const trace = listMatchers('temporary').find(({ matches }) => matches([name, '']))?.trace;
    const stats = trace && orUndefined(() => lstatSync(join(folder, name)));
    if (trace === undefined || stats === undefined || (uid !== undefined && stats.uid !== uid)) return [];
    const path = join(folder, name);
    const files = filesBelow(path);
    return [toFound(trace, path, path, files.length > 0 ? files : [{ segments: [], stats }])];
  });
}

/** Returns the working directory, and the folder of the configuration. */
async function findProjectFolders(world: World, choice: Choice): Promise<ReadonlySet<string>> {
  const local = await localFolder(world, choice).catch((error: unknown) => {
    if (isProblem(error)) return undefined;
    throw error;
  });
  return new Set([world.cwd, ...(local === undefined ? [] : [join(local, '..', '..')])]);
}

function projectTraces(folders: ReadonlySet<string>): FoundTrace[] {
  const names = { 'local-data': ['.edgectl', 'state'], 'folder-profile': ['.edgectl-profile'] };
  return [...folders].flatMap((folder) =>
    Object.entries(names).flatMap(([name, segments]) => {
      const trace = traces.find((one) => one.name === name);
      return trace === undefined ? [] : wholeTrace(trace, join(folder, ...segments));
    }),
  );
}

/** Returns the sandbox in the folder that the user has chosen, if any. */
function chosenSandbox(world: World, { sandboxDir }: Choice): FoundTrace[] {
  const trace = traces.find(({ name }) => name === 'sandbox');
  const folder = orUndefined(() =>
    isChosenFolder(world, sandboxDir) ? sandboxFolder(world, sandboxDir) : undefined,
  );
  if (trace === undefined || folder === undefined) return [];
  const { remove: _, ...elsewhere } = trace;
  return wholeTrace(elsewhere, folder);
}

/** Returns the trace that consists of the file at a path, or of all files in the folder at a path. */
function wholeTrace(trace: Trace, path: string): FoundTrace[] {
  const stats = orUndefined(() => lstatSync(path));
  if (stats === undefined) return [];
  const files = stats.isDirectory() ? filesBelow(path) : [{ segments: [], stats }];
  return files.length === 0 ? [] : [toFound(trace, path, path, files)];
}

function toFound(
  trace: Omit<Trace, 'paths'> & Partial<Pick<Trace, 'paths'>>,
  path: string,
  folder: string,
  files: readonly FoundFile[],
): FoundTrace {
  const times = files.map(({ stats }) => stats.mtimeMs);
  const own = orUndefined(() => lstatSync(path));
  const isFile = files.length === 1 && join(folder, ...(files[0]?.segments ?? [])) === path;
  return {
    name: trace.name,
    path,
    about: trace.about,
    files: files.length,
    size: files.reduce((sum, { stats }) => sum + stats.size, 0),
    mode: files.reduce((bits, { stats }) => bits | (stats.isSymbolicLink() ? 0 : stats.mode & 0o7777), 0),
    folderMode: own?.isDirectory() ? own.mode & 0o7777 : undefined,
    oldest: times.reduce((first, time) => Math.min(first, time), Number.POSITIVE_INFINITY),
    newest: times.reduce((last, time) => Math.max(last, time), 0),
    lifetime: trace.lifetime,
    remove: trace.remove ?? `rm ${isFile ? '' : '-r '}${shellWord(path)}`,
    newer: countNewer(trace, folder, files),
  };
}

/** Counts the files of a newer edgectl. Ignores folders of data, because stored values can begin with any bytes. */
function countNewer(
  { format, paths = [] }: Partial<Pick<Trace, 'format' | 'paths'>>,
  folder: string,
  files: readonly FoundFile[],
): number {
  if (format === undefined || paths.some((path) => path.endsWith('**'))) return 0;
  return files.filter(({ segments }) => findNewerVersion(format, join(folder, ...segments)) !== undefined)
    .length;
}

interface Matcher {
  readonly trace: Trace;
  matches(segments: readonly string[]): boolean;
}

function listMatchers(place: TracePlace): Matcher[] {
  return traces
    .filter((trace) => trace.in === place)
    .flatMap((trace) => trace.paths.map((path) => ({ trace, matches: pathMatcher(path) })));
}

/**
 * Returns a function that matches a path against a pattern, which may contain `*` in names and `**` at its end. The last segment of the
 * pattern also matches the names of temporary files.
 */
function pathMatcher(pattern: string): Matcher['matches'] {
  const parts = pattern.split('/');
  const isOpen = parts.at(-1) === '**';
  const matchers = (isOpen ? parts.slice(0, -1) : parts).map(globMatcher);
  return (segments) => {
    if (isOpen ? segments.length <= matchers.length : segments.length !== matchers.length) return false;
    return matchers.every((matches, at) => {
      const name = segments[at] ?? '';
      return matches(name) || (at === segments.length - 1 && isUnfinishedName(name));
    });
  };
}

/**
 * Returns whether a name is that of a temporary file, as created by `files/replace.ts` or the conf library. The file is still being
 * written, or was left by a killed process.
 */
function isUnfinishedName(name: string): boolean {
  return /^\.edgectl-[0-9a-f]{16}\.(?:tmp|part)$|\.tmp-\d+[0-9a-f]*$/.test(name);
}

/** Returns all files and links below a folder, without following links. An unreadable folder counts as empty. */
function filesBelow(folder: string, above: readonly string[] = []): FoundFile[] {
  return entriesIn(join(folder, ...above)).flatMap((name) => {
    const segments = [...above, name];
    const stats = orUndefined(() => lstatSync(join(folder, ...segments)));
    if (stats === undefined) return [];
    return stats.isDirectory() ? filesBelow(folder, segments) : [{ segments, stats }];
  });
}

function entriesIn(folder: string): string[] {
  return orUndefined(() => readdirSync(folder)) ?? [];
}

/**
 * Returns the result of a function, or undefined if the function throws, for example because a file was deleted meanwhile.
 */
function orUndefined<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}
