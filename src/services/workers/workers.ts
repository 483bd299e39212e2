import * as v from 'valibot';
import { advised, isProblem, Problem } from '../../model/problem.ts';
import {
  type DeployedWorker,
  moduleKindOf,
  type WorkerModule,
  workerNameFault,
} from '../../model/workers/worker.ts';
import { callBytes, callResult } from '../../v4/client.ts';
import { pathOf } from '../../v4/path.ts';
import type { FormPart } from '../../v4/read-form.ts';
import { type Answer, type Call, closeBody, type Method } from '../../v4/send.ts';
import { refuseOther } from '../session/agreement.ts';
import type { Session } from '../session/session.ts';

/** A worker in a list of the account's. Times are ISO 8601. */
export interface WorkerSummary {
  readonly name: string;
  readonly modifiedOn?: string;
}

const bindingShape = v.looseObject({ name: v.string(), type: v.string() });
const settingsShape = v.object({
  bindings: v.optional(v.array(bindingShape), []),
  compatibility_date: v.optional(v.string()),
  compatibility_flags: v.optional(v.array(v.string()), []),
});
const scriptsShape = v.array(v.object({ id: v.string(), modified_on: v.optional(v.string()) }));
/** An embedded platform adds its edge's address, null while none is served. */
const subdomainShape = v.object({ subdomain: v.string(), edge_url: v.optional(v.nullable(v.string())) });

/** Tells the embedded platform that edgectl calls; a Send over HTTP does so by itself. */
export const userAgent = { 'user-agent': 'edgectl' };
const codeLimit = 128 * 1024 * 1024;

/** Refuses a name that no worker can have. */
export function checkWorkerName(name: string): string {
  const fault = workerNameFault(name);
  if (fault === undefined) return name;
  throw new Problem('invalid-input', `Bad worker name "${name}": ${fault}.`);
}

/** The account's workers. */
export async function listWorkers(session: Session, signal?: AbortSignal): Promise<WorkerSummary[]> {
  const path = pathOf(['accounts', await session.accountId(), 'workers', 'scripts']);
  const call: Call = { method: 'GET', path, headers: {}, repeatable: true, signal };
  const { result } = await callResult(session.send, call, (list) => v.parse(scriptsShape, list));
  return result.map(({ id, modified_on: modifiedOn }) => ({
    name: id,
    ...(modifiedOn === undefined ? {} : { modifiedOn }),
  }));
}

/** Reads the deployed worker of this name: bindings, date and code; undefined when there is none. */
export async function readWorker(session: Session, name: string): Promise<DeployedWorker | undefined> {
  const settings = await readWorkerSettings(session, name);
  return settings && { ...settings, modules: await readModules(session, name) };
}

/** Reads the deployed worker of this name without its code; undefined when there is none. */
export async function readWorkerSettings(
  session: Session,
  name: string,
): Promise<Omit<DeployedWorker, 'modules'> | undefined> {
  const settings = await unlessMissing(async () =>
    callResult(session.send, await scriptCall(session, 'GET', name, ['settings']), (result) =>
      v.parse(settingsShape, result),
    ),
  );
  if (settings === undefined) return undefined;
  const { bindings, compatibility_date: date, compatibility_flags: compatibilityFlags } = settings.result;
  return {
    bindings,
    compatibilityFlags,
    ...(date === undefined ? {} : { compatibilityDate: date }),
  };
}

/** The modules that are deployed; none where the platform gives the code in another form. */
async function readModules(session: Session, name: string): Promise<WorkerModule[]> {
  const call = await scriptCall(session, 'GET', name, ['content', 'v2']);
  const answer = await callBytes(session.send, call);
  const contentType = answer.headers['content-type'] ?? '';
  if (!contentType.startsWith('multipart/form-data')) {
    await closeBody(answer);
    return [];
  }
  const parts = await partsOf(name, contentType, answer);
  return parts.map((part) => ({
    name: part.fileName ?? part.name,
    kind: moduleKindOf(part.contentType) ?? 'data',
    content: part.content,
  }));
}

async function partsOf(name: string, contentType: string, { body }: Answer): Promise<FormPart[]> {
  const { readForm, MalformedForm } = await import('../../v4/read-form.ts');
  try {
    return await readForm(contentType, body, codeLimit);
  } catch (error) {
    if (!(error instanceof MalformedForm || error instanceof RangeError)) throw error;
    throw new Problem(
      'refused',
      `The platform's answer with the code of "${name}" cannot be read: ${error.message}.`,
      {
        hint: 'Try again; a proxy on the way may have cut it.',
        cause: error,
      },
    );
  }
}

/** Deletes a worker with its versions and secrets. Refuses with not-found an unknown one. */
export async function deleteWorker(session: Session, name: string): Promise<void> {
  const call = await scriptCall(session, 'DELETE', name, []);
  await namingWorker(session, name, () => callResult(session.send, call, () => undefined));
}

/** Makes a worker answer at its own hostname. */
export async function enableRoute(session: Session, name: string): Promise<void> {
  const call = withJson(await scriptCall(session, 'POST', name, ['subdomain']), { enabled: true });
  const { result } = await callResult(session.send, { ...call, repeatable: true }, (value) => value);
  refuseOther(`Giving the worker "${name}" its hostname`, { enabled: true }, result);
}

/**
 * Where a worker answers: `https://<worker>.<subdomain>.workers.dev`, or on an embedded platform that serves its edge
 * `http://<worker>.localhost:<port>`. Undefined where nothing serves it, or the account has no subdomain.
 */
export async function workerUrl(session: Session, name: string): Promise<string | undefined> {
  const path = pathOf(['accounts', await session.accountId(), 'workers', 'subdomain']);
  const call: Call = { method: 'GET', path, headers: {}, repeatable: true };
  const answer = await unlessMissing(() =>
    callResult(session.send, call, (result) => v.parse(subdomainShape, result)),
  );
  if (answer === undefined) return undefined;
  const { subdomain, edge_url: edge } = answer.result;
  if (edge === null) return undefined;
  return edge?.replace('://', `://${name}.`) ?? `https://${name}.${subdomain}.workers.dev`;
}

/** A call below a worker. Those that write are not repeated unless the caller says so. */
export async function scriptCall(
  session: Session,
  method: Method,
  name: string,
  below: readonly string[],
  query: Readonly<Record<string, string | boolean>> = {},
): Promise<Call> {
  const base = ['accounts', await session.accountId(), 'workers', 'scripts', checkWorkerName(name)];
  const repeatable = method !== 'POST';
  return { method, path: pathOf([...base, ...below], query), headers: userAgent, repeatable };
}

export function withJson(call: Call, body: unknown, contentType = 'application/json'): Call {
  const headers = { ...call.headers, 'content-type': contentType };
  return { ...call, headers, body: Buffer.from(JSON.stringify(body)) };
}

/**
 * Runs a call on a worker. The refusal of an unknown worker names it, and the remedy: `give` what it lacks, or `find` it; that of
 * one whose newest version does not run says how it comes to run.
 */
export async function namingWorker<T>(
  session: Session,
  name: string,
  call: () => Promise<T>,
  wants: 'give' | 'find' = 'find',
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isMissingWorker(error)) throw missingWorker(session, name, error, wants);
    if (!isProblem(error) || error.platformCode !== newestNotRunning) throw error;
    throw advised(error, { remedy: { kind: 'deploy-newest', name } });
  }
}

export function missingWorker(
  { label }: Session,
  name: string,
  cause?: Problem,
  wants: 'give' | 'find' = 'find',
): Problem {
  const remedy =
    wants === 'give' ? ({ kind: 'deploy-worker', name } as const) : ({ kind: 'list-workers' } as const);
  return new Problem('not-found', `There is no worker "${name}" on ${label}.`, { remedy, cause });
}

const missingCodes = [10007, 10090];
const newestNotRunning = 10215;

function isMissingWorker(error: unknown): error is Problem {
  return isProblem(error) && missingCodes.includes(error.platformCode ?? 0);
}

async function unlessMissing<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isMissingWorker(error)) return undefined;
    throw error;
  }
}
