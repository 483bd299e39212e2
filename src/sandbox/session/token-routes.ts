import { isObject } from '../../model/json-object.ts';
import { resourceKinds } from '../../model/permissions/policies.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { clockNow } from '../http/clock.ts';
import { codes } from '../http/codes.ts';
import { type Exchange, param, readJson, refusal, toText } from '../http/exchange.ts';
import { isDescending, pageInfo, readWholeNumber } from '../http/paging.ts';
import { conditionFault, type TokenCondition } from './token-condition.ts';
import {
  formatTokenTime,
  formatTokenTimes,
  hashToken,
  type PermissionGroup,
  putToken,
  readTokenStatus,
  readTokens,
  type StoredToken,
  sandboxPermissionGroups,
  type TokenPolicy,
} from './tokens.ts';

const bodyLimit = 1024 * 1024;

/** Returns the owner of the tokens, as specified in the path. */
function readTokenOwner({ params }: Exchange): string {
  return params['account'] ?? 'user';
}

export function listTokens(exchange: Exchange): Answer {
  const { query } = exchange;
  const page = readWholeNumber(query, 'page', 1, Number.MAX_SAFE_INTEGER, 1);
  const perPage = readWholeNumber(query, 'per_page', 5, 50, 20);
  const found = readTokens(exchange.platform).filter(({ owner }) => owner === readTokenOwner(exchange));
  if (isDescending(query)) found.reverse();
  const shown = found.slice((page - 1) * perPage, page * perPage);
  return ok(
    shown.map((token) => formatToken(exchange, token)),
    pageInfo(page, perPage, shown.length, found.length),
  );
}

export function getToken(exchange: Exchange): Answer {
  return ok(formatToken(exchange, requireToken(exchange)));
}

/** Creates a token. Only this answer contains the token's value. */
export async function createToken(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const now = clockNow(platform);
  const value = createTokenValue(exchange);
  const token: StoredToken = {
    ...readDraft(exchange, await readJson(exchange, 'the token', bodyLimit)),
    id: createId(exchange),
    owner: readTokenOwner(exchange),
    hash: hashToken(value),
    issuedOn: now,
    modifiedOn: now,
  };
  putToken(platform, token.id, token);
  return ok({ ...formatToken(exchange, token), value });
}

export async function changeToken(exchange: Exchange): Promise<Answer> {
  const { id, owner, hash, issuedOn } = requireToken(exchange);
  const draft = readDraft(exchange, await readJson(exchange, 'the token', bodyLimit));
  return replaceToken(exchange, {
    ...draft,
    id,
    owner,
    hash,
    issuedOn,
    modifiedOn: clockNow(exchange.platform),
  });
}

/** Replaces the value of a token, and returns the new value. */
export function rollToken(exchange: Exchange): Answer {
  const value = createTokenValue(exchange);
  replaceToken(exchange, {
    ...requireToken(exchange),
    hash: hashToken(value),
    modifiedOn: clockNow(exchange.platform),
  });
  return ok(value);
}

export function removeToken(exchange: Exchange): Answer {
  const { id } = requireToken(exchange);
  putToken(exchange.platform, id, undefined);
  return ok({ id });
}

/** Lists the permission groups for policies, filtered by the query (`?name&scope`). */
export function listGroups({ query }: Exchange): Answer {
  const [name, scope] = [query.get('name'), query.get('scope')];
  const found = sandboxPermissionGroups
    .filter((group) => name === null || group.name.toLowerCase().includes(name.toLowerCase()))
    .filter((group) => scope === null || group.scopes.includes(scope));
  return ok(found, pageInfo(1, Math.max(found.length, 1), found.length, found.length));
}

function replaceToken(exchange: Exchange, changed: StoredToken): Answer {
  putToken(exchange.platform, changed.id, changed);
  return ok(formatToken(exchange, changed));
}

function requireToken(exchange: Exchange): StoredToken {
  const id = param(exchange, 'token');
  const found = readTokens(exchange.platform).find(
    (token) => token.id === id && token.owner === readTokenOwner(exchange),
  );
  if (found !== undefined) return found;
  throw refusal(404, 1003, 'Token not found');
}

type TokenDraft = Pick<StoredToken, 'name' | 'status' | 'policies' | 'condition' | 'expiresOn' | 'notBefore'>;

function readDraft(exchange: Exchange, body: unknown): TokenDraft {
  const {
    name,
    status = 'active',
    policies,
    condition,
    expires_on: end,
    not_before: begin,
  } = isObject(body) ? body : {};
  if (typeof name !== 'string' || name === '') throw invalid('name', 'must be a non-empty string');
  if (status !== 'active' && status !== 'disabled') throw invalid('status', 'must be active or disabled');
  if (!Array.isArray(policies) || policies.length === 0)
    throw invalid('policies', 'at least one is required');
  const expiresOn = parseTime('expires_on', end);
  const notBefore = parseTime('not_before', begin);
  return {
    name,
    status,
    policies: policies.map((policy: unknown) => parsePolicy(exchange, policy)),
    ...parseCondition(condition),
    ...(expiresOn !== undefined && { expiresOn }),
    ...(notBefore !== undefined && { notBefore }),
  };
}

function parseCondition(value: unknown): { readonly condition?: TokenCondition } {
  if (value === undefined || value === null) return {};
  const fault = conditionFault(value);
  if (fault !== undefined) throw invalid('condition', fault);
  return { condition: value as TokenCondition };
}

function parsePolicy(exchange: Exchange, value: unknown): TokenPolicy {
  const { effect, permission_groups: groups, resources } = isObject(value) ? value : {};
  if (effect !== 'allow' && effect !== 'deny') throw invalid('effect of a policy', 'must be allow or deny');
  if (!Array.isArray(groups) || groups.length === 0)
    throw invalid('permission_groups', 'at least one is required');
  if (!isObject(resources) || Object.keys(resources).length === 0)
    throw invalid('resources', 'at least one is required');
  checkResources(readTokenOwner(exchange), Object.keys(resources));
  const found = groups.map(findGroup);
  checkScopes(found, Object.keys(resources));
  return {
    id: createId(exchange),
    effect,
    permission_groups: found.map(({ id, name }) => ({ id, name })),
    resources: resources as TokenPolicy['resources'],
  };
}

/** Checks that the kind of each resource exists. An account token cannot have resources that belong to other accounts or to users. */
function checkResources(owner: string, resources: readonly string[]): void {
  const { account, zone, user } = resourceKinds;
  for (const resource of resources) {
    const [, kind, id] = /^(com\.cloudflare\.(?:api|edge)\..+)\.([^.]+)$/.exec(resource) ?? [];
    if (kind === undefined)
      throw invalid(`resource ${resource}`, `must start with ${account}, ${zone} or ${user}`);
    if (owner === 'user') continue;
    if (kind === user || (kind === account && id !== owner))
      throw invalid(
        `resource ${resource}`,
        `an account token can only access ${account}.${owner} and its zones`,
      );
  }
}

/**
 * Checks that permission groups for users are used only with users, and other permission groups only with other resources. Source: SDK
 * user/tokens, PermissionGroupListResponse.scopes.
 */
function checkScopes(groups: readonly PermissionGroup[], resources: readonly string[]): void {
  const { user } = resourceKinds;
  for (const { name, scopes } of groups) {
    const other = resources.find((resource) => resource.startsWith(`${user}.`) !== scopes.includes(user));
    if (other !== undefined) throw invalid(`resource ${other}`, `${name} is for ${scopes.join(', ')}`);
  }
}

function findGroup(value: unknown): PermissionGroup {
  const id = isObject(value) ? value['id'] : undefined;
  const found = sandboxPermissionGroups.find((group) => group.id === id);
  if (found !== undefined) return found;
  throw invalid(`permission group ${toText(id)}`, 'permission_groups lists the valid groups');
}

function parseTime(field: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const at = Date.parse(toText(value));
  if (Number.isFinite(at)) return at;
  throw invalid(field, 'must be an RFC 3339 time');
}

function invalid(what: string, rule: string) {
  return refusal(400, codes.requestInvalid, `invalid ${what}: ${rule}`);
}

function createTokenValue({ platform }: Exchange): string {
  // The value is as long as the platform's token values. The value is hexadecimal, because programs would parse a leading "-" as an option.
  return Buffer.from(platform.random(20)).toString('hex');
}

function createId({ platform }: Exchange): string {
  return Buffer.from(platform.random(16)).toString('hex');
}

function formatToken({ platform }: Exchange, token: StoredToken) {
  const { id, name, policies, condition, issuedOn, modifiedOn } = token;
  return {
    id,
    name,
    status: readTokenStatus(token, clockNow(platform)),
    policies,
    ...(condition !== undefined && { condition }),
    ...formatTokenTimes(token),
    issued_on: formatTokenTime(issuedOn),
    modified_on: formatTokenTime(modifiedOn),
  };
}
