import type { Auth } from '../../model/target.ts';
import { checkBaseUrl, defaultApiBaseUrl } from '../../profiles/base-url.ts';
import { checkProfileName, defaultBrand } from '../../profiles/profile.ts';
import { openProfiles } from '../../profiles/profiles.ts';
import type { World } from '../../world.ts';

/** A profile as `profile list` shows it: never its credentials. */
export interface ListedProfile {
  readonly name: string;
  readonly chosen: boolean;
  readonly builtIn: boolean;
  /** Where it acts and how it signs in, or why its file cannot be read. */
  readonly about: string;
}

export interface NewProfile {
  readonly name: string;
  readonly auth: Auth;
  /** The provider's own when left out. */
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
export async function list(world: Pick<World, 'folders'>): Promise<ListedProfile[]> {
  const profiles = await openProfiles(world.folders.config);
  return profiles.list().map(({ name, chosen, builtIn, profile, problem }) => ({
    name,
    chosen,
    builtIn,
    about:
      profile === undefined
        ? (problem?.message ?? 'the embedded platform on this machine')
        : `${profile.apiBaseUrl}  ${'token' in profile.auth ? 'API token' : profile.auth.email}${profile.readOnly ? '  read-only' : ''}`,
  }));
}

/** Chooses a profile. Refuses an unknown one. */
export async function use(world: World, name: string): Promise<void> {
  (await openProfiles(world.folders.config)).use(name);
}

/** Forgets a profile. Refuses an unknown one and the built-in one. */
export async function remove(world: World, name: string): Promise<void> {
  (await openProfiles(world.folders.config)).remove(name);
}
