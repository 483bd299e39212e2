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
  type Profile,
  sandboxProfile,
  sealedPlace,
  unknownProfileProblem,
  unstoredProfileProblem,
} from '../../profiles/profile.ts';
import { openProfiles } from '../../profiles/profiles.ts';
import type { World } from '../../world.ts';

/** A profile as shown by `profile list`, without credentials. */
export type ListedProfile = ValueOf<typeof listedProfile>;

/** Formats a profile, without its name, as one line. */
export function describeProfile({
  apiBaseUrl,
  email,
  readOnly,
  locked,
  bound,
  fault,
}: ListedProfile): string {
  if (fault !== null) return fault;
  const words =
    apiBaseUrl === null
      ? ['the embedded platform on this machine']
      : [apiBaseUrl, email ?? 'API token', ...(readOnly ? ['read-only'] : []), ...(locked ? ['locked'] : [])];
  return [...words, ...(bound ? ['bound to this folder'] : [])].join('  ');
}

export interface NewProfile {
  readonly name: string;
  readonly auth: Auth;
  /** Base URL of the API (default: the provider's). */
  readonly apiBaseUrl: string | undefined;
  readonly accountId: string | undefined;
  readonly zoneId: string | undefined;
  readonly brand: string | undefined;
  /** Maximum number of requests in 5 minutes (default: the platform's limit). */
  readonly requestBudget: number | undefined;
  readonly readOnly: boolean;
}

/** Throws if a profile name is invalid. */
export function checkName(name: string): void {
  checkProfileName(name);
}

/** Throws if a base URL is invalid. `from` is the source of the URL, for the message. */
export function checkPlatform(apiBaseUrl: string | undefined, from: string): void {
  if (apiBaseUrl !== undefined) checkBaseUrl(apiBaseUrl, from);
}

/** Throws if credentials are malformed. */
export function checkCredentials(auth: Auth, name: string): void {
  checkAuth(auth, `profile ${name}`);
}

/** Throws if a profile with this name exists. */
export async function checkNameAvailable(world: World, name: string): Promise<void> {
  const profiles = await openProfiles(world.folders.config);
  if (profiles.names().includes(name)) throw nameTakenProblem(name);
}

/** Saves a profile, and selects it if `use` is set. Throws if a profile with this name exists, unless `replace` is set. */
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

/** Lists all profiles, starting with the built-in profile. */
export async function listProfiles(world: Pick<World, 'folders' | 'cwd'>): Promise<ListedProfile[]> {
  const profiles = await openProfiles(world.folders.config);
  const bound = readBoundName(world);
  return profiles.list().map(({ name, chosen, builtIn, profile, problem }) => ({
    name,
    chosen,
    builtIn,
    bound: name === bound,
    apiBaseUrl: profile?.apiBaseUrl ?? null,
    signsInWith: profile === undefined ? null : signsInWithKey(profile) ? 'key' : 'token',
    email: profile?.auth !== undefined && 'email' in profile.auth ? profile.auth.email : null,
    accountId: profile?.accountId ?? null,
    zoneId: profile?.zoneId ?? null,
    requestBudget: profile?.requestBudget ?? null,
    readOnly: profile?.readOnly === true,
    locked: profile?.sealed !== undefined,
    fault: problem?.message ?? null,
  }));
}

function signsInWithKey({ auth }: Profile): boolean {
  return auth !== undefined && 'email' in auth;
}

/** Returns the name of the profile bound to the folder; undefined if there is none, or if the binding is invalid or untrusted. */
function readBoundName({ cwd }: Pick<World, 'cwd'>): string | undefined {
  try {
    return findBound(cwd)?.name;
  } catch {
    return undefined;
  }
}

/**
 * Binds the working directory, and all folders below it, to a profile. Returns the path of the written file. Throws if the profile does not
 * exist.
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

/** Removes the binding of the working directory, and returns the path of the deleted file. Throws if the directory itself is not bound. */
export async function unbindProfile({ cwd }: World): Promise<string> {
  const path = join(cwd, boundFile);
  if (existsSync(path)) {
    rmSync(path);
    return path;
  }
  const above = findBound(cwd);
  throw new Problem('usage', `No profile is bound to ${cwd}.`, {
    hint: above && `${above.path} binds the folder: remove the binding there.`,
  });
}

/** Throws if a profile does not exist or is already locked. */
export async function checkLockable(world: Pick<World, 'folders'>, name: string): Promise<void> {
  const profile = await requireProfile(world, name, 'open');
  if (profile.sealed === undefined) return;
  throw new Problem('usage', `Profile "${name}" is already locked.`, {
    hint: 'To change the passphrase, unlock the profile first.',
  });
}

/** Seals the credentials of a profile with a passphrase. `readToken`, if given, is stored unencrypted, for reading without the passphrase. */
export async function lockProfile(
  world: World,
  name: string,
  passphrase: string,
  readToken: string | undefined,
): Promise<void> {
  const { seal } = await import('../../profiles/sealed.ts');
  await checkLockable(world, name);
  const profile = await requireProfile(world, name, 'open');
  if (profile.auth === undefined) throw new Error('no credentials');
  if ('token' in profile.auth && profile.auth.token === readToken)
    throw new Problem(
      'usage',
      'The token for reading is the same as the locked token. Create another token, with read permissions only.',
    );
  const sealed = await seal(profile.auth, passphrase, sealedPlace(profile), world.random);
  const auth = readToken === undefined ? undefined : checkAuth({ token: readToken }, `profile ${name}`);
  (await openProfiles(world.folders.config)).save({ ...profile, auth, sealed }, { replace: true });
}

/** Throws if a profile does not exist or is not locked. */
export async function checkLocked(world: Pick<World, 'folders'>, name: string): Promise<void> {
  if ((await requireProfile(world, name, 'locked')).sealed === undefined)
    throw new Problem('usage', `Profile "${name}" is not locked.`);
}

/** Unlocks a profile: stores its credentials unencrypted again. Throws not-signed-in if the passphrase is wrong. */
export async function unlockProfile(world: World, name: string, passphrase: string): Promise<void> {
  await checkLocked(world, name);
  const { sealed, ...profile } = await requireProfile(world, name, 'locked');
  const [{ unseal }, { wrongPassphraseProblem }] = await Promise.all([
    import('../../profiles/sealed.ts'),
    import('./lock.ts'),
  ]);
  const auth = sealed && (await unseal(sealed, passphrase, sealedPlace(profile)));
  if (auth === undefined) throw wrongPassphraseProblem(name);
  (await openProfiles(world.folders.config)).save({ ...profile, auth }, { replace: true });
}

/** Returns a stored profile. If the profile does not exist, throws an error that suggests only unlocked or only locked profiles. */
async function requireProfile(
  { folders }: Pick<World, 'folders'>,
  name: string,
  offers: 'open' | 'locked',
): Promise<Profile> {
  checkProfileName(name);
  const profiles = await openProfiles(folders.config);
  const profile = profiles.find(name);
  if (profile === undefined) {
    const isLocked = (one: string) => profiles.find(one)?.sealed !== undefined;
    const fitting = profiles.names().filter((one) => isLocked(one) === (offers === 'locked'));
    throw unstoredProfileProblem(name, fitting);
  }
  return profile;
}

/** Makes a profile the active profile. Throws if the profile does not exist. */
export async function activateProfile(world: World, name: string): Promise<void> {
  (await openProfiles(world.folders.config)).use(name);
}

/** Throws if a profile does not exist, or if it is the built-in profile, which cannot be removed. */
export async function checkRemovable(world: World, name: string): Promise<void> {
  (await openProfiles(world.folders.config)).checkRemovable(name);
}

/** Removes a profile. Throws the same errors as `checkRemovable`. */
export async function removeProfile(world: World, name: string): Promise<void> {
  (await openProfiles(world.folders.config)).remove(name);
}
