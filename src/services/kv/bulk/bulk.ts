import { parseKeyEntry, parsePutEntry } from '../../../model/kv/bulk.ts';
import { type Checkpoint, type CheckpointKey, isSameFile } from '../../../model/kv/checkpoint.ts';
import { IndexRanges } from '../../../model/kv/index-ranges.ts';
import { Problem } from '../../../model/problem.ts';
import type { Reporter } from '../../../model/progress.ts';
import type { Session } from '../../session/session.ts';
import { type Checkpoints, openCheckpoints } from './checkpoints.ts';
import type { ParseEntry } from './entries.ts';
import type { BulkInput } from './input.ts';
import { type KeyEffect, previewBulk } from './preview.ts';
import { type BulkReport, BulkRun, type RunOptions } from './run.ts';
import { deleteBatches, putBatches } from './send.ts';
import { fingerprintInput, refuseFaults, reportFaults, type Survey, surveyInput } from './survey.ts';

export interface BulkOptions extends RunOptions {
  /** Whether to allow keys with whitespace and non-printable characters. */
  readonly anyKey: boolean;
  /** Whether to resume an interrupted run of the same input on the same namespace. */
  readonly resume: boolean;
}

/** A bulk file that has been checked but not sent. */
export interface BulkJob {
  /** Number of entries in the file: valid, invalid and repeated. */
  readonly entries: number;
  /** Number of entries that an earlier run completed. */
  readonly earlier: number;
  readonly survey: Survey;
  /** Returns the effect of the run on each key, compared with the stored values. Changes no data. */
  preview(): AsyncGenerator<KeyEffect[]>;
  /** Sends the remaining entries. Errors from the platform or the network are in the report, and are not thrown. */
  run(): Promise<BulkReport>;
}

/**
 * Reads and checks a bulk file. Throws if an entry is invalid (unless `skipInvalid`), or if the file to resume with has changed since the
 * interrupted run.
 */
export async function openBulkJob(
  session: Session,
  namespaceId: string,
  input: BulkInput,
  options: BulkOptions,
): Promise<BulkJob> {
  const { reporter, operation } = options;
  const stop = session.world.interrupted;
  const checkpoints = openCheckpoints(session.world);
  const target = await namespaceAddress(session, namespaceId);
  const parse = createParser(session, options);
  // The fingerprint is calculated before the check only for `resume`, because it requires another pass over the input.
  const earlier = options.resume
    ? await findCheckpoint(
        checkpoints,
        { operation, target, input: await fingerprintInput(input, stop) },
        input,
      )
    : undefined;
  const confirmed = new IndexRanges(earlier?.confirmed);
  const survey = await surveyInput(input, parse, {
    stop,
    reporter,
    confirmed: (index) => confirmed.has(index),
  });
  const key: CheckpointKey = { operation, target, input: survey.fingerprint };
  if (options.skipInvalid) reportFaults(survey.faults, reporter);
  else refuseFaults(survey, input.name, reporter);
  const send = (options.operation === 'bulk put' ? putBatches : deleteBatches)(session, namespaceId);
  return {
    entries: survey.entries,
    earlier: confirmed.count,
    survey,
    preview: () => previewBulk({ session, namespaceId, input, parse, survey, confirmed }),
    async run() {
      if (!options.resume) {
        await warnOfEarlier(checkpoints, key, reporter);
        await checkpoints.remove(key);
        await checkpoints.removeStale(key, input.path);
      }
      const parts = { session, input, options, key, checkpoints, confirmed, survey, parse, send };
      return new BulkRun(parts).run();
    },
  };
}

/**
 * Returns a string that identifies a namespace by its platform or folder, its account and its id. If the id is empty, the string identifies
 * the account.
 */
export async function namespaceAddress(session: Session, namespaceId: string): Promise<string> {
  const { where, label } = session;
  return JSON.stringify([
    where.kind === 'remote' ? where.baseUrl : label,
    await session.accountId(),
    namespaceId,
  ]);
}

function createParser(session: Session, options: BulkOptions): ParseEntry {
  if (options.operation === 'bulk delete') return parseKeyEntry;
  const rules = { now: session.world.now(), anyKey: options.anyKey };
  return (value, index) => parsePutEntry(value, index, rules);
}

async function findCheckpoint(
  checkpoints: Checkpoints,
  key: CheckpointKey,
  input: BulkInput,
): Promise<Checkpoint | undefined> {
  const found = await checkpoints.find(key);
  if (found === undefined) await refuseChanged(checkpoints, key, input);
  return found;
}

async function warnOfEarlier(
  checkpoints: Checkpoints,
  key: CheckpointKey,
  reporter: Reporter,
): Promise<void> {
  if ((await checkpoints.find(key)) === undefined) return;
  reporter.warn({ kind: 'earlier-run' });
}

/** Refuses to resume with a file that has changed since the interrupted run. */
async function refuseChanged(checkpoints: Checkpoints, key: CheckpointKey, input: BulkInput): Promise<void> {
  const others = await checkpoints.list();
  const earlier = others.find((other) => isSameFile(other, key, input.path));
  if (earlier === undefined) return;
  throw new Problem(
    'invalid-input',
    `${input.name} has changed since its run was interrupted; resuming would mix two inputs.`,
    { remedy: { kind: 'start-anew' } },
  );
}
