import { createHash } from 'node:crypto';
import { isFault } from '../../../model/kv/bulk.ts';
import { LastOccurrences } from '../../../model/kv/duplicates.ts';
import { Problem } from '../../../model/problem.ts';
import type { Reporter } from '../../../model/progress.ts';
import { groupDigits } from '../../../text/size.ts';
import { describeFault, FaultList, type ParseEntry, readEntries, refuseInterrupted } from './entries.ts';
import type { BulkInput } from './input.ts';

/** The results of checking a bulk file. */
export interface Survey {
  /** Total number of entries in the file, including invalid and repeated entries. */
  readonly entries: number;
  /** Length of the decompressed content, in bytes. */
  readonly contentBytes: number;
  readonly faults: FaultList;
  /** The last occurrence of each repeated key, which shows whether an entry is the last entry with its key. */
  readonly keys: LastOccurrences;
  /** The fingerprint, as returned by `fingerprintInput`. */
  readonly fingerprint: string;
}

/** Returns the SHA-256 of a file's decompressed content, in hexadecimal. */
export async function fingerprintInput(input: BulkInput, stop: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of input.chunks()) {
    refuseInterrupted(stop);
    hash.update(chunk);
  }
  return hash.digest('hex');
}

export interface SurveyOptions {
  readonly stop: AbortSignal;
  readonly reporter: Reporter;
  /**
   * Returns whether an earlier run completed this entry. Faults of completed entries are ignored, because an expiry may have become invalid
   * since the earlier run.
   */
  confirmed(index: number): boolean;
}

/** Reads a whole file, checks every entry and finds repeated keys. Sends nothing. */
export async function surveyInput(
  input: BulkInput,
  parse: ParseEntry,
  options: SurveyOptions,
): Promise<Survey> {
  const faults = new FaultList();
  let entries = 0;
  const keys = new LastOccurrences((seen) => (seen * input.bytes) / Math.max(1, input.position()));
  const hash = createHash('sha256');
  let contentBytes = 0;
  const reading = readEntries(
    input,
    parse,
    (entry, index, line) => {
      if (isFault(entry)) {
        if (!options.confirmed(index)) faults.add({ ...entry, line });
        return;
      }
      keys.see(entry.key, index);
    },
    {
      stop: options.stop,
      onContent(chunk) {
        hash.update(chunk);
        contentBytes += chunk.length;
      },
    },
  );
  for await (entries of reading) {
    const done = input.position();
    const total = input.bytes;
    options.reporter.progress({
      phase: 'checking',
      unit: 'bytes',
      done,
      total,
      retries: 0,
      failed: faults.count,
    });
  }
  return { entries, contentBytes, faults, keys, fingerprint: hash.digest('hex') };
}

/** Warns about each stored fault, and about the number of faults that are not stored. */
export function reportFaults({ first, count }: FaultList, reporter: Reporter): void {
  for (const fault of first) reporter.warn(describeFault(fault), { ...fault });
  const more = count - first.length;
  if (more > 0) reporter.warn(`… and ${groupDigits(more)} more.`, { more });
}

/** Throws if a file has faults, after a warning for each fault. */
export function refuseFaults(survey: Survey, name: string, reporter: Reporter): void {
  const { faults, entries } = survey;
  if (faults.count === 0) return;
  reportFaults(faults, reporter);
  const wrong = `${groupDigits(faults.count)} of ${groupDigits(entries)}`;
  throw new Problem(
    'invalid-input',
    `${wrong} entries in ${name} ${faults.count === 1 ? 'is' : 'are'} invalid; nothing was sent.`,
    {
      remedy: { kind: 'skip-wrong' },
      wrong: faults.all,
    },
  );
}
