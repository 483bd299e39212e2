import { createHash } from 'node:crypto';
import { isFault } from '../../../model/kv/bulk.ts';
import { LastOccurrences } from '../../../model/kv/duplicates.ts';
import { Problem } from '../../../model/problem.ts';
import type { Reporter } from '../../../model/progress.ts';
import { groupDigits } from '../../../text/size.ts';
import { describeFault, FaultList, type ParseEntry, readEntries, refuseInterrupted } from './entries.ts';
import type { BulkInput } from './input.ts';

/** Findings of the first reading of a bulk file. */
export interface Survey {
  /** Entries in the file: right, wrong and repeated ones. */
  readonly entries: number;
  /** Length of the content, decompressed. */
  readonly contentBytes: number;
  readonly faults: FaultList;
  /** Says which of several entries with one key is the last. */
  readonly keys: LastOccurrences;
  /** As `fingerprintOf` gives it. */
  readonly fingerprint: string;
}

/** SHA-256 of a file's content (decompressed), in hexadecimal. */
export async function fingerprintOf(input: BulkInput, stop: AbortSignal): Promise<string> {
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
  /** Entries that were dealt with in an earlier run and are not checked again: their expiry may have passed since. */
  confirmed(index: number): boolean;
}

/** Reads a file through, checks every entry and finds repeated keys. Sends nothing. */
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

/** Tells the reporter of each fault that is kept, and of how many more there are. */
export function reportFaults({ first, count }: FaultList, reporter: Reporter): void {
  for (const fault of first) reporter.warn(describeFault(fault), { ...fault });
  const more = count - first.length;
  if (more > 0) reporter.warn(`… and ${groupDigits(more)} more.`, { more });
}

/** Refuses a file with wrong entries, after having told the reporter of them. */
export function refuseFaults(survey: Survey, name: string, reporter: Reporter): void {
  const { faults, entries } = survey;
  if (faults.count === 0) return;
  reportFaults(faults, reporter);
  const wrong = `${groupDigits(faults.count)} of ${groupDigits(entries)}`;
  throw new Problem('invalid-input', `${wrong} entries in ${name} are wrong; nothing was sent.`, {
    remedy: { kind: 'skip-wrong' },
    wrong: faults.all,
  });
}
