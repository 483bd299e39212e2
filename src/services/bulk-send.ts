import * as v from 'valibot';
import { callResult } from '../v4/client.ts';
import { pathOf } from '../v4/path.ts';
import type { Call, Method, Send } from '../v4/send.ts';
import { namespaceBase } from './kv.ts';
import type { Session } from './session.ts';

/** Sends one batch and gives the keys that the platform did not take. */
export type SendBatch = (body: Uint8Array, signal?: AbortSignal) => Promise<readonly string[]>;

const outcomeShape = v.object({
  successful_key_count: v.optional(v.number()),
  unsuccessful_keys: v.optional(v.nullable(v.array(v.string()))),
});

/** The request that writes a batch of entries (`PUT …/bulk`). */
export function putBatches(session: Session, namespaceId: string): SendBatch {
  return batches(session, namespaceId, 'PUT', ['bulk']);
}

/** The request that deletes a batch of keys (`POST …/bulk/delete`). Missing keys are no fault. */
export function deleteBatches(session: Session, namespaceId: string): SendBatch {
  return batches(session, namespaceId, 'POST', ['bulk', 'delete']);
}

function batches(session: Session, namespaceId: string, method: Method, below: string[]): SendBatch {
  return async (body, signal) => {
    const call: Call = {
      method,
      path: pathOf([...(await namespaceBase(session, namespaceId)), ...below]),
      headers: { 'content-type': 'application/json' },
      body,
      // Both say what is to be, not what is to change: doing them twice is the same as once.
      repeatable: true,
      ...(signal ? { signal } : {}),
    };
    return unsuccessful(session.send, call);
  };
}

async function unsuccessful(send: Send, call: Call): Promise<readonly string[]> {
  const { result } = await callResult(send, call, (value) => v.parse(v.nullish(outcomeShape), value));
  return result?.unsuccessful_keys ?? [];
}

export interface RetryKeys {
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  readonly signal: AbortSignal;
  /** Told of each further request for keys that were not taken. */
  onRetry(keys: number): void;
}

/** Waits before a further request for keys that were not taken. */
const waits = [500, 1000, 2000] as const;

/** Sends a batch unless it is empty (`[]`), then again what of it was not taken, up to three times. Gives the keys that never were. */
export async function sendUntilTaken(
  send: SendBatch,
  body: Uint8Array,
  retry: RetryKeys,
): Promise<readonly string[]> {
  let failed = body.length > 2 ? await send(body, retry.signal) : [];
  for (const wait of waits) {
    if (failed.length === 0 || retry.signal.aborted) break;
    retry.onRetry(failed.length);
    await retry.sleep(wait, retry.signal);
    failed = await send(entriesOf(body, new Set(failed)), retry.signal);
  }
  return failed;
}

/** The part of a batch that is about these keys. */
function entriesOf(body: Uint8Array, keys: ReadonlySet<string>): Uint8Array {
  const entries: (string | { key: string })[] = JSON.parse(Buffer.from(body).toString('utf8'));
  const kept = entries.filter((entry) => keys.has(typeof entry === 'string' ? entry : entry.key));
  return Buffer.from(JSON.stringify(kept));
}
