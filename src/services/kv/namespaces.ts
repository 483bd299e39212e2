import * as v from 'valibot';
import { refuseUnsupported } from '../../model/capability.ts';
import { kvLimits, type Namespace } from '../../model/kv/kv.ts';
import { isProblem, Problem } from '../../model/problem.ts';
import { callResult } from '../../v4/client.ts';
import { numberedPages } from '../../v4/pages.ts';
import { buildPath, type Query } from '../../v4/path.ts';
import type { Call, Method } from '../../v4/send.ts';
import { checkAnswer } from '../session/agreement.ts';
import type { Session } from '../session/session.ts';

const namespaceShape = v.pipe(
  v.object({ id: v.string(), title: v.string(), jurisdiction: v.nullish(v.string()) }),
  v.transform(
    ({ jurisdiction, ...namespace }): Namespace => ({
      ...namespace,
      ...(typeof jurisdiction === 'string' && { jurisdiction }),
    }),
  ),
);

const checkNamespace = (result: unknown): Namespace => v.parse(namespaceShape, result);
const checkNamespaces = (result: unknown): Namespace[] => v.parse(v.array(namespaceShape), result);
const asItIs = (result: unknown): unknown => result;

/** Lists all namespaces of the account, sorted by title, page by page. */
export async function* listNamespaces(session: Session): AsyncGenerator<Namespace[]> {
  const base = await namespacesBase(session);
  yield* numberedPages(
    session.send,
    (page) => readCall(base, { page, per_page: 100, order: 'title', direction: 'asc' }),
    checkNamespaces,
  );
}

/**
 * Lists the namespaces of a session's target. For preview: namespaces whose id is a preview_id in the configuration, or whose title ends in
 * `_preview`. For other targets: all namespaces.
 */
export async function* listTargetNamespaces(session: Session): AsyncGenerator<Namespace[]> {
  if (session.target !== 'preview') return yield* listNamespaces(session);
  const bound = (await session.project())?.kvNamespaces.map(({ previewId }) => previewId) ?? [];
  for await (const page of listNamespaces(session)) {
    yield page.filter(({ id, title }) => bound.includes(id) || title.endsWith('_preview'));
  }
}

/** Finds the namespace with this title; returns undefined if none exists. */
export async function findNamespaceByTitle(session: Session, title: string): Promise<Namespace | undefined> {
  for await (const page of listNamespaces(session)) {
    const found = page.find((namespace) => namespace.title === title);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Creates a namespace. Throws if the title is empty, too long or in use (10014). */
export async function createNamespace(
  session: Session,
  title: string,
  jurisdiction?: string,
): Promise<Namespace> {
  refuseUnsupported(session, 'listNamespaces');
  checkTitle(title);
  const body = { title, ...(jurisdiction !== undefined && { jurisdiction }) };
  const call = json('POST', await namespacesBase(session), body, false);
  try {
    const { result } = await callResult(session.send, call, checkNamespace);
    checkAnswer(`Creating the namespace "${title}"`, { title, jurisdiction }, result);
    return result;
  } catch (error) {
    throw titleTaken(error, title);
  }
}

/** Creates a namespace, or returns the existing namespace with this title. Throws all other errors of `createNamespace`. */
export async function ensureNamespace(
  session: Session,
  title: string,
  jurisdiction?: string,
): Promise<{ namespace: Namespace; created: boolean }> {
  try {
    return { namespace: await createNamespace(session, title, jurisdiction), created: true };
  } catch (error) {
    if (!isProblem(error) || error.platformCode !== 10014) throw error;
    const namespace = await findNamespaceByTitle(session, title);
    if (namespace === undefined) throw error;
    return { namespace, created: false };
  }
}

/** Renames a namespace. Throws the same errors as `createNamespace`, and not-found if the namespace does not exist. */
export async function renameNamespace(session: Session, id: string, title: string): Promise<void> {
  refuseUnsupported(session, 'renameNamespaces');
  checkTitle(title);
  const call = json('PUT', await namespaceBase(session, id), { title }, true);
  try {
    const { result } = await callResult(session.send, call, asItIs);
    checkAnswer(`Renaming the namespace ${id} to "${title}"`, { id, title }, result);
  } catch (error) {
    throw titleTaken(error, title);
  }
}

/** Deletes a namespace with all its keys. Throws not-found if the namespace does not exist. */
export async function deleteNamespace(session: Session, id: string): Promise<void> {
  const call: Call = {
    method: 'DELETE',
    path: buildPath(await namespaceBase(session, id)),
    headers: {},
    repeatable: true,
  };
  const { result } = await callResult(session.send, call, asItIs);
  checkAnswer(`Deleting the namespace ${id}`, { id }, result);
}

/** Reads a namespace by its id. Throws not-found if the namespace does not exist. */
export async function readNamespace(session: Session, id: string): Promise<Namespace> {
  const base = await namespaceBase(session, id);
  return (await callResult(session.send, readCall(base, {}), checkNamespace)).result;
}

/** Returns the path of a namespace, in segments. */
export async function namespaceBase(session: Session, id: string): Promise<string[]> {
  return [...(await namespacesBase(session)), id];
}

async function namespacesBase(session: Session): Promise<string[]> {
  return ['accounts', await session.accountId(), 'storage', 'kv', 'namespaces'];
}

/** Returns a GET request. */
export function readCall(base: readonly string[], query: Query, signal?: AbortSignal): Call {
  return {
    method: 'GET',
    path: buildPath(base, query),
    headers: {},
    repeatable: true,
    ...(signal ? { signal } : {}),
  };
}

function json(method: Method, base: readonly string[], body: unknown, repeatable: boolean): Call {
  return {
    method,
    path: buildPath(base),
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
    repeatable,
  };
}

function checkTitle(title: string): void {
  if (title.trim() === '') throw new Problem('invalid-input', 'A namespace title cannot be empty.');
  if (Buffer.byteLength(title) > kvLimits.titleBytes) {
    throw new Problem('invalid-input', 'A namespace title can be at most 512 bytes long.');
  }
}

function titleTaken(error: unknown, title: string): unknown {
  if (!isProblem(error) || error.platformCode !== 10014) return error;
  return new Problem('refused', `A namespace with the title "${title}" already exists.`, {
    cause: error,
    platformCode: 10014,
    status: error.status,
    requestId: error.requestId,
    remedy: { kind: 'take-existing' },
  });
}
