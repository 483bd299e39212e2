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
import { permissionFor } from '../../v4/permissions.ts';
import type { Call } from '../../v4/send.ts';
import type { Platform } from '../http/exchange.ts';
import { permissionGroups } from './permission-groups.ts';
import type { TokenCondition } from './token-condition.ts';

export interface TokenPolicy extends Policy {
  readonly id: string;
  readonly permission_groups: readonly { readonly id: string; readonly name: string }[];
}

/** A token that was made by the API. Times are milliseconds. The value is kept as its hash only. */
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

/** Puts a token in the place of the one with its id, or behind the others; undefined removes it. */
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

/** A moment as the platform tells it of tokens, in whole seconds. */
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

/** The permission that a token lacks for a call, as a group's name: `DNS Write`. Undefined: it may. */
export function missingPermission(token: MadeToken, call: Call, target: PolicyTarget): string | undefined {
  const needed = neededFor(call);
  if (needed === undefined || tokenAllows(token, needed.group, needed.right, target)) return undefined;
  return `${needed.group} ${needed.right}`;
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

/** Whether a token reaches an account or a zone with any permission: others do not stand in its lists. */
export function tokenReaches({ owner, policies }: MadeToken, target: PolicyTarget): boolean {
  return (
    isWithinOwner(owner, target) &&
    policies.some(({ effect, resources }) => effect === 'allow' && reachesTarget(resources, target))
  );
}

/** Lists of what a token reaches, and the question whether it is good, are open to every token. */
const open = /^\/(?:accounts|memberships|ips|(?:user|accounts\/[^/]+)\/tokens\/verify)$/;
/** Bodies name the account here: the routes look whether the token may. */
const openAtFirst = /^\/(?:zones\/?|graphql)$/;
/** Routes about all accounts, which need a token that may do everything. */
const ofAllAccounts = /^\/sandbox\/(?:seed|requests|reset)$/;
const reading = /^\/accounts\/[^/]+\/storage\/kv\/namespaces\/[^/]+\/bulk\/get$/;

function neededFor(call: Call): { readonly group: string; readonly right: Right } | undefined {
  const [path = ''] = call.path.split('?');
  if (openAtFirst.test(path) || (open.test(path) && call.method === 'GET')) return undefined;
  if (path.startsWith('/sandbox/') && !ofAllAccounts.test(path)) return undefined;
  const right = call.method === 'GET' || reading.test(path) ? 'Read' : 'Write';
  if (/^\/user\/tokens/.test(path)) return { group: 'API Tokens', right };
  if (/^\/accounts\/[^/]+\/tokens/.test(path)) return { group: 'Account API Tokens', right };
  return { group: `${permissionFor(call)?.split(':')[0]}`, right };
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
