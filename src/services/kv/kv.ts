import * as v from 'valibot';
import {
  checkKey,
  checkNewKey,
  type Expiry,
  effectiveExpiry,
  expiryFault,
  type KeyEntry,
  kvLimits,
  metadataFault,
  type Namespace,
} from '../../model/kv/kv.ts';
import { isProblem, Problem } from '../../model/problem.ts';
import { callBytes, callResult } from '../../v4/client.ts';
import { multipart } from '../../v4/multipart.ts';
import { cursorPages, numberedPages } from '../../v4/pages.ts';
import { pathOf, type Query } from '../../v4/path.ts';
import type { Answer, Call, Method } from '../../v4/send.ts';
import { refuseOther } from '../session/agreement.ts';
import type { Session } from '../session/session.ts';

const namespaceShape = v.object({ id: v.string(), title: v.string() });
const keyShape = v.object({
  name: v.string(),
  expiration: v.optional(v.number()),
  metadata: v.optional(v.unknown()),
});

const checkNamespace = (result: unknown): Namespace => v.parse(namespaceShape, result);
const checkNamespaces = (result: unknown): Namespace[] => v.parse(v.array(namespaceShape), result);
const checkKeys = (result: unknown): KeyEntry[] => v.parse(v.array(keyShape), result) as KeyEntry[];
const checkNothing = (): undefined => undefined;
const asItIs = (result: unknown): unknown => result;

/** A value as it comes from the platform: bytes, read once, and its expiry in UNIX seconds. */
export interface Value {
  readonly body: Answer['body'];
  readonly expiration?: number;
}

/** What to store under a key. The value is bytes; both expiries may be given, the ttl wins. */
export interface NewValue extends Expiry {
  readonly value: Uint8Array;
  readonly metadata?: unknown;
  /** Allows keys with white space and what cannot be printed. */
  readonly anyKey?: boolean;
}

/** All namespaces of the account, by title, page by page. */
export async function* listNamespaces(session: Session, signal?: AbortSignal): AsyncGenerator<Namespace[]> {
  const base = await namespacesBase(session);
  yield* numberedPages(
    session.send,
    (page) => read(base, { page, per_page: 100, order: 'title', direction: 'asc' }, signal),
    checkNamespaces,
  );
}

/**
 * The namespaces that a session's target shows: for preview those that the configuration names as such, and those whose
 * title says so; else all.
 */
export async function* listTargetNamespaces(
  session: Session,
  signal?: AbortSignal,
): AsyncGenerator<Namespace[]> {
  if (session.target !== 'preview') return yield* listNamespaces(session, signal);
  const bound = (await session.project())?.kvNamespaces.map(({ previewId }) => previewId) ?? [];
  for await (const page of listNamespaces(session, signal)) {
    yield page.filter(({ id, title }) => bound.includes(id) || title.endsWith('_preview'));
  }
}

/** The namespace with this title, or undefined. */
export async function findNamespaceByTitle(session: Session, title: string): Promise<Namespace | undefined> {
  for await (const page of listNamespaces(session)) {
    const found = page.find((namespace) => namespace.title === title);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Creates a namespace. Refuses a title that is empty, too long or taken (10014). */
export async function createNamespace(session: Session, title: string): Promise<Namespace> {
  checkTitle(title);
  const call = json('POST', await namespacesBase(session), { title }, false);
  try {
    const { result } = await callResult(session.send, call, checkNamespace);
    refuseOther(`Creating the namespace "${title}"`, { title }, result);
    return result;
  } catch (error) {
    throw titleTaken(error, title);
  }
}

/** The namespace with this title, created unless there is one. Refuses as `createNamespace` does. */
export async function ensureNamespace(
  session: Session,
  title: string,
): Promise<{ namespace: Namespace; created: boolean }> {
  try {
    return { namespace: await createNamespace(session, title), created: true };
  } catch (error) {
    if (!isProblem(error) || error.platformCode !== 10014) throw error;
    const namespace = await findNamespaceByTitle(session, title);
    if (namespace === undefined) throw error;
    return { namespace, created: false };
  }
}

/** Gives a namespace another title. Refuses like `createNamespace`, and with not-found. */
export async function renameNamespace(session: Session, id: string, title: string): Promise<void> {
  checkTitle(title);
  const call = json('PUT', await namespaceBase(session, id), { title }, true);
  try {
    const { result } = await callResult(session.send, call, asItIs);
    refuseOther(`Renaming the namespace ${id} to "${title}"`, { id, title }, result);
  } catch (error) {
    throw titleTaken(error, title);
  }
}

/** Deletes a namespace with all its keys. Refuses with not-found. */
export async function deleteNamespace(session: Session, id: string): Promise<void> {
  const call: Call = {
    method: 'DELETE',
    path: pathOf(await namespaceBase(session, id)),
    headers: {},
    repeatable: true,
  };
  const { result } = await callResult(session.send, call, asItIs);
  refuseOther(`Deleting the namespace ${id}`, { id }, result);
}

/** The namespace's id and title. Refuses with not-found. */
export async function readNamespace(session: Session, id: string): Promise<Namespace> {
  const base = await namespaceBase(session, id);
  return (await callResult(session.send, read(base, {}), checkNamespace)).result;
}

/**
 * Keys in the order of their UTF-8 bytes, page by page, each page fetched when it is asked for. A page can be empty
 * and not be the last. `limit` is the size of a page, at most 1,000.
 */
export async function* listKeys(
  session: Session,
  namespaceId: string,
  options: { prefix?: string; limit?: number; signal?: AbortSignal } = {},
): AsyncGenerator<KeyEntry[]> {
  const base = [...(await namespaceBase(session, namespaceId)), 'keys'];
  const { prefix, limit, signal } = options;
  yield* cursorPages(
    session.send,
    (cursor) => read(base, { prefix: prefix || undefined, limit, cursor }, signal),
    checkKeys,
    (keys) => keys,
  );
}

/** The value of a key, or undefined when there is none. `whole` is set by who reads it whole and in memory. */
export async function readValue(
  session: Session,
  namespaceId: string,
  key: string,
  signal?: AbortSignal,
  { whole = false }: { whole?: boolean } = {},
): Promise<Value | undefined> {
  const base = [...(await namespaceBase(session, namespaceId)), 'values', checkKey(key)];
  const most = kvLimits.valueBytes;
  const call = { ...read(base, {}, signal), ...(whole ? { wholeAnswer: most } : {}) };
  const answer = await unlessMissing(() => callBytes(session.send, call, most));
  if (answer === undefined) return undefined;
  const expiration = Number(answer.headers['expiration']);
  return Number.isInteger(expiration) && expiration > 0
    ? { body: answer.body, expiration }
    : { body: answer.body };
}

/**
 * Metadata and expiry of a key, or undefined when there is none. Read from a listing whose prefix is the key (it
 * sorts first), because one request then gives both and the value stays where it is.
 */
export async function readEntry(
  session: Session,
  namespaceId: string,
  key: string,
  signal?: AbortSignal,
): Promise<KeyEntry | undefined> {
  const options = { prefix: checkKey(key), limit: 10, ...(signal ? { signal } : {}) };
  for await (const page of listKeys(session, namespaceId, options)) {
    const first = page[0];
    if (first !== undefined) return first.name === key ? first : undefined;
  }
  return undefined;
}

/** Stores a value. Refuses what the platform would refuse, before anything is sent. */
export async function writeValue(
  session: Session,
  namespaceId: string,
  key: string,
  entry: NewValue,
): Promise<void> {
  checkNewKey(key, entry.anyKey ?? false);
  checkNewValue(entry, session.world.now());
  const { ttl, expiration } = effectiveExpiry(entry);
  const base = [...(await namespaceBase(session, namespaceId)), 'values', key];
  const call: Call = {
    method: 'PUT',
    path: pathOf(base, { expiration, expiration_ttl: ttl }),
    ...payload(session, entry),
    repeatable: true,
  };
  await callResult(session.send, call, checkNothing);
}

/** Removes a key. A missing key is no fault. */
export async function removeKey(session: Session, namespaceId: string, key: string): Promise<void> {
  const base = [...(await namespaceBase(session, namespaceId)), 'values', checkKey(key)];
  const call: Call = { method: 'DELETE', path: pathOf(base), headers: {}, repeatable: true };
  await unlessMissing(() => callResult(session.send, call, checkNothing));
}

/** The path of a namespace's resources; refuses an id that could not be one. */
export async function namespaceBase(session: Session, id: string): Promise<string[]> {
  return [...(await namespacesBase(session)), id];
}

async function namespacesBase(session: Session): Promise<string[]> {
  return ['accounts', await session.accountId(), 'storage', 'kv', 'namespaces'];
}

function read(base: readonly string[], query: Query, signal?: AbortSignal): Call {
  return {
    method: 'GET',
    path: pathOf(base, query),
    headers: {},
    repeatable: true,
    ...(signal ? { signal } : {}),
  };
}

function json(method: Method, base: readonly string[], body: unknown, repeatable: boolean): Call {
  return {
    method,
    path: pathOf(base),
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
    repeatable,
  };
}

function payload(session: Session, entry: NewValue): Pick<Call, 'headers' | 'body'> {
  if (entry.metadata === undefined) {
    return { headers: { 'content-type': 'application/octet-stream' }, body: entry.value };
  }
  const boundary = `edgectl-${Buffer.from(session.world.random(18)).toString('hex')}`;
  const form = multipart(
    [
      { name: 'value', content: entry.value },
      { name: 'metadata', content: JSON.stringify(entry.metadata) },
    ],
    boundary,
  );
  return { headers: { 'content-type': form.contentType }, body: form.body };
}

/** Refuses a value, an expiry or metadata that the platform would not store. `now` is in milliseconds. */
export function checkNewValue(entry: NewValue, now: number): void {
  if (entry.value.length > kvLimits.valueBytes) {
    const size = entry.value.length.toLocaleString('en');
    throw new Problem('invalid-input', `A value has at most 26,214,400 bytes (25 MiB); this has ${size}.`);
  }
  const fault =
    expiryFault(entry, now) ?? (entry.metadata === undefined ? undefined : metadataFault(entry.metadata));
  if (fault !== undefined) throw new Problem('invalid-input', `${sentence(fault)}.`);
}

function checkTitle(title: string): void {
  if (title.trim() === '') throw new Problem('invalid-input', 'A namespace title cannot be empty.');
  if (Buffer.byteLength(title) > kvLimits.titleBytes) {
    throw new Problem('invalid-input', 'A namespace title has at most 512 bytes.');
  }
}

function titleTaken(error: unknown, title: string): unknown {
  if (!isProblem(error) || error.platformCode !== 10014) return error;
  return new Problem('refused', `A namespace with the title "${title}" already exists.`, {
    cause: error,
    platformCode: 10014,
    status: error.status,
    requestId: error.requestId,
    hint: 'Take it as it is with --if-not-exists, or choose another name.',
  });
}

const missingNamespaceCodes = new Set([10009, 10011, 10013]);

/** Undefined for a missing key; a missing namespace stays a Problem, told apart by the platform's words. */
async function unlessMissing<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isProblem(error) && error.code === 'not-found' && !namesNamespace(error)) return undefined;
    throw error;
  }
}

function namesNamespace(problem: Problem): boolean {
  return missingNamespaceCodes.has(problem.platformCode ?? 0) && /namespace/i.test(problem.message);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
