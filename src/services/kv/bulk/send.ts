import * as v from 'valibot';
import { Problem } from '../../../model/problem.ts';
import { callResult } from '../../../v4/client.ts';
import { buildPath } from '../../../v4/path.ts';
import type { Call, Method, Send } from '../../../v4/send.ts';
import type { Session } from '../../session/session.ts';
import { namespaceBase } from '../namespaces.ts';
import type { Batch } from './batch.ts';

/** The body of one request: a JSON array, and the number of its entries. */
export type BatchBody = Pick<Batch, 'body' | 'count'>;

/**
 * Sends one batch and returns the keys that the platform did not accept. Throws if the platform's response contradicts the number of sent
 * entries; accepts a response without a count.
 */
export type SendBatch = (batch: BatchBody, signal?: AbortSignal) => Promise<ReadonlySet<string>>;

const outcomeShape = v.object({
  successful_key_count: v.nullish(v.number()),
  unsuccessful_keys: v.nullish(v.array(v.string())),
});

/** Returns a function that writes a batch of entries (`PUT …/bulk`). */
export function putBatches(session: Session, namespaceId: string): SendBatch {
  return batches(session, namespaceId, 'PUT', ['bulk']);
}

/** Returns a function that deletes a batch of keys (`POST …/bulk/delete`). Missing keys are not an error. */
export function deleteBatches(session: Session, namespaceId: string): SendBatch {
  return batches(session, namespaceId, 'POST', ['bulk', 'delete']);
}

function batches(session: Session, namespaceId: string, method: Method, below: string[]): SendBatch {
  return async ({ body, count }, signal) => {
    const call: Call = {
      method,
      path: buildPath([...(await namespaceBase(session, namespaceId)), ...below]),
      headers: { 'content-type': 'application/json' },
      body,
      // Bulk writes and bulk deletes are idempotent, so they can be repeated.
      repeatable: true,
      signal,
    };
    return unsuccessful(session.send, call, count);
  };
}

async function unsuccessful(send: Send, call: Call, sent: number): Promise<ReadonlySet<string>> {
  const { result } = await callResult(send, call, (value) => v.parse(v.nullish(outcomeShape), value));
  const failed = new Set(result?.unsuccessful_keys);
  const taken = result?.successful_key_count ?? sent;
  // The platform's count may include unsuccessful keys. The caller retries the unsuccessful keys in either case.
  if (failed.size === 0 ? taken === sent : taken >= sent - failed.size) return failed;
  const counts = `${taken.toLocaleString('en')} of ${sent.toLocaleString('en')} entries succeeded`;
  const named =
    failed.size === 0
      ? 'no failed keys are listed'
      : `${failed.size} failed ${failed.size === 1 ? 'key is' : 'keys are'} listed`;
  throw new Problem('refused', `The platform's response contradicts itself: ${counts}, but ${named}.`, {
    hint: 'The state of the entries is unknown. Sending them again is safe.',
  });
}

export interface RetryKeys {
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  readonly signal: AbortSignal;
  /** Called before each retry of keys that the platform did not accept. */
  onRetry(keys: number): void;
}

/** Pause before each retry of keys that the platform did not accept, in milliseconds. */
const waits = [500, 1000, 2000] as const;

/**
 * Sends a batch, unless it is empty, and retries keys that were not accepted, up to three times. Returns the keys that still failed.
 */
export async function sendUntilTaken(
  send: SendBatch,
  batch: BatchBody,
  retry: RetryKeys,
): Promise<ReadonlySet<string>> {
  let failed = batch.count > 0 ? await send(batch, retry.signal) : new Set<string>();
  for (const wait of waits) {
    if (failed.size === 0 || retry.signal.aborted) break;
    const again = selectEntries(batch, failed);
    retry.onRetry(failed.size);
    await retry.sleep(wait, retry.signal);
    failed = await send(again, retry.signal);
  }
  return failed;
}

/** Returns the entries of a batch that have these keys. Throws if a key is not in the batch. */
function selectEntries({ body }: BatchBody, keys: ReadonlySet<string>): BatchBody {
  const entries: (string | { key: string })[] = JSON.parse(Buffer.from(body).toString('utf8'));
  const selected = entries.filter((entry) => keys.has(typeof entry === 'string' ? entry : entry.key));
  if (selected.length === keys.size)
    return { body: Buffer.from(JSON.stringify(selected)), count: selected.length };
  throw new Problem('refused', 'The platform reports keys as failed that were not sent.', {
    hint: 'The state of the entries is unknown. Sending them again is safe.',
  });
}
