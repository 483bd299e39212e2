import { createHash } from 'node:crypto';
import { permissionFor } from '../../v4/permissions.ts';
import type { Call } from '../../v4/send.ts';
import type { Platform } from '../http/exchange.ts';
import { permissionGroups, resourceKinds } from './permission-groups.ts';

/** The reach of a policy: `*`, or of an account its zones. */
type Reach = '*' | Readonly<Record<string, string>>;

export interface TokenPolicy {
  readonly id: string;
  readonly effect: 'allow' | 'deny';
  readonly permission_groups: readonly { readonly id: string; readonly name: string }[];
  readonly resources: Readonly<Record<string, Reach>>;
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
  readonly condition?: unknown;
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

export function writeTokens(platform: Platform, tokens: readonly MadeToken[]): void {
  platform.registry().settings.write(setting, tokens.length === 0 ? undefined : tokens);
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

/** The account or zone that a call is about. */
export interface CallTarget {
  readonly account: string | undefined;
  readonly zone: string | undefined;
}

/** The permission that a token lacks for a call, as a group's name: `DNS Write`. Undefined: it may. */
export function missingPermission(token: MadeToken, call: Call, target: CallTarget): string | undefined {
  const needed = neededFor(call);
  if (needed === undefined) return undefined;
  const enough = needed.endsWith(' Read') ? [needed, needed.replace(/Read$/, 'Write')] : [needed];
  const policies = token.policies.filter(
    ({ resources, permission_groups: groups }) =>
      groups.some(({ name }) => enough.includes(name)) &&
      Object.entries(resources).some(([resource, reach]) => reaches(resource, reach, target)),
  );
  const may =
    policies.some(({ effect }) => effect === 'allow') && policies.every(({ effect }) => effect === 'allow');
  return may ? undefined : needed;
}

/** Whether a token reaches a zone with any permission: others do not stand in its lists. */
export function reachesZone(token: MadeToken, target: CallTarget): boolean {
  return token.policies.some(
    ({ effect, resources }) =>
      effect === 'allow' &&
      Object.entries(resources).some(([resource, reach]) => reaches(resource, reach, target)),
  );
}

/** Lists of what a token reaches, and the question whether it is good, are open to every token. */
const open = /^\/(?:zones|accounts|memberships|ips|graphql)$|\/tokens\/verify$|^\/sandbox\//;
const reading = /\/bulk\/get$/;

function neededFor(call: Call): string | undefined {
  const [path = ''] = call.path.split('?');
  if (open.test(path) && (call.method === 'GET' || path === '/graphql' || path.startsWith('/sandbox/')))
    return undefined;
  const right = call.method === 'GET' || reading.test(path) ? 'Read' : 'Write';
  if (/^\/user\/tokens/.test(path)) return `API Tokens ${right}`;
  if (/^\/accounts\/[^/]+\/tokens/.test(path)) return `Account API Tokens ${right}`;
  return `${permissionFor(call)?.split(':')[0]} ${right}`;
}

function reaches(resource: string, reach: Reach, { account, zone }: CallTarget): boolean {
  const { account: ofAccount, zone: ofZone, user } = resourceKinds;
  if (zone !== undefined) {
    if (resource === `${ofZone}.${zone}` || resource === `${ofZone}.*`) return true;
    return typeof reach === 'object' && isOf(resource, ofAccount, account) && hasZone(reach, zone);
  }
  if (account !== undefined) return isOf(resource, ofAccount, account);
  return resource.startsWith(`${user}.`) || resource.startsWith(`${ofAccount}.`);
}

function isOf(resource: string, kind: string, id: string | undefined): boolean {
  return resource === `${kind}.*` || resource === `${kind}.${id}`;
}

function hasZone(reach: Readonly<Record<string, string>>, zone: string): boolean {
  return Object.keys(reach).some((key) =>
    [`${resourceKinds.zone}.*`, `${resourceKinds.zone}.${zone}`].includes(key),
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
