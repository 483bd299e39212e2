import { Samples } from '../../../model/samples.ts';
import type { Session } from '../../session/session.ts';
import type { Batch, Batches } from './batch.ts';
import { InFlight } from './in-flight.ts';
import { type BatchBody, type SendBatch, sendUntilTaken } from './send.ts';

/** Maximum number of requests in flight, and maximum total length of their bodies, in bytes. Both limits restrict the use of memory. */
const bounds = { requests: 4, bytes: 24 * 1024 * 1024 };

/** Maximum time for the requests in flight after Ctrl-C, in milliseconds; a second Ctrl-C stops the program immediately. */
const grace = 30_000;

/**
 * Minimum remaining lifetime of an entry when it is sent, in seconds. The platform refuses a whole request if any of its entries expires in
 * less than 60 seconds.
 */
const shortestLife = 62;

export interface SenderParts {
  readonly session: Session;
  readonly send: SendBatch;
  readonly batches: Batches;
  /** Called when the platform has accepted all entries of a batch. The sender waits for the returned promise. */
  onConfirmed(batch: Batch): Promise<void>;
  /** Called after each change of the counts. */
  onChange(): void;
  /** Called on Ctrl-C, while requests are still in flight. */
  onStop(): void;
}

/** A sender that sends batches in parallel, retries entries that were not accepted, and lets batches in flight finish after Ctrl-C. */
export class BatchSender {
  readonly #parts: SenderParts;
  readonly #flight = new InFlight(bounds.requests, bounds.bytes);
  readonly #hard = new AbortController();
  readonly #stop: AbortSignal;
  readonly #onStop = () => this.#abortLate();
  readonly #retriesBefore: number;
  #repeats = 0;
  /** Number of entries that the platform has accepted. */
  taken = 0;
  /** Keys that the platform did not accept, even after retries. */
  readonly failed = new Samples();
  /** Keys that were not sent because they were about to expire. */
  readonly expired = new Samples();

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#stop = parts.session.world.interrupted;
    this.#retriesBefore = parts.session.retries();
    this.#stop.addEventListener('abort', this.#onStop);
  }

  /** Number of retries. */
  get retries(): number {
    return this.#repeats + this.#parts.session.retries() - this.#retriesBefore;
  }

  /** Starts all full batches. Throws the error of an earlier batch that failed, and an AbortError after Ctrl-C. */
  async startReady(): Promise<void> {
    for (;;) {
      this.#stop.throwIfAborted();
      const batch = this.#parts.batches.take();
      if (batch === undefined) return;
      await this.#flight.room(batch.body.length);
      this.#stop.throwIfAborted();
      this.#flight.start(batch.body.length, () => this.#send(batch));
    }
  }

  /** Waits for all started batches. Throws the error of a failed batch. */
  finish(): Promise<void> {
    return this.#flight.finish();
  }

  /** Waits for all started batches, then stops listening for Ctrl-C. Never throws. */
  async close(): Promise<void> {
    await this.#flight.settle();
    this.#stop.removeEventListener('abort', this.#onStop);
    this.#hard.abort();
  }

  async #send(batch: Batch): Promise<void> {
    const { send, session, batches, onConfirmed, onChange } = this.#parts;
    const alive = this.#alive(batch);
    const failed = await sendUntilTaken(send, alive, {
      sleep: session.world.sleep,
      signal: this.#hard.signal,
      onRetry: () => {
        this.#repeats++;
        onChange();
      },
    });
    batches.giveBack(batch);
    this.taken += alive.count - failed.size;
    for (const key of failed) this.failed.add(key);
    if (failed.size === 0) await onConfirmed(batch);
    onChange();
  }

  /** Returns the batch without the entries that expire too soon to be sent, and records these entries in `expired`. */
  #alive(batch: Batch): BatchBody {
    const earliest = this.#parts.session.world.now() / 1000 + shortestLife;
    if (batch.soonest >= earliest) return batch;
    const entries: { key: string; expiration?: number }[] = JSON.parse(Buffer.from(batch.body).toString());
    const alive = entries.filter(({ expiration = earliest }) => expiration >= earliest);
    for (const { key, expiration = earliest } of entries) if (expiration < earliest) this.expired.add(key);
    return { body: Buffer.from(JSON.stringify(alive)), count: alive.length };
  }

  #abortLate(): void {
    this.#parts.onStop();
    const late = this.#parts.session.world.sleep(grace, this.#hard.signal);
    late.then(() => this.#hard.abort()).catch(() => undefined);
  }
}
