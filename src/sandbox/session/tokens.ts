import { createHash } from 'node:crypto';
import { wireTime } from '../../model/hostnames/state.ts';
import {
  type Policy,
  type PolicyTarget,
  policiesAllow,
  type Right,
  reachesTarget,
  resourceKinds,
} from '../../model/permissions/policies.ts';
import { permissionGroups as names } from '../../model/permissions/token-permissions.ts';
import { type DeclaredRoute, isGroup, rightFor } from '../../v4/routes.ts';
import type { Platform } from '../http/exchange.ts';
import type { TokenCondition } from './token-condition.ts';

export interface TokenPolicy extends Policy {
  readonly id: string;
  readonly permission_groups: readonly { readonly id: string; readonly name: string }[];
}

/** A token that was created by the API. Times are milliseconds. Only the hash of the value is stored. */
export interface MadeToken {
  readonly id: string;
  readonly name: string;
  /** `user`, or the id of the account whose token it is. */
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

/** The tokens that were made, the oldest first. */
export function tokensOf(platform: Platform): readonly MadeToken[] {
  return (platform.registry().settings.read(setting) ?? []) as readonly MadeToken[];
}

/** Replaces the token with the same id, or appends it; undefined deletes it. */
export function putToken(platform: Platform, id: string, token: MadeToken | undefined): void {
  platform.registry().settings.change(setting, (value) => {
    const tokens = (value ?? []) as readonly MadeToken[];
    const at = tokens.findIndex((one) => one.id === id);
    const put = token === undefined ? [] : [token];
    const changed = tokens.toSpliced(at === -1 ? tokens.length : at, 1, ...put);
    return changed.length === 0 ? undefined : changed;
  });
}

/** The token of this value, whatever its status. */
export function findToken(platform: Platform, value: string): MadeToken | undefined {
  const hash = hashOf(value);
  return tokensOf(platform).find((token) => token.hash === hash);
}

export function hashOf(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/** The status of a token at a moment. */
export function statusOf({ status, expiresOn, notBefore }: MadeToken, now: number): string {
  if (expiresOn !== undefined && expiresOn <= now) return 'expired';
  return notBefore !== undefined && notBefore > now ? 'disabled' : status;
}

/** A moment in the platform's format for tokens, in whole seconds. */
export function tokenTime(milliseconds: number): string {
  return wireTime(milliseconds).replace(/\.\d+/, '');
}

/** The end and the beginning of a token, where it has them. */
export function timesOf({ expiresOn, notBefore }: MadeToken): { expires_on?: string; not_before?: string } {
  return {
    ...(expiresOn !== undefined && { expires_on: tokenTime(expiresOn) }),
    ...(notBefore !== undefined && { not_before: tokenTime(notBefore) }),
  };
}

/** Whether a token may call a route. The sandbox's own credentials are no token with policies, and may call every route. */
export function tokenMayCall(
  token: MadeToken,
  { permission, effect }: Pick<DeclaredRoute, 'permission' | 'effect'>,
  target: PolicyTarget,
): boolean {
  if (isGroup(permission)) return tokenAllows(token, permission, rightFor(effect), target);
  return permission !== 'sandbox token';
}

/** Whether a token may do what a group of permissions is for. */
export function tokenAllows(
  { owner, policies }: MadeToken,
  group: string,
  right: Right,
  target: PolicyTarget,
): boolean {
  return isWithinOwner(owner, target) && policiesAllow(policies, group, right, target);
}

/** A token of an account reaches nothing of another one, whatever its policies name. */
function isWithinOwner(owner: string, { account }: PolicyTarget): boolean {
  return owner === 'user' || owner === account;
}

/** Whether a token reaches an account or a zone with any permission: others are not in its lists. */
export function tokenReaches({ owner, policies }: MadeToken, target: PolicyTarget): boolean {
  return (
    isWithinOwner(owner, target) &&
    policies.some(({ effect, resources }) => effect === 'allow' && reachesTarget(resources, target))
  );
}

/** Why a token reaches further than any call needs, in words; undefined where it does not. */
export function tooWide({ policies }: MadeToken): string | undefined {
  const all = policies.flatMap(({ effect, resources }) => (effect === 'allow' ? Object.keys(resources) : []));
  const wide =
    all.find((resource) => resource === `${resourceKinds.account}.*`) ??
    all.find((resource) => resource.endsWith('.zone.*'));
  if (wide !== undefined) return `the token reaches all of ${wide}: name what it is for`;
  const groups = new Set(policies.flatMap(({ permission_groups: named }) => named.map(({ id }) => id)));
  return groups.size === permissionGroups.length ? 'the token has every permission there is' : undefined;
}

/** A group of permissions, as policies of tokens name it. */
export interface PermissionGroup {
  readonly id: string;
  readonly name: string;
  /** The kind of resource that it is about. */
  readonly scopes: readonly string[];
}

/** The groups of the products that the sandbox has. Their ids are its own: clients look them up by name. */
export const permissionGroups: readonly PermissionGroup[] = (
  Object.entries(names) as [keyof typeof names, readonly string[]][]
).flatMap(([kind, all]) =>
  all.flatMap((subject) =>
    ['Read', 'Write'].map((right) => {
      const name = `${subject} ${right}`;
      const id = createHash('sha256').update(name).digest('hex').slice(0, 32);
      return { id, name, scopes: [resourceKinds[kind]] };
    }),
  ),
);
