import { Problem } from '../model/problem.ts';
import type { Auth } from '../model/target.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The values of one family of variables. Empty variables count as unset. */
export interface EnvironmentSet {
  readonly family: 'EDGECTL' | 'CLOUDFLARE';
  readonly auth: Auth | undefined;
  /** Names of the variables that contain the credentials. */
  readonly authFrom: string;
  readonly apiBaseUrl: string | undefined;
  readonly accountId: string | undefined;
  readonly zoneId: string | undefined;
  /** Names of the variables that contain the account and the zone. */
  readonly accountFrom: string;
  readonly zoneFrom: string;
}

const edgectlNames = {
  token: 'EDGECTL_API_TOKEN',
  email: 'EDGECTL_API_EMAIL',
  apiKey: 'EDGECTL_API_KEY',
  accountId: 'EDGECTL_ACCOUNT_ID',
  zoneId: 'EDGECTL_ZONE_ID',
  apiBaseUrl: 'EDGECTL_API_BASE_URL',
} as const;

const cloudflareNames = {
  token: 'CLOUDFLARE_API_TOKEN',
  email: 'CLOUDFLARE_EMAIL',
  apiKey: 'CLOUDFLARE_API_KEY',
  accountId: 'CLOUDFLARE_ACCOUNT_ID',
  zoneId: 'CLOUDFLARE_ZONE_ID',
  apiBaseUrl: 'CLOUDFLARE_API_BASE_URL',
} as const;

/** Returns the values of the `EDGECTL_*` variables. Throws if there is only an email address or only a key. */
export function edgectlSet(env: Environment): EnvironmentSet {
  const set = readSet(env, 'EDGECTL', edgectlNames);
  const present = [edgectlNames.email, edgectlNames.apiKey].filter(
    (name) => variable(env, name) !== undefined,
  );
  const [only] = present;
  if (set.auth !== undefined || only === undefined) return set;
  const missing = only === edgectlNames.email ? edgectlNames.apiKey : edgectlNames.email;
  throw new Problem('usage', `${only} is set, but ${missing} is not: set both variables or neither.`);
}

/**
 * Returns the values of the `CLOUDFLARE_*` variables. Ignores an email address without a key, or a key without an email address, because it
 * may be for another tool.
 */
export function cloudflareSet(env: Environment): EnvironmentSet {
  return readSet(env, 'CLOUDFLARE', cloudflareNames);
}

/**
 * Throws if an `EDGECTL_*` variable is set without credentials in the same family, because the command would ignore it and act on a different
 * account or platform. `withProfile`: whether EDGECTL_PROFILE is set, which can be combined with an account and a zone.
 */
export function refuseLeftovers(set: EnvironmentSet, withProfile: boolean): void {
  const leftovers = [
    set.apiBaseUrl !== undefined && edgectlNames.apiBaseUrl,
    !withProfile && set.accountId !== undefined && edgectlNames.accountId,
    !withProfile && set.zoneId !== undefined && edgectlNames.zoneId,
  ].filter((name) => name !== false);
  const [first] = leftovers;
  if (first === undefined) return;
  const flag = first.replace('EDGECTL', '-').replaceAll('_', '-').toLowerCase();
  throw new Problem(
    'usage',
    `${first} is set without credentials, and cannot be combined with credentials from another source.`,
    {
      hint: `Also set EDGECTL_API_TOKEN (or EDGECTL_API_EMAIL and EDGECTL_API_KEY), or unset ${first} and use ${flag}.`,
    },
  );
}

/** Returns a variable's value; an empty value counts as unset. */
export function variable(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}

type Names = Readonly<Record<keyof typeof edgectlNames, string>>;

function readSet(env: Environment, family: EnvironmentSet['family'], names: Names): EnvironmentSet {
  const token = variable(env, names.token);
  const email = variable(env, names.email);
  const apiKey = variable(env, names.apiKey);
  const pair = email !== undefined && apiKey !== undefined ? { email, apiKey } : undefined;
  return {
    family,
    auth: token === undefined ? pair : { token },
    authFrom: token === undefined ? `${names.email} and ${names.apiKey}` : names.token,
    apiBaseUrl: variable(env, names.apiBaseUrl),
    accountId: variable(env, names.accountId),
    zoneId: variable(env, names.zoneId),
    accountFrom: names.accountId,
    zoneFrom: names.zoneId,
  };
}
