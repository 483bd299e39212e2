import type { Answer } from '../../v4/send.ts';
import { type Exchange, type Route, type RunningEdge, readLimited } from '../http/exchange.ts';

const keyValue = '/accounts/:account/storage/kv/';
/** Maximum length in bytes of a body: a bulk request, with some overhead for a form. */
const bodyLimit = 101 * 1024 * 1024;

/**
 * Handles a call while workers run. A call that writes keys waits until no worker handles a request. The body of the call is read before
 * the wait, so that a slow sender does not delay the workers. Calls that write objects do not wait, because their bodies are long and they
 * hold the lock only briefly.
 */
export async function handleWhileWorkersRun(
  edge: RunningEdge,
  route: Route,
  exchange: Exchange,
): Promise<Answer> {
  const { call } = exchange;
  const reads = route.method === 'GET' || route.pattern.endsWith('/bulk/get');
  if (reads || !route.pattern.startsWith(keyValue)) return route.handle(exchange);
  if (call.body === undefined) return edge.alone(async () => route.handle(exchange));
  const body = await readLimited(call.body, bodyLimit);
  return edge.alone(async () => route.handle({ ...exchange, call: { ...call, body } }));
}
