import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { kill, platform } from 'node:process';
import * as v from 'valibot';
import { makePrivateFolder } from '../../files/folders.ts';
import { findNewerVersion } from '../../files/stored.ts';
import { check, type DoctorCheck } from '../../model/doctor/check.ts';
import { isOwnMachine } from '../../model/loopback.ts';
import { version as ownVersion } from '../../model/version.ts';
import { withoutCredentials } from '../../profiles/credential-variables.ts';
import type { Credentials } from '../../profiles/credentials.ts';
import type { World } from '../../world.ts';
import { loadSettings } from '../session/settings.ts';
import { readStoredState, writeStoredState } from '../session/state-file.ts';

/** The package's name in package.json, inserted by the build. */
declare const EDGECTL_PACKAGE: string;

const dayMs = 24 * 60 * 60 * 1000;

/** Timeout for npm, in milliseconds. */
const timeoutMs = 2000;

/** Maximum length of npm's output, in bytes: longer output cannot be a version. */
const maxOutput = 256;

const savedShape = v.object({
  /** Time of the query, in milliseconds since the UNIX epoch. */
  at: v.number(),
  package: v.string(),
  /** The newest version; undefined if the query failed. */
  latest: v.optional(v.string()),
});

type Saved = v.InferOutput<typeof savedShape>;

/** The package to check, the installed version, and the timeout for npm. Tests set other values. */
export interface VersionQuestion {
  readonly package: string;
  readonly version: string;
  readonly timeoutMs: number;
}

/**
 * Returns a check that reports a newer version of edgectl, according to `npm view`; undefined if there is no newer version, or if the newest
 * version is unknown. Queries npm at most once a day, and only if the credentials are for a platform on another machine. Never queries npm in
 * CI, or if the setting `update-check` is off.
 */
export async function newerVersionCheck(
  world: World,
  credentials: Credentials | undefined,
  question: VersionQuestion = { package: EDGECTL_PACKAGE, version: ownVersion, timeoutMs },
): Promise<DoctorCheck | undefined> {
  try {
    if (!mayAsk(world, credentials)) return undefined;
    const latest = await findLatest(world, question);
    if (latest === undefined || !isNewerVersion(latest, question.version)) return undefined;
    const how = `update it as you installed it, for example: npm install -g ${question.package}`;
    return check.ok('newer-version', `edgectl ${latest} is available; ${how}`, { latest });
  } catch {
    return undefined;
  }
}

function mayAsk(world: World, credentials: Credentials | undefined): boolean {
  const { env } = world;
  if (platform === 'win32' || world.changesNothing === true) return false;
  if ((env['CI'] ?? '') !== '' || (env['NO_UPDATE_NOTIFIER'] ?? '') !== '') return false;
  if (credentials?.kind !== 'platform') return false;
  if (isOwnMachine(new URL(credentials.apiBaseUrl).hostname)) return false;
  return loadSettings(world)['update-check'] === 'on';
}

/** Returns the newest version, as saved within the last day or as reported by npm. */
async function findLatest(world: World, question: VersionQuestion): Promise<string | undefined> {
  const path = join(world.folders.state, 'newest-version.json');
  if (findNewerVersion('newest-version', path) !== undefined) return undefined;
  const saved = readSaved(path);
  const isOfPackage = saved?.package === question.package;
  if (isOfPackage && Math.abs(world.now() - saved.at) < dayMs) return saved.latest;
  const program = findNpm(world.env);
  if (program === undefined) return undefined;
  const save = (latest: string | undefined) => {
    const answer: Saved = {
      at: world.now(),
      package: question.package,
      ...(latest !== undefined && { latest }),
    };
    return writeStoredState(world, 'newest-version', path, answer, { sync: false });
  };
  // Saves the time first, so that npm is queried only once a day even if the query fails, and never if the time cannot be saved.
  makePrivateFolder(world.folders.state);
  await save(undefined);
  const latest = await askNpm(world, program, question);
  if (latest !== undefined) await save(latest);
  return latest;
}

function readSaved(path: string): Saved | undefined {
  const text = readStoredState('newest-version', path);
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), savedShape), text);
  return parsed.success && (parsed.output.latest === undefined || isVersion(parsed.output.latest))
    ? parsed.output
    : undefined;
}

/** Returns the path of the first npm in PATH. Skips relative folders, which could be part of an untrusted checkout. */
function findNpm({ PATH: path = '' }: World['env']): string | undefined {
  return path
    .split(':')
    .filter(isAbsolute)
    .map((folder) => join(folder, 'npm'))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Queries npm for the newest version; returns undefined if the query fails. Runs npm without edgectl's credentials, and in the state folder,
 * so that npm does not read the `.npmrc` of a checkout. Runs npm in a separate process group, which is killed after the timeout.
 */
function askNpm(
  world: World,
  program: string,
  { package: name, timeoutMs: limitMs }: VersionQuestion,
): Promise<string | undefined> {
  const child = spawn(program, ['view', name, 'version'], {
    cwd: world.folders.state,
    env: {
      ...withoutCredentials(world.env),
      npm_config_fetch_retries: '0',
      npm_config_logs_max: '0',
      npm_config_update_notifier: 'false',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  return new Promise((resolve) => {
    let output = '';
    const finish = (answer: string | undefined) => {
      clearTimeout(timer);
      world.interrupted.removeEventListener('abort', giveUp);
      child.stdout.destroy();
      killGroup(child);
      resolve(answer);
    };
    const giveUp = () => finish(undefined);
    const timer = setTimeout(giveUp, limitMs);
    world.interrupted.addEventListener('abort', giveUp);
    child.stdout.setEncoding('latin1').on('data', (text: string) => {
      output += text;
      if (output.length > maxOutput) giveUp();
    });
    child.once('error', giveUp);
    child.once('close', (code) => {
      const answer = output.trim();
      finish(code === 0 && isVersion(answer) ? answer : undefined);
    });
    if (world.interrupted.aborted) giveUp();
  });
}

/** Kills npm and the processes that npm has started, if they are still running. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) kill(-pid, 'SIGKILL');
  } catch {
    // The processes have exited.
  }
}

const versionPattern = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})(-[0-9A-Za-z.-]{1,40})?$/;

function isVersion(text: string): boolean {
  return versionPattern.test(text);
}

/** Returns whether `latest` is a release that is newer than `own`. A release is newer than its own prereleases. */
function isNewerVersion(latest: string, own: string): boolean {
  const [, ...ofLatest] = versionPattern.exec(latest) ?? [];
  const [, ...ofOwn] = versionPattern.exec(own) ?? [];
  if (ofLatest.length === 0 || ofOwn.length === 0 || ofLatest[3] !== undefined) return false;
  for (let part = 0; part < 3; part++) {
    const difference = Number(ofLatest[part]) - Number(ofOwn[part]);
    if (difference !== 0) return difference > 0;
  }
  return ofOwn[3] !== undefined;
}
