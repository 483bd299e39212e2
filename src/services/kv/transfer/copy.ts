import type { Checkpoint, CheckpointKey } from '../../../model/kv/checkpoint.ts';
import { IndexRanges } from '../../../model/kv/index-ranges.ts';
import { type BulkEntry, type KeyEntry, kvLimits } from '../../../model/kv/kv.ts';
import { asProblem, Problem } from '../../../model/problem.ts';
import type { Reporter } from '../../../model/progress.ts';
import { type Sample, Samples } from '../../../model/samples.ts';
import { type Batch, Batches } from '../bulk/batch.ts';
import { BatchSender } from '../bulk/batch-sender.ts';
import { namespaceAddress } from '../bulk/bulk.ts';
import { type Checkpoints, openCheckpoints } from '../bulk/checkpoints.ts';
import { batchEntry, longEntriesBytes } from '../bulk/run.ts';
import { putBatches } from '../bulk/send.ts';
import { readItemValues, type ValueSource } from '../bulk/values.ts';
import { toBulkEntry } from './export.ts';
import { type KeySelection, type OnConflict, pairKeys, planCopy, refuseConflicts } from './plan.ts';

export interface CopyOptions extends KeySelection {
  readonly onConflict: OnConflict;
  /** Expiry of the copies in UNIX seconds; null for none (default: the expiry of the source keys). */
  readonly expiration?: number | null | undefined;
  /** Whether to resume after the last key confirmed by an interrupted run. */
  readonly resume: boolean;
  readonly resumeArguments: readonly string[];
  /** Whether to count replaced keys. With `overwrite`, counting requires listing the destination: one request per 1,000 keys. */
  readonly countsReplaced?: boolean;
  readonly reporter: Reporter;
}

/** The result of a copy. */
export interface CopyReport {
  readonly copied: number;
  /** Number of keys that earlier runs copied, if this run resumes a copy. */
  readonly earlier: number;
  /** Number of keys skipped because they exist in the destination. */
  readonly skipped: number;
  /** Number of keys replaced in the destination; undefined if not counted, or if this run was resumed, stopped or incomplete. */
  readonly replaced: number | undefined;
  /** Keys skipped because they were about to expire. */
  readonly expired: Sample;
  /** Keys that the destination did not accept. */
  readonly failed: Sample;
  /** Keys skipped because the platform has lost their values. */
  readonly lost: Sample;
  readonly stopped?: Problem;
}

/**
 * Copies keys with values, metadata and expiry from one namespace to another, on any platform or in local data. Before anything is written,
 * throws if both namespaces are the same (unless the copies get another expiry) or, with `fail`, if keys exist in the destination. Later
 * errors are part of the report, not thrown. The checkpoint of an interrupted copy remains until this copy writes its own checkpoint.
 */
export async function copyKeys(
  from: ValueSource,
  to: ValueSource,
  options: CopyOptions,
): Promise<CopyReport> {
  const key = await copyKey(from, to, options);
  const checkpoints = openCheckpoints(to.session.world);
  const found = await checkpoints.find(key);
  const checkpoint = options.resume ? found : undefined;
  const total =
    checkpoint === undefined && options.onConflict === 'fail'
      ? await refuseConflicts(from, to, options, found?.resume ?? [])
      : (checkpoint?.entries ?? options.names?.count);
  return new CopyRun({ from, to, options, key, checkpoints, checkpoint, total }).run();
}

/** Previews the effect of a copy on each key. Reads no values and changes nothing. */
export async function* previewCopy(
  from: ValueSource,
  to: ValueSource,
  options: KeySelection & Pick<CopyOptions, 'onConflict'>,
): AsyncGenerator<CopyEffect[]> {
  await copyKey(from, to, options);
  const existing = { skip: 'skip', overwrite: 'replace', fail: 'conflict' } as const;
  for await (const pairs of pairKeys(from, to, options)) {
    yield pairs.flatMap(({ name: key, left, right }) => {
      if (left === undefined) return [];
      return [{ key, effect: right === undefined ? 'create' : existing[options.onConflict] }];
    });
  }
}

/** The effect of a copy on one key in the source. */
export interface CopyEffect {
  readonly key: string;
  readonly effect: 'create' | 'skip' | 'replace' | 'conflict';
}

/** Returns the key of a copy's checkpoint. Throws if source and destination are the same, unless the copies get another expiry. */
async function copyKey(
  from: ValueSource,
  to: ValueSource,
  {
    prefix = '',
    names,
    onConflict,
    expiration,
  }: KeySelection & Pick<CopyOptions, 'onConflict' | 'expiration'>,
): Promise<CheckpointKey> {
  const target = await namespaceAddress(to.session, to.namespaceId);
  const source = await namespaceAddress(from.session, from.namespaceId);
  if (source !== target || expiration !== undefined) {
    const which = names === undefined && expiration === undefined ? [] : [names?.fingerprint, expiration];
    return { operation: 'copy', target, input: JSON.stringify([source, prefix, onConflict, ...which]) };
  }
  throw new Problem('usage', 'Source and destination are the same namespace.', {
    remedy: { kind: 'name-destination' },
  });
}

interface CopyParts {
  readonly from: ValueSource;
  readonly to: ValueSource;
  readonly options: CopyOptions;
  readonly key: CheckpointKey;
  readonly checkpoints: Checkpoints;
  /** Checkpoint of the run to resume. */
  readonly checkpoint: Checkpoint | undefined;
  /** Number of keys to copy or skip, if known. */
  readonly total: number | undefined;
}

/**
 * Maximum number of keys per request when setting an expiry. A small number shortens the time between reading and writing a key, because
 * changes that other clients make during this time are lost.
 */
const expiryEntries = 100;

class CopyRun {
  readonly #parts: CopyParts;
  readonly #batches: Batches;
  readonly #sender: BatchSender;
  readonly #confirmed = new IndexRanges();
  /** The last key of each confirmed batch, by the index that follows the batch. */
  readonly #lastKeys = new Map<number, string>();
  readonly #earlier: number;
  readonly #lost = new Samples();
  #count = 0;
  #skipped = 0;
  #replaced = 0;
  /** Keys that exist in the destination and have not been added to a batch yet. */
  readonly #replacing = new Set<string>();
  #saving: Promise<void> = Promise.resolve();
  #begun: Promise<void> | undefined;

  constructor(parts: CopyParts) {
    this.#parts = parts;
    this.#earlier = new IndexRanges(parts.checkpoint?.confirmed).count;
    const put = putBatches(parts.to.session, parts.to.namespaceId);
    // The length of the values is not known in advance, so they are assumed to be long.
    const bytes = Math.min(parts.to.session.bulkBytes, longEntriesBytes);
    const isExpiry = parts.options.expiration !== undefined;
    this.#batches = new Batches({ entries: isExpiry ? expiryEntries : kvLimits.bulkPutEntries, bytes });
    this.#sender = new BatchSender({
      session: parts.to.session,
      send: async (batch, signal) => {
        await this.#begin();
        return put(batch, signal);
      },
      batches: this.#batches,
      onConfirmed: (batch) => this.#confirm(batch),
      onChange: () => this.#tellProgress(),
      onStop: () => parts.options.reporter.warn({ kind: 'stopping' }),
    });
  }

  async run(): Promise<CopyReport> {
    try {
      await this.#copyAll();
      return this.#report();
    } catch (error) {
      await this.#sender.close();
      const interrupted = this.#parts.to.session.world.interrupted.aborted;
      return this.#report(interrupted ? new Problem('interrupted', 'Interrupted.') : asProblem(error));
    } finally {
      await this.#sender.close();
      await this.#saving.catch(() => undefined);
    }
  }

  async #copyAll(): Promise<void> {
    const { from, options, checkpoints, key } = this.#parts;
    const signal = from.session.world.interrupted;
    // A listing includes metadata and expiry; for named keys, both must be requested.
    const source = { ...from, lost: this.#lost, withMetadata: options.names !== undefined };
    for await (const group of readItemValues(source, this.#keys(), ({ name }) => name, signal)) {
      for (const { item, value } of group) if (value !== undefined) this.#add(toBulkEntry(item, value));
      await this.#sender.startReady();
      this.#tellProgress();
    }
    this.#batches.end(this.#count);
    await this.#sender.startReady();
    await this.#sender.finish();
    if (this.#sender.failed.count === 0) await checkpoints.remove(key);
  }

  async *#keys(): AsyncGenerator<readonly KeyEntry[]> {
    const { from, to, options, checkpoint } = this.#parts;
    const { prefix, names, onConflict, countsReplaced } = options;
    const plan = { prefix, names, onConflict, after: checkpoint?.through, findsReplaced: countsReplaced };
    for await (const page of planCopy(from, to, plan)) {
      for (const key of page.replaced) this.#replacing.add(key);
      this.#skipped += page.skipped;
      yield page.copy;
    }
  }

  #add(read: BulkEntry): void {
    const { expiration } = this.#parts.options;
    const entry = expiration === undefined ? read : withExpiration(read, expiration);
    this.#batches.add(this.#count, batchEntry({ key: entry.key, sent: entry }));
    if (this.#replacing.delete(entry.key)) this.#replaced++;
    this.#count++;
  }

  /**
   * Writes an empty checkpoint before the first write, unless this run resumes another run. Without a checkpoint, a run after a failure
   * would report a conflict for each key that this run has written.
   */
  #begin(): Promise<void> {
    this.#begun ??= this.#parts.checkpoint === undefined ? this.#save(undefined, 0) : Promise.resolve();
    return this.#begun;
  }

  /** Saves the last key of the batches that are confirmed without a gap, starting with the first batch. A resumed run skips these keys. */
  async #confirm(batch: Batch): Promise<void> {
    this.#confirmed.add(batch.range);
    this.#lastKeys.set(batch.range[1], batch.lastKey);
    const [first] = this.#confirmed.toArray();
    if (first?.[0] !== 0) return;
    await this.#save(this.#lastKeys.get(first[1]), this.#earlier + first[1]);
  }

  /** Writes the checkpoint: `count` keys have been copied, up to and including the key `through`. */
  async #save(through: string | undefined, count: number): Promise<void> {
    const { key, options, to, checkpoints, total } = this.#parts;
    const checkpoint: Checkpoint = {
      version: 1,
      ...key,
      entries: total,
      confirmed: count === 0 ? [] : [[0, count]],
      through,
      updated: to.session.world.now(),
      resume: options.resumeArguments,
    };
    // Writes one checkpoint after another, so that an older checkpoint never overwrites a newer checkpoint.
    this.#saving = this.#saving.then(() => checkpoints.write(checkpoint));
    await this.#saving;
  }

  #tellProgress(): void {
    this.#parts.options.reporter.progress({
      phase: this.#parts.options.expiration === undefined ? 'copying' : 'setting the expiry of',
      unit: 'keys',
      done: this.#earlier + this.#sender.taken + this.#skipped,
      total: this.#parts.total,
      retries: this.#sender.retries,
      failed: this.#sender.failed.count,
    });
  }

  #report(stopped?: Problem): CopyReport {
    const { taken, expired, failed } = this.#sender;
    const { options, checkpoint } = this.#parts;
    const isWhole = stopped === undefined && failed.count + expired.count === 0 && checkpoint === undefined;
    return {
      copied: taken,
      earlier: this.#earlier,
      skipped: this.#skipped,
      replaced: options.countsReplaced === true && isWhole ? this.#replaced : undefined,
      expired,
      failed,
      lost: this.#lost,
      ...(stopped === undefined ? {} : { stopped }),
    };
  }
}

function withExpiration({ expiration: _, ...entry }: BulkEntry, expiration: number | null): BulkEntry {
  return expiration === null ? entry : { ...entry, expiration };
}
