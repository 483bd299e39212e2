import { type BulkItem, type EntryFault, isFault } from '../model/bulk.ts';
import type { Checkpoint, CheckpointKey } from '../model/checkpoint.ts';
import type { IndexRanges } from '../model/index-ranges.ts';
import { type BulkEntry, kvLimits } from '../model/kv.ts';
import { asProblem, Problem } from '../model/problem.ts';
import type { Watch } from '../model/progress.ts';
import { type Batch, Batches } from './bulk-batch.ts';
import { type ParseEntry, readEntries } from './bulk-entries.ts';
import type { BulkInput } from './bulk-input.ts';
import { type SendBatch, sendUntilTaken } from './bulk-send.ts';
import type { Survey } from './bulk-survey.ts';
import type { Checkpoints } from './checkpoints.ts';
import { InFlight } from './in-flight.ts';
import type { Session } from './session.ts';

/** What a sending of a bulk file has come to. */
export interface BulkReport {
  readonly entries: number;
  readonly earlier: number;
  /** Entries that the platform has taken in this run. */
  readonly taken: number;
  /** Entries left out because a later one has the same key. */
  readonly repeated: Sample;
  /** Wrong entries that were left out. */
  readonly invalid: number;
  /** Keys that the platform did not take. */
  readonly failed: Sample;
  /** What ended the run early; `interrupted` after Ctrl-C. */
  readonly stopped?: Problem;
}

/** Many keys: how many, and the first twenty. */
export interface Sample {
  readonly count: number;
  readonly first: readonly string[];
}

/** In-flight requests, and the bytes of their bodies: what bounds memory. */
const inFlight = { requests: 4, bytes: 32 * 1024 * 1024 };
/** Room for 10,000 entries of 2 kB. */
const batchBytes = 24 * 1024 * 1024;

export interface RunOptions {
  readonly operation: 'bulk put' | 'bulk delete';
  /** Leaves wrong entries out. */
  readonly skipInvalid: boolean;
  /** Arguments that continue this run, for its checkpoint. */
  readonly resumeArguments: readonly string[];
  readonly watch: Watch;
}

/** What one sending of a bulk file works with. */
export interface RunParts {
  readonly session: Session;
  readonly input: BulkInput;
  readonly options: RunOptions;
  readonly key: CheckpointKey;
  readonly checkpoints: Checkpoints;
  readonly confirmed: IndexRanges;
  readonly survey: Survey;
  readonly parse: ParseEntry;
  readonly send: SendBatch;
}

/** One sending of a bulk file, once. */
export class BulkRun {
  readonly #parts: RunParts;
  readonly #batches: Batches;
  readonly #flight = new InFlight(inFlight.requests, inFlight.bytes);
  readonly #hard = new AbortController();
  readonly #repeated = new Samples();
  readonly #failed = new Samples();
  readonly #earlier: number;
  #next = 0;
  #taken = 0;
  #retries = 0;
  #saving: Promise<void> = Promise.resolve();

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.#earlier = parts.confirmed.count;
    const entries =
      parts.options.operation === 'bulk put' ? kvLimits.bulkPutEntries : kvLimits.bulkDeleteKeys;
    this.#batches = new Batches({ entries, bytes: batchBytes });
  }

  async run(): Promise<BulkReport> {
    const stop = this.#parts.session.world.interrupted;
    const onStop = () => this.#abortLate();
    stop.addEventListener('abort', onStop);
    try {
      await this.#sendAll();
      return this.#report();
    } catch (error) {
      await this.#flight.settle();
      const interrupted = stop.aborted && this.#isUnfinished();
      return this.#report(interrupted ? new Problem('interrupted', 'Interrupted.') : asProblem(error));
    } finally {
      stop.removeEventListener('abort', onStop);
      this.#hard.abort();
      await this.#saving.catch(() => undefined);
    }
  }

  async #sendAll(): Promise<void> {
    const { input, parse, confirmed, checkpoints, key } = this.#parts;
    this.#tellProgress();
    const skip = (index: number): boolean => confirmed.has(index);
    const reading = readEntries(input, parse, (entry, index) => this.#take(entry, index), { skip });
    let end = 0;
    for await (end of reading) await this.#startBatches();
    this.#batches.end(end);
    await this.#startBatches();
    await this.#flight.finish();
    await this.#saving;
    if (this.#failed.count === 0) await checkpoints.remove(key);
  }

  #take(entry: BulkItem | EntryFault, index: number): void {
    if (index !== this.#next) this.#batches.skip(this.#next, index);
    this.#next = index + 1;
    if (isFault(entry)) {
      if (!this.#parts.options.skipInvalid) throw changedMeanwhile(this.#parts.input.name);
    } else if (this.#parts.survey.keys.isLast(entry.key, index)) {
      this.#batches.add(index, textOf(entry));
    } else this.#repeated.add(entry.key);
  }

  async #startBatches(): Promise<void> {
    for (let batch = this.#batches.take(); batch !== undefined; batch = this.#batches.take()) {
      const { body } = batch;
      const taken = batch;
      this.#parts.session.world.interrupted.throwIfAborted();
      await this.#flight.start(body.length, () => this.#send(taken));
    }
    this.#parts.session.world.interrupted.throwIfAborted();
  }

  async #send(batch: Batch): Promise<void> {
    const { send, session } = this.#parts;
    const failed = await sendUntilTaken(send, batch.body, {
      sleep: session.world.sleep,
      signal: this.#hard.signal,
      onRetry: () => {
        this.#retries++;
        this.#tellProgress();
      },
    });
    this.#batches.giveBack(batch);
    this.#taken += batch.count - failed.length;
    for (const key of failed) this.#failed.add(key);
    if (failed.length === 0) await this.#confirm(batch);
    this.#tellProgress();
  }

  /** Notes a batch as confirmed, on disk before it counts; the last one needs no note, because the file goes. */
  async #confirm(batch: Batch): Promise<void> {
    const { confirmed, checkpoints } = this.#parts;
    confirmed.add(batch.range);
    if (!this.#isUnfinished()) return;
    // One after the other: an older state must not replace a newer one.
    this.#saving = this.#saving.then(() => checkpoints.write(this.#checkpoint()));
    await this.#saving;
  }

  #checkpoint(): Checkpoint {
    const { key, input, confirmed, options, survey, session } = this.#parts;
    return {
      version: 1,
      ...key,
      ...(input.path === undefined ? {} : { path: input.path }),
      entries: survey.entries,
      confirmed: confirmed.toArray(),
      updated: session.world.now(),
      resume: options.resumeArguments,
    };
  }

  #isUnfinished(): boolean {
    return this.#parts.confirmed.count < this.#parts.survey.entries;
  }

  /** After Ctrl-C the requests in flight may end; one that waits for the platform must not keep the person waiting. */
  #abortLate(): void {
    const grace = this.#parts.session.world.sleep(30_000, this.#hard.signal);
    grace.then(() => this.#hard.abort()).catch(() => undefined);
  }

  #tellProgress(): void {
    const { confirmed, survey, options } = this.#parts;
    options.watch.progress({
      phase: options.operation === 'bulk put' ? 'writing' : 'deleting',
      unit: 'entries',
      done: confirmed.count,
      total: survey.entries,
      retries: this.#retries,
      failed: this.#failed.count,
    });
  }

  #report(stopped?: Problem): BulkReport {
    const { survey } = this.#parts;
    return {
      entries: survey.entries,
      earlier: this.#earlier,
      taken: this.#taken,
      repeated: this.#repeated,
      invalid: survey.faults.count,
      failed: this.#failed,
      ...(stopped === undefined ? {} : { stopped }),
    };
  }
}

class Samples implements Sample {
  readonly first: string[] = [];
  count = 0;

  add(key: string): void {
    this.count++;
    if (this.first.length < 20) this.first.push(key);
  }
}

/** An entry as JSON. Text that JSON would make longer than a request may be is sent as base64. */
function textOf({ sent }: BulkItem): string {
  const text = JSON.stringify(sent);
  if (text.length < kvLimits.bulkBytes / 3 || typeof sent === 'string') return text;
  if (Buffer.byteLength(text) < kvLimits.bulkBytes - 2) return text;
  const encoded: BulkEntry = { ...sent, value: Buffer.from(sent.value).toString('base64'), base64: true };
  return JSON.stringify(encoded);
}

function changedMeanwhile(name: string): Problem {
  return new Problem('invalid-input', `${name} was changed while it was read.`, {
    hint: 'Run the command again when nothing writes to it.',
  });
}
