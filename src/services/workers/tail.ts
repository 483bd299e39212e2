import * as v from 'valibot';
import { asProblem, isProblem, Problem } from '../../model/problem.ts';
import type { TraceEvent } from '../../model/workers/trace.ts';
import type { TraceFilter } from '../../model/workers/trace-filter.ts';
import { callResult } from '../../v4/client.ts';
import type { Session } from '../session/session.ts';
import { listenTo, type SocketEnd } from './tail-socket.ts';
import { scriptCall, withJsonBody, withWorkerName } from './workers.ts';

/** A run of a worker, or an event of the connection that delivers the runs. */
export type TailNews =
  | { readonly kind: 'connected' }
  /** A run of the worker, with all fields that the platform sends. */
  | { readonly kind: 'run'; readonly run: TraceEvent }
  /** A message of the platform about the tail, for example that it delivers only a sample of the runs. */
  | { readonly kind: 'notice'; readonly message: string }
  /** Number of runs that were dropped because the caller did not read them fast enough. */
  | { readonly kind: 'dropped'; readonly count: number }
  /** The connection was lost. The next attempt to reconnect starts after `wait` milliseconds. */
  | { readonly kind: 'lost'; readonly reason: string; readonly wait: number }
  /** The platform ended the tail. */
  | { readonly kind: 'ended'; readonly reason: string };

const madeShape = v.object({ id: v.string(), url: v.string() });
const logShape = v.looseObject({ level: v.optional(v.string(), 'log') });
const exceptionShape = v.looseObject({
  name: v.optional(v.string()),
  stack: v.nullish(v.string()),
});
const runShape = v.looseObject({
  outcome: v.optional(v.string(), 'unknown'),
  scriptName: v.nullish(v.string()),
  eventTimestamp: v.nullish(v.number()),
  event: v.nullish(v.record(v.string(), v.unknown())),
  logs: v.optional(v.array(logShape), []),
  exceptions: v.optional(v.array(exceptionShape), []),
});

/**
 * Pauses before the attempts to reconnect, in milliseconds. After the last attempt, the tail fails. A connection that delivers data or
 * lasts `stableMs` resets the number of attempts, because the platform closes tails of idle workers every few hours, and proxies do so
 * sooner.
 */
const reconnectDelaysMs = [1000, 2000, 4000, 8000, 16_000];
const stableMs = 30_000;
/** Timeout in milliseconds for deleting the tail at the end. */
const deleteTimeoutMs = 3000;

/**
 * Yields each run of a worker until the signal is aborted or the platform ends the tail. Reconnects after a lost connection; runs during the
 * interruption are lost. Deletes the tail at the end. Throws not-found for an unknown worker, and unreachable if it cannot reconnect.
 */
export async function* tailWorker(
  session: Session,
  name: string,
  filters: readonly TraceFilter[],
  signal: AbortSignal,
): AsyncGenerator<TailNews> {
  let attempt = 0;
  while (!signal.aborted) {
    const heard: ConnectionOutcome = { anything: false };
    const reason = yield* tailOnce(session, name, filters, signal, heard, attempt > 0);
    if (reason === undefined || signal.aborted) return;
    const stood = session.world.now() - (heard.since ?? session.world.now());
    attempt = heard.anything || stood >= stableMs ? 0 : attempt;
    const wait = reconnectDelaysMs[attempt];
    if (wait === undefined)
      throw new Problem('unreachable', `The logs of "${name}" cannot be read: ${reason}.`);
    attempt += 1;
    yield { kind: 'lost', reason, wait };
    await session.world.sleep(wait, signal).catch(() => undefined);
  }
}

/** The outcome of a connection. `anything` means that the connection delivered data. */
interface ConnectionOutcome {
  anything: boolean;
  /** Time at which the connection was opened, in milliseconds. */
  since?: number;
}

/** Yields runs from one connection. Returns why the connection was lost; undefined if the tail has ended. */
async function* tailOnce(
  session: Session,
  name: string,
  filters: readonly TraceFilter[],
  signal: AbortSignal,
  heard: ConnectionOutcome,
  again: boolean,
): AsyncGenerator<TailNews, string | undefined> {
  let made: { id: string; url: string };
  try {
    made = await createTail(session, name, filters, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!again || !isTemporary(error)) throw error;
    return asProblem(error).message.replace(/\.$/, '');
  }
  let end: SocketEnd;
  try {
    end = yield* readNews(session.world, made.url, signal, heard);
  } finally {
    await deleteTail(session, name, made.id);
  }
  if (signal.aborted) return undefined;
  if (end.code !== 1000) return describeEnd(end);
  yield { kind: 'ended', reason: end.reason };
  return undefined;
}

/** Returns whether an error may be temporary, as opposed to a refusal of the request. */
function isTemporary(error: unknown): boolean {
  if (!isProblem(error)) return false;
  return error.code === 'unreachable' || error.code === 'rate-limited' || (error.status ?? 0) >= 500;
}

function describeEnd({ opened, reason }: SocketEnd): string {
  if (!opened) return 'its WebSocket cannot be opened';
  return reason === '' ? 'the connection was closed' : reason.replace(/\.$/, '');
}

async function* readNews(
  { now, env }: Session['world'],
  url: string,
  signal: AbortSignal,
  heard: ConnectionOutcome,
): AsyncGenerator<TailNews, SocketEnd> {
  const socket = listenTo(url, signal, env);
  try {
    for (let step = await socket.next(); ; step = await socket.next()) {
      if (step.done === true) return step.value;
      const news = step.value;
      if (news.kind === 'open') {
        heard.since = now();
        yield { kind: 'connected' };
      } else if (news.kind === 'dropped') yield news;
      else {
        heard.anything = true;
        yield parseNews(news.text);
      }
    }
  } finally {
    await socket.return({ code: 1000, reason: '', opened: true });
  }
}

function parseNews(text: string): TailNews {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'notice', message: 'The platform reported a run in an unknown format.' };
  }
  const { success, output } = v.safeParse(runShape, value);
  if (!success) return { kind: 'notice', message: 'The platform reported a run in an unknown format.' };
  const run = output as TraceEvent;
  const { type, message } = run.event ?? {};
  if (typeof type === 'string' && typeof message === 'string') return { kind: 'notice', message };
  return { kind: 'run', run };
}

async function createTail(
  session: Session,
  name: string,
  filters: readonly TraceFilter[],
  signal: AbortSignal,
): Promise<{ id: string; url: string }> {
  const call = withJsonBody(await scriptCall(session, 'POST', name, ['tails']), { filters });
  const check = (result: unknown) => v.parse(madeShape, result);
  // A tail changes no data, so read-only sessions can create it.
  const asked = { ...call, readsOnly: true, signal };
  try {
    return (await withWorkerName(session, name, () => callResult(session.send, asked, check))).result;
  } catch (error) {
    if (!isProblem(error) || error.platformCode !== notServedCode || session.where.kind !== 'sandbox')
      throw error;
    throw new Problem('refused', 'No server runs the workers of this sandbox, so there is nothing to tail.', {
      remedy: { kind: 'start-sandbox', folder: session.where.folder },
      cause: error,
    });
  }
}

/** The embedded platform's error code for a tail in a process that serves no edge. */
const notServedCode = 10057;

/** Deletes a tail. Ignores a failure, because the platform deletes abandoned tails automatically. */
async function deleteTail(session: Session, name: string, id: string): Promise<void> {
  const call = await scriptCall(session, 'DELETE', name, ['tails', id]);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), deleteTimeoutMs);
  // Uses a separate signal, because Ctrl-C may already have aborted the signal of the tail.
  await callResult(session.send, { ...call, readsOnly: true, signal: late.signal }, () => undefined).catch(
    () => undefined,
  );
  clearTimeout(timer);
}
