import { type Stats, statSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { type Doubt, findDoubt, readerIn } from '../files/found.ts';
import type { ConfigFile, ConfigFormat } from '../model/config.ts';
import { Problem } from '../model/problem.ts';
import type { Remedy } from '../model/remedy.ts';

export interface FindOptions {
  /** Absolute path of the folder in which the search starts. */
  readonly cwd: string;
  /** `--config`: use only this file. The path is relative to `cwd`. */
  readonly config?: string | undefined;
  /** `--experimental-json-config`: use `edgectl.json` instead of `edgectl.toml`. */
  readonly json?: boolean | undefined;
  /**
   * Decides whether to use a file that was found but is not trusted: resolves to accept the file, and rejects to refuse it. If omitted, the
   * file is refused.
   */
  readonly accept?: ((path: string, doubt: Doubt) => Promise<void>) | undefined;
}

const wranglerFiles = ['wrangler.json', 'wrangler.jsonc', 'wrangler.toml'];

/**
 * Finds a folder's configuration file: the specified file; otherwise the nearest `edgectl.toml` (with `json`, `edgectl.json`) in the folder
 * or above it; otherwise the nearest wrangler file. Returns undefined if there is no such file. Throws for a specified file that is missing
 * or has an unknown extension, and for a found file that is untrusted and was not accepted.
 */
export async function findConfig(options: FindOptions): Promise<ConfigFile | undefined> {
  if (options.config !== undefined) return namedFile(options.config, options);
  const name = options.json ? 'edgectl.json' : 'edgectl.toml';
  const own = findNearest(options.cwd, [name]);
  const path = own ?? findNearest(options.cwd, wranglerFiles);
  if (path === undefined) return undefined;
  await checkOwner(path, options);
  return { path, format: detectFormat(path) ?? 'toml', fallback: own === undefined };
}

/**
 * Throws for a found file that is untrusted and was not accepted. Does not check the file's size, because the function that reads the file
 * does.
 */
async function checkOwner(path: string, options: FindOptions): Promise<void> {
  const doubt = findDoubt('configuration', path, readerIn(options.cwd));
  if (doubt !== undefined && doubt.fault !== 'size') await acceptFound(path, doubt, options);
}

/** Accepts or refuses a configuration that was found but is not trusted. */
export async function acceptFound(
  path: string,
  doubt: Doubt,
  { accept }: Pick<FindOptions, 'accept'>,
): Promise<void> {
  if (accept !== undefined) return accept(path, doubt);
  throw new Problem('config-invalid', `${doubt.path} belongs to another user, so edgectl does not use it.`);
}

/** Returns the Problem for a command that requires a configuration. `need` is a clause that states what requires the configuration. */
export async function missingConfig(need: string, options: FindOptions): Promise<Problem> {
  const name = options.json ? 'edgectl.json' : 'edgectl.toml';
  const unread = options.json ? undefined : findNearest(options.cwd, ['edgectl.json']);
  const foreign = unread === undefined ? findForeignProject(options.cwd) : undefined;
  if (foreign !== undefined) {
    return new Problem('config-invalid', `${need}, and ${describeForeignProject(foreign)}.`, {
      remedy: { kind: 'add-config' },
    });
  }
  const remedy: Remedy =
    unread === undefined ? { kind: 'name-config', file: name } : { kind: 'read-json-config', file: unread };
  return new Problem('config-invalid', `${need}, but there is no ${name} in ${options.cwd} or above it.`, {
    remedy,
  });
}

function namedFile(name: string, { cwd, json }: FindOptions): ConfigFile {
  const path = resolve(cwd, name);
  const format = detectFormat(path) ?? (json ? 'jsonc' : undefined);
  if (format === undefined) {
    throw new Problem(
      'usage',
      `${path} is not a configuration file: its name must end in .toml, .json or .jsonc.`,
    );
  }
  refuseNoFile(path);
  return { path, format, fallback: false };
}

/**
 * Throws if a path is not a regular file. Does not open the path to find out, because a read from a pipe or a device might never start or
 * never end.
 */
function refuseNoFile(path: string): void {
  const found = statPath(path);
  if (found?.isFile()) return;
  const reason =
    found === undefined
      ? `Configuration file not found: ${path}.`
      : `${path} is ${found.isDirectory() ? 'a folder' : 'a pipe or a device'}, not a configuration file.`;
  throw new Problem('config-invalid', reason);
}

function detectFormat(path: string): ConfigFormat | undefined {
  const ending = extname(path).toLowerCase();
  if (ending === '.toml') return 'toml';
  return ending === '.json' || ending === '.jsonc' ? 'jsonc' : undefined;
}

/** Paths of the provider's `cf` command: its configuration, which is a program, and its build output. Neither can be read as data. */
const foreignPaths = ['cloudflare.config.ts', 'cloudflare.config.js', '.cloudflare/output'];

/**
 * Returns the path of a configuration or build output of the provider's `cf` command in a folder, or in the nearest folder above it;
 * undefined if there is no such path. Source: the platform's documents, "cf for Wrangler users".
 */
export function findForeignProject(cwd: string): string | undefined {
  return nearestPath(cwd, foreignPaths);
}

/** Returns a sentence about a project of the provider's `cf` command, without a full stop. */
export function describeForeignProject(path: string): string {
  return `${path} belongs to a project of the cf command, whose configuration is a program that edgectl does not run`;
}

/** Returns the first of these paths that exists in the folder, or in the nearest folder above it. */
function nearestPath(folder: string, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const found = join(folder, path);
    if (statPath(found) !== undefined) return found;
  }
  const above = dirname(folder);
  return above === folder ? undefined : nearestPath(above, paths);
}

function findNearest(folder: string, names: readonly string[]): string | undefined {
  for (const name of names) {
    const path = join(folder, name);
    if (statPath(path)?.isFile() === true) return path;
  }
  const above = dirname(folder);
  return above === folder ? undefined : findNearest(above, names);
}

/**
 * Returns the stats of a path; undefined if there are none. Works synchronously, because starting the threads for asynchronous calls takes
 * longer than these few calls.
 */
function statPath(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
