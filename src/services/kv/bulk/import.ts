import type { EntryFault } from '../../../model/kv/bulk.ts';
import { kvLimits } from '../../../model/kv/kv.ts';
import { Problem } from '../../../model/problem.ts';
import type { Progress } from '../../../model/progress.ts';
import type { Session } from '../../session/session.ts';
import { stoppable } from '../../session/stoppable.ts';
import { openBulkJob } from './bulk.ts';
import { openBulkInput } from './input.ts';
import type { KeyEffect } from './preview.ts';

/** A summary of a bulk file whose entries have been checked. */
export interface CheckedImport {
  readonly step: 'checked';
  /** Number of entries: valid, invalid and repeated. */
  readonly entries: number;
  /** The number of invalid entries, and the faults of the first invalid entries. */
  readonly faults: { readonly count: number; readonly first: readonly EntryFault[] };
  /** SHA-256 of the content. */
  readonly fingerprint: string;
}

/** The effects of the import on some keys. */
export interface ComparedImport {
  readonly step: 'compared';
  readonly effects: readonly KeyEffect[];
}

/**
 * Previews the import of a file; changes no data. First yields a summary of the file, then the effects on the keys, in groups. If a key is
 * repeated, its last entry counts. Throws if the file is neither a JSON array nor NDJSON, changes while it is read, or can be read only
 * once. Stops when the signal is aborted.
 */
export async function* previewImport(
  session: Session,
  namespaceId: string,
  path: string,
  options: { readonly signal: AbortSignal; progress(progress: Progress): void },
): AsyncGenerator<CheckedImport | ComparedImport> {
  const stopped = stoppable(session, options.signal);
  const input = await openBulkInput(stopped.world, path);
  try {
    if (input.path === undefined) throw new Problem('invalid-input', `${path} is not a file.`);
    const job = await openBulkJob(stopped, namespaceId, input, {
      operation: 'bulk put',
      anyKey: true,
      skipInvalid: true,
      batchSize: kvLimits.bulkPutEntries,
      resume: false,
      resumeArguments: undefined,
      reporter: {
        progress: options.progress,
        // The summary already contains the invalid entries.
        warn: () => undefined,
      },
    });
    const { faults, fingerprint } = job.survey;
    yield { step: 'checked', entries: job.entries, faults, fingerprint };
    for await (const effects of job.preview()) yield { step: 'compared', effects };
  } finally {
    await input.close();
  }
}
