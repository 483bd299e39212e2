import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../files/replace.ts';
import { Problem } from '../../model/problem.ts';
import type { Auth } from '../../model/target.ts';
import { checkAuth } from '../../profiles/auth.ts';
import { checkBaseUrl, defaultApiBaseUrl } from '../../profiles/base-url.ts';
import { boundFile, findBound } from '../../profiles/bound.ts';
import {
  checkProfileName,
  defaultBrand,
  sandboxProfile,
  takenName,
  unknownProfile,
} from '../../profiles/profile.ts';
import { openProfiles } from '../../profiles/profiles.ts';
import type { World } from '../../world.ts';

/** A profile as `profile list` shows it: never its credentials. */
export interface ListedProfile {
  readonly name: string;
  readonly chosen: boolean;
  readonly builtIn: boolean;
  /** Whether the folder that is worked in is bound to it. */
  readonly bound: boolean;
  /** Where it acts; null of the embedded platform, and where its file cannot be read. */
  readonly apiBaseUrl: string | null;
  readonly signsInWith: 'token' | 'key' | null;
  /** The e-mail that goes with a key. */
  readonly email: string | null;
  readonly accountId: string | null;
  readonly zoneId: string | null;
  readonly requestBudget: number | null;
  readonly readOnly: boolean;
  /** Why its file cannot be read. */
  readonly fault: string | null;
}

/** A line about a profile, for people. */
export function profileWords({ apiBaseUrl, email, readOnly, bound, fault }: ListedProfile): string {
  if (fault !== null) return fault;
  const words =
    apiBaseUrl === null
      ? ['the embedded platform on this machine']
      : [apiBaseUrl, email ?? 'API token', ...(readOnly ? ['read-only'] : [])];
  return [...words, ...(bound ? ['bound to this folder'] : [])].join('  ');
}

export interface NewProfile {
  readonly name: string;
  readonly auth: Auth;
  /** Default: the provider's own. */
  readonly apiBaseUrl: string | undefined;
  readonly accountId: string | undefined;
  readonly zoneId: string | undefined;
  readonly brand: string | undefined;
  /** Requests in 5 minutes. */
  readonly requestBudget: number | undefined;
  readonly readOnly: boolean;
}

/** Refuses what cannot be a profile's name, before credentials are asked for. */
export function checkName(name: string): void {
  checkProfileName(name);
}

/** Refuses what cannot be a platform's base URL, before credentials are asked for. */
export function checkPlatform(apiBaseUrl: string | undefined, from: string): void {
  if (apiBaseUrl !== undefined) checkBaseUrl(apiBaseUrl, from);
}

/** Refuses what cannot be credentials, before they are shown to a platform. */
export function checkCredentials(auth: Auth, name: string): void {
  checkAuth(auth, `profile ${name}`);
}

/** Refuses a name that is taken, before credentials are asked for. */
export async function checkFree(world: World, name: string): Promise<void> {
  const profiles = await openProfiles(world.folders.config);
  if (profiles.names().includes(name)) throw takenName(name);
}

/** Keeps credentials under a name. Refuses a taken name unless `replace`. */
export async function add(
  world: World,
  profile: NewProfile,
  options: { replace: boolean; use: boolean },
): Promise<void> {
  const profiles = await openProfiles(world.folders.config);
  const { apiBaseUrl = defaultApiBaseUrl, brand = defaultBrand } = profile;
  profiles.save({ ...profile, apiBaseUrl, brand }, { replace: options.replace });
  if (options.use) profiles.use(profile.name);
}

/** All profiles, the built-in one first. */
export async function list(world: Pick<World, 'folders' | 'cwd'>): Promise<ListedProfile[]> {
  const profiles = await openProfiles(world.folders.config);
  const bound = boundName(world);
  return profiles.list().map(({ name, chosen, builtIn, profile, problem }) => ({
    name,
    chosen,
    builtIn,
    bound: name === bound,
    apiBaseUrl: profile?.apiBaseUrl ?? null,
    signsInWith: profile === undefined ? null : 'token' in profile.auth ? 'token' : 'key',
    email: profile !== undefined && 'email' in profile.auth ? profile.auth.email : null,
    accountId: profile?.accountId ?? null,
    zoneId: profile?.zoneId ?? null,
    requestBudget: profile?.requestBudget ?? null,
    readOnly: profile?.readOnly === true,
    fault: problem?.message ?? null,
  }));
}

/** The profile that the folder is bound to; a file that is not to be trusted binds to none. */
function boundName({ cwd }: Pick<World, 'cwd'>): string | undefined {
  try {
    return findBound(cwd)?.name;
  } catch {
    return undefined;
  }
}

/** Binds the working directory, and all below it, to a profile; gives the file that says so. Refuses an unknown one. */
export async function bind(world: World, name: string): Promise<string> {
  const profiles = await openProfiles(world.folders.config);
  if (name !== sandboxProfile && !profiles.names().includes(name))
    throw unknownProfile(name, profiles.names());
  const path = join(world.cwd, boundFile);
  await replaceFile(world, path, { mode: 0o644, durable: false }, (file) => file.writeFile(`${name}\n`));
  const { rememberAccepted } = await import('../../profiles/trusted.ts');
  await rememberAccepted(world.folders.config, { path, name });
  return path;
}

/** Removes the binding of the working directory, and returns its file. Refuses if there is none. */
export async function unbind({ cwd }: World): Promise<string> {
  const path = join(cwd, boundFile);
  if (existsSync(path)) {
    rmSync(path);
    return path;
  }
  const above = findBound(cwd);
  throw new Problem('usage', `No profile is bound to ${cwd}.`, {
    hint: above && `It is bound by ${above.path}: unbind it there.`,
  });
}

/** Chooses a profile. Refuses an unknown one. */
export async function use(world: World, name: string): Promise<void> {
  (await openProfiles(world.folders.config)).use(name);
}

/** Refuses to remove an unknown profile and the built-in one. */
export async function checkRemovable(world: World, name: string): Promise<void> {
  (await openProfiles(world.folders.config)).checkRemovable(name);
}

/** Forgets a profile. Refuses as `checkRemovable`. */
export async function remove(world: World, name: string): Promise<void> {
  (await openProfiles(world.folders.config)).remove(name);
}
