import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { makePrivateFolder } from '../../files/folders.ts';
import { readFound } from '../../files/found.ts';
import { replaceFile } from '../../files/replace.ts';
import { formatVersions } from '../../model/formats.ts';
import { sha256 } from '../../model/sha256.ts';
import type { World } from '../../world.ts';
import type { CommandLine } from '../parsing/command-line.ts';
import type { NameKind } from '../parsing/declaration.ts';
import type { Candidate } from './candidates.ts';

/** The command that lists the names of a kind as JSON, and functions that read a name and a description from a row. */
interface NameSource {
  readonly command: readonly string[];
  readonly readName: (row: Row) => string | undefined;
  readonly readDescription?: (row: Row) => string | undefined;
}

type Row = Readonly<Record<string, unknown>>;

const fieldReader = (field: string) => (row: Row) =>
  typeof row[field] === 'string' ? row[field] : undefined;

const nameSources: Readonly<Record<Exclude<NameKind, 'binding'>, NameSource>> = {
  namespace: {
    command: ['kv', 'namespace', 'list'],
    readName: fieldReader('id'),
    readDescription: fieldReader('title'),
  },
  title: {
    command: ['kv', 'namespace', 'list'],
    readName: fieldReader('title'),
    readDescription: fieldReader('id'),
  },
  bucket: { command: ['objstore', 'bucket', 'list', '--json'], readName: fieldReader('name') },
  hostname: {
    command: ['hostname', 'list', '--json'],
    readName: fieldReader('hostname'),
    readDescription: fieldReader('status'),
  },
  profile: { command: ['profile', 'list', '--json'], readName: fieldReader('name') },
  zone: { command: ['zone', 'list', '--json'], readName: fieldReader('name') },
};

/** Flags that choose the configuration, the credentials or the account. These flags are passed on to the command that lists the names. */
const placeFlagNames = new Set([
  'config',
  'experimental-json-config',
  'env',
  'profile',
  'sandbox',
  'account-id',
  'zone-id',
]);
const zoneFlagNames = new Set(['zone']);
/** Flags whose value is optional. If any other flag has no value, the user is still typing the value, so the flag is not passed on. */
const optionalValueFlags = new Set(['experimental-json-config', 'sandbox']);

/** Maximum wait for names, in milliseconds. */
const timeoutMs = 2000;

/** Runs a command line in a World, and returns its exit code. */
export type RunCommand = (world: World, argv: readonly string[]) => Promise<number>;

/**
 * Returns the names of a kind in the account or data on which the typed command would act. Returns an empty list if the names cannot be
 * read, because a shell does not show errors.
 */
export async function listNames(
  world: World,
  kind: NameKind,
  line: CommandLine,
  run: RunCommand,
): Promise<Candidate[]> {
  if (kind === 'binding') return listBindings(world, line);
  const { command, readName, readDescription } = nameSources[kind];
  const flags = line.flags
    .filter(({ name }) => placeFlagNames.has(name) || (kind === 'hostname' && zoneFlagNames.has(name)))
    .filter(({ name, value }) => value !== undefined || optionalValueFlags.has(name))
    .map(({ name, value }) => (value === undefined ? `--${name}` : `--${name}=${value}`));
  const argv = [...command, ...flags];
  const rows = await readThroughCache(world, argv, () => runListCommand(world, argv, run));
  return rows.flatMap((row) => {
    const word = readName(row);
    return word === undefined ? [] : [{ word, about: readDescription?.(row) ?? '' }];
  });
}

async function runListCommand(world: World, argv: readonly string[], run: RunCommand): Promise<Row[]> {
  const out: Buffer[] = [];
  const sink = (into: Buffer[] | undefined) =>
    new Writable({
      write(chunk: Buffer, _, done) {
        into?.push(chunk);
        done();
      },
    });
  const interrupted = AbortSignal.any([world.interrupted, AbortSignal.timeout(timeoutMs)]);
  const code = await run({ ...world, stdout: sink(out), stderr: sink(undefined), interrupted }, argv);
  if (code !== 0) return [];
  const rows: unknown = JSON.parse(Buffer.concat(out).toString());
  return Array.isArray(rows) ? rows.filter((row) => typeof row === 'object' && row !== null) : [];
}

async function listBindings(world: World, { flags }: CommandLine): Promise<Candidate[]> {
  const given = (name: string) => flags.find((flag) => flag.name === name)?.value;
  const { openProject } = await import('../../config/project.ts');
  const { configOptions } = await import('../../services/session/config-options.ts');
  const choice = {
    configPath: given('config'),
    jsonConfig: flags.some(({ name }) => name === 'experimental-json-config'),
    environment: given('env'),
  };
  const project = await openProject(configOptions(world, choice));
  return (project?.kvNamespaces ?? []).map(({ binding, id = '' }) => ({ word: binding, about: id }));
}

/** A cache file of another version is replaced, because the names can be read again. */
interface CacheFile {
  readonly version?: number;
  readonly at: number;
  readonly rows: readonly Row[];
}

/** Maximum age of cached names, in seconds. */
const cacheSeconds = 60;
const fileLifeMs = 24 * 60 * 60 * 1000;
/** Maximum number of cached rows, which is more than anyone reads at a prompt. */
const maxCachedRows = 2000;

/** Returns the rows of `list`, cached in a file for a minute. The name of the file is a digest of the credentials, folder and request. */
async function readThroughCache(
  world: World,
  argv: readonly string[],
  list: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const folder = join(world.folders.state, 'completion');
  const path = join(folder, `${cacheKey(world, argv)}.json`);
  const cached = readCacheFile(path);
  if (cached !== undefined && Math.abs(world.now() - cached.at) < cacheSeconds * 1000) return cached.rows;
  const rows = (await list().catch(() => [])).slice(0, maxCachedRows);
  const version = formatVersions['completion-names'];
  const text = JSON.stringify({ version, at: world.now(), rows } satisfies CacheFile);
  try {
    makePrivateFolder(folder);
    await replaceFile(world, path, { mode: 0o600, durable: false }, (file) => file.writeFile(text));
    removeOldFiles(folder, world.now());
  } catch {
    // If the folder is not writable, nothing is cached and the next Tab lists the names again.
  }
  return rows;
}

/** Deletes cache files that have not been written for a day. */
function removeOldFiles(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (now - statSync(path).mtimeMs > fileLifeMs) rmSync(path, { force: true });
  }
}

/** Reads a cache file synchronously, because loading Node's asynchronous file system module takes a tenth of the time of a completion. */
function readCacheFile(path: string): CacheFile | undefined {
  try {
    const found = readFound('completion', path);
    if (found === undefined || 'doubt' in found) return undefined;
    const parsed: unknown = JSON.parse(found.bytes.toString('utf8'));
    return isCacheFile(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isCacheFile(value: unknown): value is CacheFile {
  return (
    typeof value === 'object' &&
    value !== null &&
    'at' in value &&
    'rows' in value &&
    (!('version' in value) || value.version === formatVersions['completion-names']) &&
    Array.isArray(value.rows)
  );
}

/** Returns a digest of the request, the credentials and the working directory, because all of them affect the names. */
function cacheKey({ env, cwd }: World, argv: readonly string[]): string {
  const who = Object.entries(env).filter(([name]) => /^(?:EDGECTL|CLOUDFLARE)_/.test(name));
  const digest = sha256(Buffer.from(JSON.stringify([argv, cwd, who.sort()])));
  return Buffer.from(digest).toString('hex').slice(0, 32);
}
