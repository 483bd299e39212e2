import type { Answer } from '../../v4/send.ts';
import { type Exchange, type Route, type RunningEdge, readLimited } from '../http/exchange.ts';

const keyValue = '/accounts/:account/storage/kv/';
/** A bulk body and the room a form needs round it. */
const bodyLimit = 101 * 1024 * 1024;

/**
 * Handles a call while workers run: one that writes keys is separated from their visits. Its body is read before, so that a
 * slow sender delays no visitor. Objects are not: their bodies are long, and their lock is short.
 */
export async function handleBesideWorkers(
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
