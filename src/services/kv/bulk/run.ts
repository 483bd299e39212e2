import { type BulkItem, type EntryFault, isFault } from '../../../model/kv/bulk.ts';
import type { Checkpoint, CheckpointKey } from '../../../model/kv/checkpoint.ts';
import type { IndexRanges } from '../../../model/kv/index-ranges.ts';
import { type BulkEntry, kvLimits } from '../../../model/kv/kv.ts';
import { asProblem, Problem } from '../../../model/problem.ts';
import type { Reporter } from '../../../model/progress.ts';
import { type Sample, Samples } from '../../../model/samples.ts';
import type { Session } from '../../session/session.ts';
import { type Batch, type BatchEntry, Batches, type BatchLimits } from './batch.ts';
import { BatchSender } from './batch-sender.ts';
import type { Checkpoints } from './checkpoints.ts';
import { type ParseEntry, readEntries } from './entries.ts';
import type { BulkInput } from './input.ts';
import type { SendBatch } from './send.ts';
import type { Survey } from './survey.ts';

/** The result of one run of a bulk command. */
export interface BulkReport {
  /** Number of entries in the file: valid, invalid and repeated. */
  readonly entries: number;
  /** Number of entries that an earlier run completed. */
  readonly earlier: number;
  /** Number of entries that the platform accepted in this run. */
  readonly taken: number;
  /** Keys of entries that were skipped because a later entry has the same key. */
  readonly repeated: Sample;
  /** Keys of entries that were skipped because they were about to expire. */
  readonly expired: Sample;
  /** Number of invalid entries that were skipped. */
  readonly invalid: number;
  /** Keys that the platform did not accept. */
  readonly failed: Sample;
  /** The problem that stopped the run early; `interrupted` after Ctrl-C. */
  readonly stopped: Problem | undefined;
}

export interface RunOptions {
  readonly operation: 'bulk put' | 'bulk delete';
  /** Whether to skip invalid entries. */
  readonly skipInvalid: boolean;
  /** Maximum number of entries per request; the platform's maximum is 10,000. */
  readonly batchSize: number;
  /**
   * Command-line arguments that resume this run, as saved in the checkpoint. If undefined, no checkpoint is written, because repeating the
   * command continues the work.
   */
  readonly resumeArguments: readonly string[] | undefined;
  readonly reporter: Reporter;
}

/** The parts of one run of a bulk command. `confirmed` contains the entries that an earlier run completed. */
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

/** One run of a bulk command. Each instance can run only once. */
export class BulkRun {
  readonly #parts: RunParts;
  readonly #batches: Batches;
  readonly #sender: BatchSender;
  readonly #repeated = new Samples();
  readonly #earlier: number;
  #next = 0;
  #saving: Promise<void> = Promise.resolve();

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.#earlier = parts.confirmed.count;
    this.#batches = new Batches(batchLimitsFor(parts));
    this.#sender = new BatchSender({
      session: parts.session,
      send: parts.send,
      batches: this.#batches,
      onConfirmed: (batch) => this.#confirm(batch),
      onChange: () => this.#tellProgress(),
      onStop: () => parts.options.reporter.warn({ kind: 'stopping' }),
    });
  }

  async run(): Promise<BulkReport> {
    try {
      await this.#sendAll();
      return this.#report();
    } catch (error) {
      await this.#sender.close();
      const interrupted = this.#parts.session.world.interrupted.aborted;
      return this.#report(interrupted ? new Problem('interrupted', 'Interrupted.') : asProblem(error));
    } finally {
      await this.#sender.close();
      await this.#saving.catch(() => undefined);
    }
  }

  async #sendAll(): Promise<void> {
    const { input, parse, confirmed, checkpoints, key } = this.#parts;
    this.#tellProgress();
    const skip = (index: number): boolean => confirmed.has(index);
    const reading = readEntries(input, parse, (entry, index) => this.#take(entry, index), { skip });
    let end = 0;
    for await (end of reading) await this.#sender.startReady();
    this.#batches.end(end);
    await this.#sender.startReady();
    await this.#sender.finish();
    if (this.#sender.failed.count === 0) await checkpoints.remove(key);
  }

  #take(entry: BulkItem | EntryFault, index: number): void {
    // The sink does not receive entries that an earlier run has confirmed. No batch may contain these entries.
    if (index !== this.#next) this.#batches.skip(this.#next, index);
    this.#next = index + 1;
    if (isFault(entry)) {
      if (!this.#parts.options.skipInvalid) throw changedMeanwhile(this.#parts.input.name);
    } else if (this.#parts.survey.keys.isLast(entry.key, index)) {
      this.#batches.add(index, batchEntry(entry));
    } else this.#repeated.add(entry.key);
  }

  /**
   * Records a batch as confirmed, and saves the checkpoint. If all entries are confirmed, does not save the checkpoint, because it is then
   * deleted.
   */
  async #confirm(batch: Batch): Promise<void> {
    const { confirmed, checkpoints, survey } = this.#parts;
    confirmed.add(batch.range);
    const { resumeArguments: resume } = this.#parts.options;
    if (confirmed.count >= survey.entries || resume === undefined) return;
    // Writes one checkpoint after another, so that an older checkpoint never overwrites a newer checkpoint.
    this.#saving = this.#saving.then(() => checkpoints.write(this.#checkpoint(resume)));
    await this.#saving;
  }

  #checkpoint(resume: readonly string[]): Checkpoint {
    const { key, input, confirmed, survey, session } = this.#parts;
    return {
      version: 1,
      ...key,
      path: input.path,
      entries: survey.entries,
      confirmed: confirmed.toArray(),
      updated: session.world.now(),
      resume,
    };
  }

  #tellProgress(): void {
    const { confirmed, survey, options } = this.#parts;
    options.reporter.progress({
      phase: options.operation === 'bulk put' ? 'writing' : 'deleting',
      unit: 'entries',
      done: confirmed.count,
      total: survey.entries,
      retries: this.#sender.retries,
      failed: this.#sender.failed.count,
    });
  }

  #report(stopped?: Problem): BulkReport {
    const { survey } = this.#parts;
    const { taken, expired, failed } = this.#sender;
    return {
      entries: survey.entries,
      earlier: this.#earlier,
      taken,
      repeated: this.#repeated,
      expired,
      invalid: survey.faults.count,
      failed,
      stopped,
    };
  }
}

/** Length in base64 of a value of the maximum length. */
const maxBase64Length = (kvLimits.valueBytes / 3) * 4;

/** Maximum size of a body with long entries, in bytes. Larger bodies would not help, because such inputs need many requests anyway. */
export const longEntriesBytes = 4 * 1024 * 1024;

/** Returns the limits of a batch. Allows `session.bulkBytes` if a body of that size has space for `batchSize` average entries. */
function batchLimitsFor({ session, survey, options }: RunParts): BatchLimits {
  const average = survey.contentBytes / Math.max(1, survey.entries);
  const expectedBytes = Math.ceil(average * options.batchSize * 1.1);
  const isFull = expectedBytes <= session.bulkBytes;
  const bytes = isFull ? session.bulkBytes : Math.min(session.bulkBytes, longEntriesBytes);
  return { entries: options.batchSize, bytes, expectedBytes };
}

/**
 * Returns the entry to send. Encodes the value as base64 if the entry's JSON would be longer than the base64 form of the longest valid
 * value: JSON with that many escapes could exceed the maximum length of a request.
 */
export function batchEntry({ key, sent }: BulkItem): BatchEntry {
  const json = JSON.stringify(sent);
  if (typeof sent === 'string') return { key, json };
  const { expiration } = sent;
  if (json.length <= maxBase64Length) return { key, json, expiration };
  const encoded: BulkEntry = { ...sent, value: Buffer.from(sent.value).toString('base64'), base64: true };
  return { key, json: JSON.stringify(encoded), expiration };
}

function changedMeanwhile(name: string): Problem {
  return new Problem('invalid-input', `${name} changed while it was being read.`, {
    hint: 'Run the command again when no program is writing to the file.',
  });
}
