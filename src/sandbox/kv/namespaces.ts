import { isObject } from '../../model/json-object.ts';
import { namespaceJurisdictions } from '../../model/jurisdiction.ts';
import { kvLimits, type Namespace, utf8Length } from '../../model/kv/kv.ts';
import { isProblem } from '../../model/problem.ts';
import type { NamespaceChange } from '../../store/kv/namespaces.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { clockSetting } from '../http/clock.ts';
import { codes } from '../http/codes.ts';
import {
  type Exchange,
  type Platform,
  param,
  readJson,
  refusal,
  toText,
  unreadableBody,
} from '../http/exchange.ts';
import { pageInfo, readWholeNumber } from '../http/paging.ts';

const maximumPerPage = 1000;
const namespaceId = /^[0-9a-f]{32}$/;

/** `GET .../namespaces?page&per_page&order=id|title&direction=asc|desc`: lists namespaces; a page after the last page is empty. */
export async function listNamespaces(exchange: Exchange): Promise<Answer> {
  const { platform, query } = exchange;
  const page = readWholeNumber(query, 'page', 1, Number.MAX_SAFE_INTEGER, 1);
  const perPage = readWholeNumber(query, 'per_page', 1, maximumPerPage, 20);
  const sorted = sortNamespaces(
    await listAllNamespaces(platform),
    query.get('order') ?? 'id',
    query.get('direction') ?? 'asc',
  );
  const start = (page - 1) * perPage;
  const result = sorted.slice(start, start + perPage).map(formatNamespace);
  return ok(result, pageInfo(page, perPage, result.length, sorted.length));
}

/**
 * Returns the namespaces of local data: those that contain data, and those in the configuration. A title comes from the configuration, or
 * else from the registry (default: the id).
 */
async function listAllNamespaces(platform: Platform): Promise<readonly Namespace[]> {
  if (platform.kind === 'sandbox') return platform.registry().namespaces.list();
  const held = platform
    .kv()
    .namespaceFolders()
    .map((id) => ({ id, title: id }));
  const all = [...held, ...listRegistered(platform), ...(await platform.known())];
  return [...new Map(all.map((namespace) => [namespace.id, namespace])).values()];
}

function listRegistered(platform: Platform): readonly Namespace[] {
  try {
    return platform.registry().namespaces.list();
  } catch (error) {
    if (isProblem(error) && error.code === 'not-found') return [];
    throw error;
  }
}

function sortNamespaces(namespaces: readonly Namespace[], order: string, direction: string): Namespace[] {
  if (order !== 'id' && order !== 'title')
    throw refusal(400, codes.requestInvalid, `invalid order '${order}': must be id or title`);
  if (direction !== 'asc' && direction !== 'desc') {
    throw refusal(400, codes.requestInvalid, `invalid direction '${direction}': must be asc or desc`);
  }
  const sign = direction === 'asc' ? 1 : -1;
  return namespaces.toSorted((a, b) => (a[order] < b[order] ? -sign : a[order] > b[order] ? sign : 0));
}

/** `POST .../namespaces {title, jurisdiction}`: creates a namespace; refused with 10014 if the title is taken. */
export async function createNamespace(exchange: Exchange): Promise<Answer> {
  refuseLocal(exchange, 'create namespace');
  const { title, jurisdiction } = await readNamespaceBody(exchange);
  return answerChange(exchange.platform.registry().namespaces.create(title, undefined, jurisdiction));
}

/** `GET .../namespaces/{id}`. */
export function getNamespace(exchange: Exchange): Answer {
  return ok(formatNamespace(requireNamespace(exchange, 'get namespace')));
}

/** `PUT .../namespaces/{id} {title}`. */
export async function renameNamespace(exchange: Exchange): Promise<Answer> {
  refuseLocal(exchange, 'rename namespace');
  const { id } = requireNamespace(exchange, 'rename namespace');
  const { title } = await readNamespaceBody(exchange);
  return answerChange(
    exchange.platform.registry().namespaces.rename(id, title) ?? refuseNamespace('rename namespace'),
  );
}

function answerChange({ outcome, namespace }: NamespaceChange): Answer {
  if (outcome === 'done') return ok(formatNamespace(namespace));
  throw refusal(400, codes.titleTaken, 'a namespace with this account ID and title already exists');
}

/** `DELETE .../namespaces/{id}`: deletes the namespace with all keys and values. */
export function removeNamespace(exchange: Exchange): Answer {
  const { id } = requireNamespace(exchange, 'remove namespace');
  const { platform } = exchange;
  platform.kv().removeNamespace(id);
  if (platform.kind === 'sandbox') platform.registry().namespaces.remove(id);
  return ok({});
}

/**
 * Returns the namespace in the path. For local data, every namespace exists; otherwise, refuses a malformed id with 10011 and an unknown id
 * with 10013.
 */
export function requireNamespace(exchange: Exchange, operation: string): Namespace {
  const id = param(exchange, 'namespace');
  const { platform } = exchange;
  if (platform.kind === 'local') return { id, title: id };
  checkNamespaceId(id);
  return platform.registry().namespaces.find(id) ?? refuseNamespace(operation);
}

/** Returns the id of the namespace in the path, as `requireNamespace` does, and the time that decides whether its keys have expired. */
export function requireNamespaceNow(exchange: Exchange, operation: string): { id: string; now: number } {
  const id = param(exchange, 'namespace');
  const { platform } = exchange;
  if (platform.kind === 'local') return { id, now: platform.now() };
  checkNamespaceId(id);
  const found = platform.registry().namespaces.findWithSetting(id, clockSetting);
  if (found === undefined) return refuseNamespace(operation);
  return { id, now: platform.now() + Number(found.setting ?? 0) };
}

function checkNamespaceId(id: string): void {
  if (namespaceId.test(id)) return;
  throw refusal(
    400,
    codes.namespaceIdInvalid,
    `could not parse UUID from request's namespace_id: 'invalid UUID: ${id}'`,
  );
}

function refuseNamespace(operation: string): never {
  throw refusal(404, codes.namespaceNotFound, `${operation}: 'namespace not found'`);
}

function formatNamespace({ id, title, jurisdiction }: Namespace) {
  return { id, title, supports_url_encoding: true, ...(jurisdiction !== undefined && { jurisdiction }) };
}

function refuseLocal(exchange: Exchange, operation: string): void {
  if (exchange.platform.kind !== 'local') return;
  throw refusal(
    400,
    codes.namespaceUnsupported,
    `${operation}: 'local data has no titles; any namespace id can be written to'`,
  );
}

interface NamespaceBody {
  readonly title: string;
  readonly jurisdiction?: string | undefined;
}

async function readNamespaceBody(exchange: Exchange): Promise<NamespaceBody> {
  const body = await readJson(exchange, 'namespace');
  if (!isObject(body)) throw unreadableBody('namespace', 'it is not a JSON object');
  const { title, jurisdiction } = body;
  if (typeof title !== 'string' || title === '' || !title.isWellFormed()) {
    throw refusal(400, codes.titleRequired, 'namespace title is required');
  }
  if (utf8Length(title) > kvLimits.titleBytes) {
    throw refusal(400, codes.titleRequired, `namespace title is longer than ${kvLimits.titleBytes} bytes`);
  }
  if (jurisdiction === undefined) return { title };
  if (typeof jurisdiction === 'string' && namespaceJurisdictions.includes(jurisdiction))
    return { title, jurisdiction };
  throw refusal(400, codes.requestInvalid, `the jurisdiction '${toText(jurisdiction)}' is not valid`);
}
