import { createHash } from 'node:crypto';
import { wireTime } from '../../model/hostnames/state.ts';
import {
  formatGroupName,
  type Policy,
  type PolicyTarget,
  policiesAllow,
  type Right,
  reachesTarget,
  resourceKinds,
} from '../../model/permissions/policies.ts';
import { type GroupName, permissionGroups as names } from '../../model/permissions/token-permissions.ts';
import { type DeclaredRoute, isGroup, rightFor } from '../../v4/routes.ts';
import type { Platform } from '../http/exchange.ts';
import { permissionGroupIds } from './permission-group-ids.ts';
import type { TokenCondition } from './token-condition.ts';

export interface TokenPolicy extends Policy {
  readonly id: string;
  readonly permission_groups: readonly { readonly id: string; readonly name: string }[];
}

/** A token created through the API. Times are in milliseconds. Only the hash of the value is stored. */
export interface StoredToken {
  readonly id: string;
  readonly name: string;
  /** `user`, or the id of the account that owns the token. */
  readonly owner: string;
  readonly hash: string;
  readonly status: 'active' | 'disabled';
  readonly policies: readonly TokenPolicy[];
  readonly condition?: TokenCondition;
  readonly expiresOn?: number;
  readonly notBefore?: number;
  readonly issuedOn: number;
  readonly modifiedOn: number;
}

const setting = 'tokens';

/** Returns the created tokens, oldest first. */
export function readTokens(platform: Platform): readonly StoredToken[] {
  return (platform.registry().settings.read(setting) ?? []) as readonly StoredToken[];
}

/** Replaces the token with the same id, or appends a new token; undefined deletes the token. */
export function putToken(platform: Platform, id: string, token: StoredToken | undefined): void {
  platform.registry().settings.change(setting, (value) => {
    const tokens = (value ?? []) as readonly StoredToken[];
    const at = tokens.findIndex((one) => one.id === id);
    const put = token === undefined ? [] : [token];
    const changed = tokens.toSpliced(at === -1 ? tokens.length : at, 1, ...put);
    return changed.length === 0 ? undefined : changed;
  });
}

/** Finds the token with this value, regardless of its status. */
export function findToken(platform: Platform, value: string): StoredToken | undefined {
  const hash = hashToken(value);
  return readTokens(platform).find((token) => token.hash === hash);
}

export function hashToken(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/** Returns the status of a token at a time. */
export function readTokenStatus({ status, expiresOn, notBefore }: StoredToken, now: number): string {
  if (expiresOn !== undefined && expiresOn <= now) return 'expired';
  return notBefore !== undefined && notBefore > now ? 'disabled' : status;
}

/** Formats a time in the platform's format for tokens, in whole seconds. */
export function formatTokenTime(milliseconds: number): string {
  return wireTime(milliseconds).replace(/\.\d+/, '');
}

/** Returns the expiration and start of a token, if set. */
export function formatTokenTimes({ expiresOn, notBefore }: StoredToken): {
  expires_on?: string;
  not_before?: string;
} {
  return {
    ...(expiresOn !== undefined && { expires_on: formatTokenTime(expiresOn) }),
    ...(notBefore !== undefined && { not_before: formatTokenTime(notBefore) }),
  };
}

/** Returns whether a token may call a route. The sandbox's own credentials are not tokens with policies, and may call every route. */
export function canTokenCall(
  token: StoredToken,
  { permission, effect }: Pick<DeclaredRoute, 'permission' | 'effect'>,
  target: PolicyTarget,
): boolean {
  if (isGroup(permission)) return doesTokenAllow(token, permission, rightFor(effect), target);
  return permission !== 'sandbox token';
}

/** Returns whether a token grants a right of a permission group for a target. */
export function doesTokenAllow(
  { owner, policies }: StoredToken,
  group: string,
  right: Right,
  target: PolicyTarget,
): boolean {
  return isWithinOwner(owner, target) && policiesAllow(policies, group, right, target);
}

/**
 * Returns whether a target belongs to the owner of a token. An account token has no access to other accounts, regardless of its policies.
 */
function isWithinOwner(owner: string, { account }: PolicyTarget): boolean {
  return owner === 'user' || owner === account;
}

/**
 * Returns whether a token has any permission for an account or zone. Lists contain only the accounts and zones for which the token has a
 * permission.
 */
export function doesTokenReach({ owner, policies }: StoredToken, target: PolicyTarget): boolean {
  return (
    isWithinOwner(owner, target) &&
    policies.some(({ effect, resources }) => effect === 'allow' && reachesTarget(resources, target))
  );
}

/** Explains why a token has more access than any call needs; undefined if the token's access is not too wide. */
export function findTooWideReason({ policies }: StoredToken): string | undefined {
  const all = policies.flatMap(({ effect, resources }) => (effect === 'allow' ? Object.keys(resources) : []));
  const wide =
    all.find((resource) => resource === `${resourceKinds.account}.*`) ??
    all.find((resource) => resource.endsWith('.zone.*'));
  if (wide !== undefined) return `the token has access to all of ${wide}: limit it to specific resources`;
  const groups = new Set(policies.flatMap(({ permission_groups: named }) => named.map(({ id }) => id)));
  return groups.size === sandboxPermissionGroups.length ? 'the token has every permission' : undefined;
}

/** A permission group, as in token policies. */
export interface PermissionGroup {
  readonly id: string;
  readonly name: string;
  /** Kinds of resources that the permission group applies to. */
  readonly scopes: readonly string[];
}

/** The permission groups for the sandbox's products, with the platform's ids and names. */
export const sandboxPermissionGroups: readonly PermissionGroup[] = (
  Object.entries(names) as [keyof typeof names, readonly GroupName[]][]
).flatMap(([kind, all]) =>
  all.flatMap((subject) => {
    const { Read: read, Write: write } = permissionGroupIds[subject];
    const scopes = [resourceKinds[kind]];
    return [
      { id: read, name: formatGroupName(subject, 'Read'), scopes },
      ...(write === undefined ? [] : [{ id: write, name: formatGroupName(subject, 'Write'), scopes }]),
    ];
  }),
);
