import { checkId } from '../model/id.ts';
import { Problem } from '../model/problem.ts';
import type { credentialSource } from '../model/session/session-shape.ts';
import type { ValueOf } from '../model/shape.ts';
import type { Auth } from '../model/target.ts';
import { checkAuth } from './auth.ts';
import { checkBaseUrl, defaultApiBaseUrl } from './base-url.ts';
import type { BoundProfile } from './bound.ts';
import {
  cloudflareSet,
  type Environment,
  type EnvironmentSet,
  edgectlSet,
  refuseLeftovers,
  variable,
} from './environment.ts';
import { defaultBrand, type Profile, sandboxProfile, sealedPlace, unknownProfileProblem } from './profile.ts';
import type { Profiles } from './profiles.ts';
import type { Sealed } from './sealed.ts';

/** The sources of credentials and ids. `flags` contains only the flags that the user typed. */
export interface CredentialInput {
  readonly env: Environment;
  readonly flags: {
    readonly profile?: string | undefined;
    readonly accountId?: string | undefined;
    readonly zoneId?: string | undefined;
    readonly apiBaseUrl?: string | undefined;
  };
  /** The ids in the configuration file, which cannot set base URLs or credentials. */
  readonly config?: { readonly accountId?: string; readonly zoneId?: string } | undefined;
  /** Returns the profile that is bound to the working directory. Called only if nothing else selects credentials. */
  readonly bound?: (() => Promise<FolderProfile | undefined>) | undefined;
  /** Opens the profiles. Called only if a profile is used, because opening the profiles loads the library conf. */
  profiles(): Promise<Pick<Profiles, 'find' | 'names' | 'chosen'>>;
}

/** A profile that is bound to a folder, and whether the user has accepted the binding. */
export interface FolderProfile extends BoundProfile {
  readonly accepted: boolean;
}

/**
 * The reason why a profile is read-only: the profile's own setting (`own`), the setting of the active profile (`chosen`), or a folder
 * binding that the user has not accepted.
 */
export type ReadOnlyProfile = 'own' | 'chosen' | 'not-accepted';

/** The source of the credentials, and how it was selected if it is a profile. */
export type CredentialSource = ValueOf<typeof credentialSource>;

/**
 * The way in which a profile was selected. `folder`: the profile is bound to the working directory. `choice`: the profile is the active
 * profile.
 */
export type PickedBy = Extract<CredentialSource, { readonly kind: 'profile' }>['by'];

/** The source of an id: a typed flag, the configuration file, a variable, or a profile. */
export type Origin = 'typed' | 'config' | { readonly variable: string } | { readonly profile: string };

interface CredentialScope {
  readonly accountId?: string | undefined;
  readonly zoneId?: string | undefined;
  /** The sources of the ids; undefined for an undefined id. */
  readonly accountOrigin?: Origin | undefined;
  readonly zoneOrigin?: Origin | undefined;
  readonly source: CredentialSource;
  /** The reason why the profile is read-only; undefined if the profile may change data. */
  readonly readOnly?: ReadOnlyProfile | undefined;
}

/** Encrypted credentials of a profile. */
export interface LockedAuth {
  readonly profile: string;
  readonly sealed: Sealed;
  /** The string to which the sealed credentials are bound (`sealedPlace`). */
  readonly place: string;
}

/** Credentials for a platform, with the platform's base URL. */
export interface PlatformCredentials extends CredentialScope {
  readonly kind: 'platform';
  readonly apiBaseUrl: string;
  /** The credentials; undefined if the profile is locked and has no credentials for reading. */
  readonly auth: Auth | undefined;
  /** The credentials for writing, if the profile is locked. */
  readonly locked?: LockedAuth | undefined;
  readonly brand: string;
  /** Maximum number of requests in 5 minutes, if the profile sets it. */
  readonly requestBudget?: number | undefined;
}

/** The embedded platform, which has its own base URL and credentials. */
export interface SandboxCredentials extends CredentialScope {
  readonly kind: 'sandbox';
}

export type Credentials = PlatformCredentials | SandboxCredentials;

/**
 * Resolves credentials as one set from one source (`edgectl help credentials`). Uses the first of these sources: a typed profile; complete
 * EDGECTL_* variables; the profile in EDGECTL_PROFILE; complete CLOUDFLARE_* variables; the profile bound to the folder; the active profile.
 * Within one family of variables, a token takes precedence over email and key. The account (and likewise the zone) is the first of these:
 * the typed account, the account of the set, the account in the configuration file. The configuration file takes precedence over the active
 * profile and over a profile bound to the folder. Throws `not-signed-in` if there are no credentials.
 */
export async function resolveCredentials(input: CredentialInput): Promise<Credentials> {
  const typed = input.flags.profile;
  if (typed !== undefined) return fromProfile(input, typed, 'flag');
  const own = edgectlSet(input.env);
  if (own.auth !== undefined) return fromEnvironment(input, own, own.auth);
  const named = variable(input.env, 'EDGECTL_PROFILE');
  refuseLeftovers(own, named !== undefined);
  if (named !== undefined) return fromProfile(input, named, 'environment', { environment: own });
  const other = cloudflareSet(input.env);
  if (other.auth !== undefined) return fromEnvironment(input, other, other.auth);
  const bound = await input.bound?.();
  if (bound !== undefined) return fromFolder(input, bound);
  const chosen = (await input.profiles()).chosen();
  if (chosen !== undefined) return fromProfile(input, chosen, 'choice');
  throw new Problem('not-signed-in', 'No credentials found.', {
    remedy: { kind: 'sign-in' },
  });
}

/** Returns whether the folder's profile is used, because no source with higher precedence selects credentials. */
export function isFolderProfileUsed({ env, flags }: Pick<CredentialInput, 'env' | 'flags'>): boolean {
  return (
    flags.profile === undefined &&
    edgectlSet(env).auth === undefined &&
    variable(env, 'EDGECTL_PROFILE') === undefined &&
    cloudflareSet(env).auth === undefined
  );
}

/**
 * Resolves the credentials of the profile bound to the folder. The profile is read-only if the active profile is read-only, or if the user
 * has not accepted the binding.
 */
async function fromFolder(input: CredentialInput, bound: FolderProfile): Promise<Credentials> {
  const credentials = await fromProfile(input, bound.name, 'folder', { path: bound.path });
  const profiles = await input.profiles();
  // The sandbox profile has no file that could make it read-only.
  const isChosenReadOnly = profiles.find(profiles.chosen() ?? sandboxProfile)?.readOnly === true;
  const limit: ReadOnlyProfile | undefined = isChosenReadOnly
    ? 'chosen'
    : bound.accepted
      ? undefined
      : 'not-accepted';
  return { ...credentials, readOnly: credentials.readOnly ?? limit };
}

/** Describes a source of credentials, for example `profile prod` or `the environment (EDGECTL_API_TOKEN)`. */
export function sourceLabel(source: CredentialSource): string {
  return source.kind === 'profile' ? `profile ${source.name}` : `the environment (${source.variables})`;
}

function fromEnvironment(input: CredentialInput, set: EnvironmentSet, auth: Auth): PlatformCredentials {
  return {
    kind: 'platform',
    apiBaseUrl: baseUrl(input, set.apiBaseUrl ?? defaultApiBaseUrl, `${set.family}_API_BASE_URL`),
    auth: checkAuth(auth, set.authFrom),
    brand: defaultBrand,
    ...resolveScope(input, [fromVariables(set), fromConfig(input)], {
      kind: 'environment',
      family: set.family,
      variables: set.authFrom,
    }),
  };
}

async function fromProfile(
  input: CredentialInput,
  name: string,
  by: PickedBy,
  { environment, path }: { readonly environment?: EnvironmentSet; readonly path?: string } = {},
): Promise<Credentials> {
  const source = { kind: 'profile', name, by, ...(path !== undefined && { path }) } as const;
  if (name === sandboxProfile) return sandboxCredentials(input, source, environment);
  const profile = await findProfile(input, source);
  const own = { ...profile, accountFrom: { profile: name }, zoneFrom: { profile: name } };
  const config = fromConfig(input);
  const sources = isImplicit(by) ? [config, own] : [fromVariables(environment), own, config];
  return {
    kind: 'platform',
    apiBaseUrl: baseUrl(input, profile.apiBaseUrl, `profile ${name}`),
    auth: profile.auth,
    ...(profile.sealed !== undefined && {
      locked: { profile: name, sealed: profile.sealed, place: sealedPlace(profile) },
    }),
    brand: profile.brand,
    requestBudget: profile.requestBudget,
    ...(profile.readOnly === true && { readOnly: 'own' as const }),
    ...resolveScope(input, sources, source),
  };
}

/**
 * Returns whether a profile was selected implicitly, not for this command in particular. In that case, the configuration file takes
 * precedence.
 */
export function isImplicit(by: PickedBy): boolean {
  return by === 'choice' || by === 'folder';
}

/** Returns the sandbox's credentials. Ignores the configuration file, because a project's account does not exist in the sandbox. */
function sandboxCredentials(
  input: CredentialInput,
  source: CredentialSource,
  environment: EnvironmentSet | undefined,
): SandboxCredentials {
  if (input.flags.apiBaseUrl !== undefined) {
    throw new Problem('usage', 'The sandbox has its own base URL, which cannot be changed.');
  }
  return { kind: 'sandbox', ...resolveScope(input, [fromVariables(environment)], source) };
}

async function findProfile(
  input: CredentialInput,
  { name, by, path }: Extract<CredentialSource, { kind: 'profile' }>,
): Promise<Profile> {
  const profiles = await input.profiles();
  const profile = profiles.find(name);
  if (profile !== undefined) return profile;
  if (path !== undefined) throw unknownBoundProblem(path, name, profiles.names());
  if (by !== 'choice') throw unknownProfileProblem(name, profiles.names());
  throw new Problem('usage', `The chosen profile "${name}" no longer exists.`, {
    remedy: { kind: 'choose-profile', names: [sandboxProfile, ...profiles.names()] },
  });
}

function unknownBoundProblem(path: string, name: string, known: readonly string[]): Problem {
  return new Problem('usage', `${path} selects the profile "${name}", which does not exist.`, {
    remedy: { kind: 'bind-another', names: [sandboxProfile, ...known] },
  });
}

function baseUrl(input: CredentialInput, url: string, from: string): string {
  const { apiBaseUrl } = input.flags;
  return apiBaseUrl === undefined
    ? checkBaseUrl(url, from, input.env)
    : checkBaseUrl(apiBaseUrl, 'typed', input.env);
}

interface Ids {
  readonly accountId?: string | undefined;
  readonly zoneId?: string | undefined;
  readonly accountFrom: Origin;
  readonly zoneFrom: Origin;
}

function fromVariables(set: EnvironmentSet | undefined): Ids | undefined {
  if (set === undefined) return undefined;
  const { accountId, zoneId, accountFrom, zoneFrom } = set;
  return { accountId, zoneId, accountFrom: { variable: accountFrom }, zoneFrom: { variable: zoneFrom } };
}

function fromConfig({ config }: CredentialInput): Ids | undefined {
  return config && { ...config, accountFrom: 'config', zoneFrom: 'config' };
}

/** Returns the account id and the zone id, each from the first source that contains the id. Typed ids take precedence. */
function resolveScope(
  input: CredentialInput,
  sources: readonly (Ids | undefined)[],
  source: CredentialSource,
): CredentialScope {
  const typed: Ids = { ...input.flags, accountFrom: 'typed', zoneFrom: 'typed' };
  const all = [typed, ...sources];
  const { accountId, accountFrom } = all.find((ids) => ids?.accountId !== undefined) ?? {};
  const { zoneId, zoneFrom } = all.find((ids) => ids?.zoneId !== undefined) ?? {};
  checkHere('account', accountId, accountFrom);
  checkHere('zone', zoneId, zoneFrom);
  return { accountId, accountOrigin: accountFrom, zoneId, zoneOrigin: zoneFrom, source };
}

/** Throws if an id that the user typed, or that comes from a variable, is invalid. Other ids are checked where their position is known. */
function checkHere(kind: 'account' | 'zone', id: string | undefined, from: Origin | undefined): void {
  if (id === undefined) return;
  if (from === 'typed') checkId(kind, id, 'typed');
  else if (typeof from === 'object' && 'variable' in from) checkId(kind, id, from.variable);
}
