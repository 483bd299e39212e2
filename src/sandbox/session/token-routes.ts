import { isObject } from '../../model/json-object.ts';
import { resourceKinds } from '../../model/permissions/policies.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { clockNow } from '../http/clock.ts';
import { codes } from '../http/codes.ts';
import { type Exchange, param, plainText, readJson, refusal } from '../http/exchange.ts';
import { isDescending, pageInfo, wholeNumber } from '../http/paging.ts';
import { conditionFault, type TokenCondition } from './token-condition.ts';
import {
  hashOf,
  type MadeToken,
  type PermissionGroup,
  permissionGroups,
  putToken,
  statusOf,
  type TokenPolicy,
  timesOf,
  tokensOf,
  tokenTime,
} from './tokens.ts';

const bodyLimit = 1024 * 1024;

/** Returns the owner of the tokens in the path. */
function ownerOf({ params }: Exchange): string {
  return params['account'] ?? 'user';
}

export function listTokens(exchange: Exchange): Answer {
  const { query } = exchange;
  const page = wholeNumber(query, 'page', 1, Number.MAX_SAFE_INTEGER, 1);
  const perPage = wholeNumber(query, 'per_page', 5, 50, 20);
  const found = tokensOf(exchange.platform).filter(({ owner }) => owner === ownerOf(exchange));
  if (isDescending(query)) found.reverse();
  const shown = found.slice((page - 1) * perPage, page * perPage);
  return ok(
    shown.map((token) => shapeOf(exchange, token)),
    pageInfo(page, perPage, shown.length, found.length),
  );
}

export function getToken(exchange: Exchange): Answer {
  return ok(shapeOf(exchange, tokenOf(exchange)));
}

/** Creates a token. Only this answer contains its value. */
export async function createToken(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const now = clockNow(platform);
  const value = newValue(exchange);
  const token: MadeToken = {
    ...readDraft(exchange, await readJson(exchange, 'the token', bodyLimit)),
    id: idOf(exchange),
    owner: ownerOf(exchange),
    hash: hashOf(value),
    issuedOn: now,
    modifiedOn: now,
  };
  putToken(platform, token.id, token);
  return ok({ ...shapeOf(exchange, token), value });
}

export async function changeToken(exchange: Exchange): Promise<Answer> {
  const { id, owner, hash, issuedOn } = tokenOf(exchange);
  const draft = readDraft(exchange, await readJson(exchange, 'the token', bodyLimit));
  return put(exchange, { ...draft, id, owner, hash, issuedOn, modifiedOn: clockNow(exchange.platform) });
}

/** Replaces the value of a token, and returns the new one. */
export function rollToken(exchange: Exchange): Answer {
  const value = newValue(exchange);
  put(exchange, { ...tokenOf(exchange), hash: hashOf(value), modifiedOn: clockNow(exchange.platform) });
  return ok(value);
}

export function removeToken(exchange: Exchange): Answer {
  const { id } = tokenOf(exchange);
  putToken(exchange.platform, id, undefined);
  return ok({ id });
}

/** `?name&scope`: lists the permission groups for policies. */
export function listGroups({ query }: Exchange): Answer {
  const [name, scope] = [query.get('name'), query.get('scope')];
  const found = permissionGroups
    .filter((group) => name === null || group.name.toLowerCase().includes(name.toLowerCase()))
    .filter((group) => scope === null || group.scopes.includes(scope));
  return ok(found, pageInfo(1, Math.max(found.length, 1), found.length, found.length));
}

function put(exchange: Exchange, changed: MadeToken): Answer {
  putToken(exchange.platform, changed.id, changed);
  return ok(shapeOf(exchange, changed));
}

function tokenOf(exchange: Exchange): MadeToken {
  const id = param(exchange, 'token');
  const found = tokensOf(exchange.platform).find(
    (token) => token.id === id && token.owner === ownerOf(exchange),
  );
  if (found !== undefined) return found;
  throw refusal(404, 1003, 'Token not found');
}

type TokenDraft = Pick<MadeToken, 'name' | 'status' | 'policies' | 'condition' | 'expiresOn' | 'notBefore'>;

function readDraft(exchange: Exchange, body: unknown): TokenDraft {
  const {
    name,
    status = 'active',
    policies,
    condition,
    expires_on: end,
    not_before: begin,
  } = isObject(body) ? body : {};
  if (typeof name !== 'string' || name === '') throw wrong('name', 'must be a non-empty string');
  if (status !== 'active' && status !== 'disabled') throw wrong('status', 'must be active or disabled');
  if (!Array.isArray(policies) || policies.length === 0) throw wrong('policies', 'at least one is required');
  const expiresOn = momentOf('expires_on', end);
  const notBefore = momentOf('not_before', begin);
  return {
    name,
    status,
    policies: policies.map((policy: unknown) => policyOf(exchange, policy)),
    ...conditionOf(condition),
    ...(expiresOn !== undefined && { expiresOn }),
    ...(notBefore !== undefined && { notBefore }),
  };
}

function conditionOf(value: unknown): { readonly condition?: TokenCondition } {
  if (value === undefined || value === null) return {};
  const fault = conditionFault(value);
  if (fault !== undefined) throw wrong('condition', fault);
  return { condition: value as TokenCondition };
}

function policyOf(exchange: Exchange, value: unknown): TokenPolicy {
  const { effect, permission_groups: groups, resources } = isObject(value) ? value : {};
  if (effect !== 'allow' && effect !== 'deny') throw wrong('effect of a policy', 'must be allow or deny');
  if (!Array.isArray(groups) || groups.length === 0)
    throw wrong('permission_groups', 'at least one is required');
  if (!isObject(resources) || Object.keys(resources).length === 0)
    throw wrong('resources', 'at least one is required');
  checkResources(ownerOf(exchange), Object.keys(resources));
  const found = groups.map(groupOf);
  checkScopes(found, Object.keys(resources));
  return {
    id: idOf(exchange),
    effect,
    permission_groups: found.map(({ id, name }) => ({ id, name })),
    resources: resources as TokenPolicy['resources'],
  };
}

/** Checks that the kind of each resource exists. A token of an account cannot have resources of other accounts or users. */
function checkResources(owner: string, resources: readonly string[]): void {
  const { account, zone, user } = resourceKinds;
  for (const resource of resources) {
    const [, kind, id] = /^(com\.cloudflare\.(?:api|edge)\..+)\.([^.]+)$/.exec(resource) ?? [];
    if (kind === undefined)
      throw wrong(`resource ${resource}`, `must start with ${account}, ${zone} or ${user}`);
    if (owner === 'user') continue;
    if (kind === user || (kind === account && id !== owner))
      throw wrong(
        `resource ${resource}`,
        `a token of an account can only have ${account}.${owner} and its zones`,
      );
  }
}

/**
 * Checks that user groups are used for users, and other groups are not. Source: SDK user/tokens,
 * PermissionGroupListResponse.scopes.
 */
function checkScopes(groups: readonly PermissionGroup[], resources: readonly string[]): void {
  const { user } = resourceKinds;
  for (const { name, scopes } of groups) {
    const other = resources.find((resource) => resource.startsWith(`${user}.`) !== scopes.includes(user));
    if (other !== undefined) throw wrong(`resource ${other}`, `${name} is for ${scopes.join(', ')}`);
  }
}

function groupOf(value: unknown): PermissionGroup {
  const id = isObject(value) ? value['id'] : undefined;
  const found = permissionGroups.find((group) => group.id === id);
  if (found !== undefined) return found;
  throw wrong(`permission group ${plainText(id)}`, 'permission_groups lists the valid ones');
}

function momentOf(field: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const at = Date.parse(plainText(value));
  if (Number.isFinite(at)) return at;
  throw wrong(field, 'must be an RFC 3339 time');
}

function wrong(what: string, rule: string) {
  return refusal(400, codes.requestInvalid, `invalid ${what}: ${rule}`);
}

function newValue({ platform }: Exchange): string {
  return Buffer.from(platform.random(30)).toString('base64url');
}

function idOf({ platform }: Exchange): string {
  return Buffer.from(platform.random(16)).toString('hex');
}

function shapeOf({ platform }: Exchange, token: MadeToken) {
  const { id, name, policies, condition, issuedOn, modifiedOn } = token;
  return {
    id,
    name,
    status: statusOf(token, clockNow(platform)),
    policies,
    ...(condition !== undefined && { condition }),
    ...timesOf(token),
    issued_on: tokenTime(issuedOn),
    modified_on: tokenTime(modifiedOn),
  };
}
