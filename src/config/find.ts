import { type Stats, statSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { type Doubt, findDoubt, readerIn } from '../files/found.ts';
import type { ConfigFile, ConfigFormat } from '../model/config.ts';
import { Problem } from '../model/problem.ts';
import type { Remedy } from '../model/remedy.ts';

export interface FindOptions {
  /** Absolute folder to start from. */
  readonly cwd: string;
  /** `--config`: this file and no other, relative to `cwd`. */
  readonly config?: string | undefined;
  /** `--experimental-json-config`: `edgectl.json` instead of `edgectl.toml`. */
  readonly json?: boolean | undefined;
  /**
   * Decides about a found file that is not trusted: resolves to accept it, throws to refuse it. If omitted, the file is
   * refused.
   */
  readonly accept?: ((path: string, doubt: Doubt) => Promise<void>) | undefined;
}

const wranglerFiles = ['wrangler.json', 'wrangler.jsonc', 'wrangler.toml'];

/**
 * Finds a folder's configuration file: the named one; otherwise the nearest `edgectl.toml` (with `json`, `edgectl.json`) in the
 * folder or above it; otherwise the nearest wrangler file. Returns undefined if there is no such file. Refuses a named file
 * that is missing or has an unknown extension, and another user's file that was not accepted.
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

/** The size of the file is not checked here, because the reader checks it with a separate message. */
async function checkOwner(path: string, options: FindOptions): Promise<void> {
  const doubt = findDoubt('configuration', path, readerIn(options.cwd));
  if (doubt !== undefined && doubt.fault !== 'size') await acceptFound(path, doubt, options);
}

/** Accepts or refuses a found configuration that is not trusted. */
export async function acceptFound(
  path: string,
  doubt: Doubt,
  { accept }: Pick<FindOptions, 'accept'>,
): Promise<void> {
  if (accept !== undefined) return accept(path, doubt);
  throw new Problem('config-invalid', `${doubt.path} belongs to another user; it is not used.`);
}

/** The Problem of a command that requires a configuration. */
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

/** A pipe or a device is never opened: reading it might never begin or never end. */
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

/** The configuration of `cf` is a program, and the other path is a build result; neither can be read as data here. */
const foreignPaths = ['cloudflare.config.ts', 'cloudflare.config.js', '.cloudflare/output'];

/**
 * Returns the path which shows that a folder, or one above it, is a project of the provider's `cf` command: its
 * configuration or its build output. Returns undefined if there is no such path. Source: the platform's documents, "cf
 * for Wrangler users".
 */
export function findForeignProject(cwd: string): string | undefined {
  return nearestPath(cwd, foreignPaths);
}

/** Returns a sentence about such a project, without its full stop. */
export function describeForeignProject(path: string): string {
  return `${path} belongs to a project of the cf command, whose configuration is a program that edgectl does not run`;
}

/** Returns the first of the paths that exists in the folder, or in the nearest folder above it. */
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

/** The reads are synchronous, because starting the threads for asynchronous reads costs more than these few reads. */
function statPath(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
