import { checkId } from '../model/id.ts';
import { Problem } from '../model/problem.ts';
import type { Auth } from '../model/target.ts';
import { checkAuth } from './auth.ts';
import { checkBaseUrl } from './base-url.ts';
import type { Sealed } from './sealed.ts';

/** Saved credentials, and the platform and settings that they are used with. */
export interface Profile {
  readonly name: string;
  readonly apiBaseUrl: string;
  /** The unencrypted credentials. In a locked profile, these are the credentials for reading, if any. */
  readonly auth?: Auth | undefined;
  /** The encrypted credentials of a locked profile. */
  readonly sealed?: Sealed | undefined;
  readonly accountId?: string | undefined;
  readonly zoneId?: string | undefined;
  /** Prefix of the field `<brand>_branding` in requests. */
  readonly brand: string;
  /** Maximum number of requests in 5 minutes (default: 1,200, the platform's limit). */
  readonly requestBudget?: number | undefined;
  /** Whether sessions with this profile are read-only. */
  readonly readOnly?: boolean | undefined;
}

/** The profile of the embedded platform. This profile always exists, is not stored, and cannot be replaced or removed. */
export const sandboxProfile = 'sandbox';

export const defaultBrand = 'cloudflare';

/** Returns whether a string is a valid profile name. Names are in lower case, because they become file names. */
export function isProfileName(name: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,31}$/.test(name);
}

/** Returns the name, or throws if it is invalid for a stored profile. */
export function checkProfileName(name: string): string {
  if (name === sandboxProfile) {
    throw new Problem(
      'usage',
      `The profile "${sandboxProfile}" is built in: it cannot be changed or removed.`,
    );
  }
  if (isProfileName(name)) return name;
  throw new Problem('usage', `"${name}" is not a valid profile name.`, {
    hint: 'A name has 1 to 32 lower-case letters, digits, - and _, and starts with a letter or digit.',
  });
}

/** Returns the profile, or throws for the first invalid field. */
export function checkProfile(profile: Profile): Profile {
  const from = `profile ${profile.name}`;
  if (!/^[a-z][a-z0-9_]{0,31}$/.test(profile.brand)) {
    throw new Problem('usage', `The brand (${from}) must be a word of lower-case letters, digits and _.`);
  }
  if (profile.auth === undefined && profile.sealed === undefined)
    throw new Problem('usage', `Credentials are missing (${from}).`);
  return {
    name: profile.name,
    apiBaseUrl: checkBaseUrl(profile.apiBaseUrl, from),
    ...(profile.auth !== undefined && { auth: checkAuth(profile.auth, from) }),
    ...(profile.sealed !== undefined && { sealed: profile.sealed }),
    ...(profile.accountId !== undefined && {
      accountId: checkId('account', profile.accountId, from),
    }),
    ...(profile.zoneId !== undefined && { zoneId: checkId('zone', profile.zoneId, from) }),
    brand: profile.brand,
    ...(profile.requestBudget !== undefined && {
      requestBudget: checkRequestBudget(profile.requestBudget, from),
    }),
    ...(profile.readOnly === true && { readOnly: true }),
  };
}

function checkRequestBudget(requests: number, from: string): number {
  if (Number.isSafeInteger(requests) && requests >= 4) return requests;
  throw new Problem('usage', `The request budget (${from}) must be a whole number of at least 4.`);
}

/** Returns the string to which a profile's sealed credentials are bound: its name and base URL. */
export function sealedPlace({ name, apiBaseUrl }: Pick<Profile, 'name' | 'apiBaseUrl'>): string {
  return JSON.stringify([name, apiBaseUrl]);
}

/** Returns the Problem for a new profile's name that another profile already has. */
export function nameTakenProblem(name: string): Problem {
  return new Problem('usage', `A profile "${name}" already exists.`, {
    remedy: { kind: 'replace-profile' },
  });
}

/** Returns the Problem for a profile that does not exist, for commands that also accept the built-in profile. */
export function unknownProfileProblem(name: string, stored: readonly string[]): Problem {
  return new Problem('usage', `Profile "${name}" not found.`, {
    hint: `Existing profiles: ${[sandboxProfile, ...stored].join(', ')}.`,
  });
}

/** Returns the Problem for a profile that is not stored. `fitting` lists the stored profiles that the command accepts. */
export function unstoredProfileProblem(name: string, fitting: readonly string[]): Problem {
  return new Problem('usage', `Profile "${name}" not found.`, {
    hint:
      fitting.length === 0
        ? 'No stored profile can be used here.'
        : `Profiles that can be used here: ${fitting.join(', ')}.`,
  });
}
