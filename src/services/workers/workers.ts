import * as v from 'valibot';
import { orMissing } from '../../model/json-record.ts';
import { isProblem, Problem, replaceAdvice } from '../../model/problem.ts';
import type { ValueOf } from '../../model/shape.ts';
import { explainWorkerName } from '../../model/workers/worker.ts';
import type { workerSummary } from '../../model/workers/worker-shape.ts';
import { callResult } from '../../v4/client.ts';
import { buildPath } from '../../v4/path.ts';
import type { Call, Method } from '../../v4/send.ts';
import { checkAnswer } from '../session/agreement.ts';
import type { Session } from '../session/session.ts';

export type WorkerSummary = ValueOf<typeof workerSummary>;

const scriptsShape = v.array(v.object({ id: v.string(), modified_on: orMissing(v.string()) }));
/** The account's subdomain. An embedded platform also returns the URL of its edge, which is null while it serves no edge. */
const subdomainShape = v.object({ subdomain: v.string(), edge_url: v.optional(v.nullable(v.string())) });

/** A header that identifies edgectl to an embedded platform in this process. Over HTTP, every request has this header. */
export const userAgent = { 'user-agent': 'edgectl' };

/** Returns the name of a worker. Throws if the name is invalid. */
export function checkWorkerName(name: string): string {
  const fault = explainWorkerName(name);
  if (fault === undefined) return name;
  throw new Problem('invalid-input', `Invalid worker name "${name}": ${fault}.`);
}

/** Lists the account's workers. */
export async function listWorkers(session: Session, signal?: AbortSignal): Promise<WorkerSummary[]> {
  const path = buildPath(['accounts', await session.accountId(), 'workers', 'scripts']);
  const call: Call = { method: 'GET', path, headers: {}, repeatable: true, signal };
  const { result } = await callResult(session.send, call, (list) => v.parse(scriptsShape, list));
  return result.map(({ id, modified_on: modifiedOn }) => ({
    name: id,
    ...(modifiedOn === undefined ? {} : { modifiedOn }),
  }));
}

/** Deletes a worker with its versions and secrets. Throws not-found if the worker does not exist. */
export async function deleteWorker(session: Session, name: string): Promise<void> {
  const call = await scriptCall(session, 'DELETE', name, []);
  await withWorkerName(session, name, () => callResult(session.send, call, () => undefined));
}

/** Enables a worker's own hostname. */
export async function enableRoute(session: Session, name: string): Promise<void> {
  const call = withJsonBody(await scriptCall(session, 'POST', name, ['subdomain']), { enabled: true });
  const { result } = await callResult(session.send, { ...call, repeatable: true }, (value) => value);
  checkAnswer(`Enabling the hostname of the worker "${name}"`, { enabled: true }, result);
}

/**
 * Returns the URL of a worker: `https://<worker>.<subdomain>.workers.dev`, or `http://<worker>.localhost:<port>` on an embedded platform
 * that serves an edge. Returns undefined if no edge serves the worker, or if the account has no subdomain.
 */
export async function workerUrl(session: Session, name: string): Promise<string | undefined> {
  const path = buildPath(['accounts', await session.accountId(), 'workers', 'subdomain']);
  const call: Call = { method: 'GET', path, headers: {}, repeatable: true };
  const answer = await ifWorkerExists(() =>
    callResult(session.send, call, (result) => v.parse(subdomainShape, result)),
  );
  if (answer === undefined) return undefined;
  const { subdomain, edge_url: edge } = answer.result;
  if (edge === null) return undefined;
  return edge?.replace('://', `://${name}.`) ?? `https://${name}.${subdomain}.workers.dev`;
}

/** Returns a call to a path below a worker. A POST call is not retried unless the caller sets `repeatable`. */
export async function scriptCall(
  session: Session,
  method: Method,
  name: string,
  below: readonly string[],
  query: Readonly<Record<string, string | boolean>> = {},
): Promise<Call> {
  const base = ['accounts', await session.accountId(), 'workers', 'scripts', checkWorkerName(name)];
  const repeatable = method !== 'POST';
  return { method, path: buildPath([...base, ...below], query), headers: userAgent, repeatable };
}

export function withJsonBody(call: Call, body: unknown, contentType = 'application/json'): Call {
  const headers = { ...call.headers, 'content-type': contentType };
  return { ...call, headers, body: Buffer.from(JSON.stringify(body)) };
}

/**
 * Runs a call about a worker. If the worker is unknown, the error contains its name, with advice to deploy the worker (`give`) or to list
 * the workers (`find`). If its newest version is not deployed, the error explains how to deploy that version.
 */
export async function withWorkerName<T>(
  session: Session,
  name: string,
  call: () => Promise<T>,
  wants: 'give' | 'find' = 'find',
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isMissingWorker(error)) throw missingWorkerProblem(session, name, error, wants);
    if (!isProblem(error) || error.platformCode !== newestNotDeployedCode) throw error;
    throw replaceAdvice(error, { remedy: { kind: 'deploy-newest', name } });
  }
}

export function missingWorkerProblem(
  { label }: Session,
  name: string,
  cause?: Problem,
  wants: 'give' | 'find' = 'find',
): Problem {
  const remedy =
    wants === 'give' ? ({ kind: 'deploy-worker', name } as const) : ({ kind: 'list-workers' } as const);
  return new Problem('not-found', `Worker "${name}" not found on ${label}.`, { remedy, cause });
}

const missingCodes = [10007, 10090];
const newestNotDeployedCode = 10215;

function isMissingWorker(error: unknown): error is Problem {
  return isProblem(error) && missingCodes.includes(error.platformCode ?? 0);
}

/** Runs a call about a worker. Returns undefined if the worker does not exist. */
export async function ifWorkerExists<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (isMissingWorker(error) || (isProblem(error) && isMissingWorker(error.cause))) return undefined;
    throw error;
  }
}
