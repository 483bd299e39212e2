import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../files/replace.ts';
import { Problem } from '../../model/problem.ts';
import type { listedProfile } from '../../model/session/session-shape.ts';
import type { ValueOf } from '../../model/shape.ts';
import type { Auth } from '../../model/target.ts';
import { checkAuth } from '../../profiles/auth.ts';
import { checkBaseUrl, defaultApiBaseUrl } from '../../profiles/base-url.ts';
import { boundFile, findBound } from '../../profiles/bound.ts';
import {
  checkProfileName,
  defaultBrand,
  nameTakenProblem,
  sandboxProfile,
  unknownProfileProblem,
} from '../../profiles/profile.ts';
import { openProfiles } from '../../profiles/profiles.ts';
import type { World } from '../../world.ts';

/** A profile as shown by `profile list`, without credentials. */
export type ListedProfile = ValueOf<typeof listedProfile>;

/** Describes a profile in one line. */
export function describeProfile({ apiBaseUrl, email, readOnly, bound, fault }: ListedProfile): string {
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
  /** The base URL (default: that of the provider). */
  readonly apiBaseUrl: string | undefined;
  readonly accountId: string | undefined;
  readonly zoneId: string | undefined;
  readonly brand: string | undefined;
  /** Requests per 5 minutes. */
  readonly requestBudget: number | undefined;
  readonly readOnly: boolean;
}

/** Rejects an invalid profile name before asking for credentials. */
export function checkName(name: string): void {
  checkProfileName(name);
}

/** Rejects an invalid base URL before asking for credentials. */
export function checkPlatform(apiBaseUrl: string | undefined, from: string): void {
  if (apiBaseUrl !== undefined) checkBaseUrl(apiBaseUrl, from);
}

/** Rejects malformed credentials before they are sent to a platform. */
export function checkCredentials(auth: Auth, name: string): void {
  checkAuth(auth, `profile ${name}`);
}

/** Rejects an existing name before asking for credentials. */
export async function checkNameAvailable(world: World, name: string): Promise<void> {
  const profiles = await openProfiles(world.folders.config);
  if (profiles.names().includes(name)) throw nameTakenProblem(name);
}

/** Saves credentials under a name. Rejects an existing name unless `replace` is set. */
export async function addProfile(
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
export async function listProfiles(world: Pick<World, 'folders' | 'cwd'>): Promise<ListedProfile[]> {
  const profiles = await openProfiles(world.folders.config);
  const bound = readBoundName(world);
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

/** The profile bound to the folder; undefined if the file is not trusted. */
function readBoundName({ cwd }: Pick<World, 'cwd'>): string | undefined {
  try {
    return findBound(cwd)?.name;
  } catch {
    return undefined;
  }
}

/**
 * Binds the working directory, and all folders below it, to a profile; returns the path of the file that it writes. Rejects an
 * unknown profile.
 */
export async function bindProfile(world: World, name: string): Promise<string> {
  const profiles = await openProfiles(world.folders.config);
  if (name !== sandboxProfile && !profiles.names().includes(name))
    throw unknownProfileProblem(name, profiles.names());
  const path = join(world.cwd, boundFile);
  await replaceFile(world, path, { mode: 0o644, durable: false }, (file) => file.writeFile(`${name}\n`));
  const { rememberAccepted } = await import('../../profiles/trusted.ts');
  await rememberAccepted(world.folders.config, { path, name });
  return path;
}

/** Removes the binding of the working directory, and returns the path of its file. Fails without a binding. */
export async function unbindProfile({ cwd }: World): Promise<string> {
  const path = join(cwd, boundFile);
  if (existsSync(path)) {
    rmSync(path);
    return path;
  }
  const above = findBound(cwd);
  throw new Problem('usage', `No profile is bound to ${cwd}.`, {
    hint: above && `It is bound by ${above.path}: remove the binding there.`,
  });
}

/** Selects a profile. Rejects an unknown profile. */
export async function activateProfile(world: World, name: string): Promise<void> {
  (await openProfiles(world.folders.config)).use(name);
}

/** Rejects removing an unknown profile or the built-in one. */
export async function checkRemovable(world: World, name: string): Promise<void> {
  (await openProfiles(world.folders.config)).checkRemovable(name);
}

/** Removes a profile. Rejects the same profiles as `checkRemovable`. */
export async function removeProfile(world: World, name: string): Promise<void> {
  (await openProfiles(world.folders.config)).remove(name);
}
