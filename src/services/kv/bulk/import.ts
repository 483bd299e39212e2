import type { EntryFault } from '../../../model/kv/bulk.ts';
import { kvLimits } from '../../../model/kv/kv.ts';
import { Problem } from '../../../model/problem.ts';
import type { Progress } from '../../../model/progress.ts';
import type { Session } from '../../session/session.ts';
import { stoppable } from '../../session/stoppable.ts';
import { openBulkJob } from './bulk.ts';
import { openBulkInput } from './input.ts';
import type { KeyEffect } from './preview.ts';

/** The content of a bulk file after it was read once. */
export interface CheckedImport {
  readonly step: 'checked';
  /** Valid, invalid and repeated entries. */
  readonly entries: number;
  /** Number of invalid entries, and the first of them. */
  readonly faults: { readonly count: number; readonly first: readonly EntryFault[] };
  /** Identifies the content: the file must have the same fingerprint when it is imported. */
  readonly fingerprint: string;
}

/** Effects of the import on some of its keys. */
export interface ComparedImport {
  readonly step: 'compared';
  readonly effects: readonly KeyEffect[];
}

/**
 * Previews the import of a file; changes no data. First yields a summary of the file, then the effect on each key, in parts. If
 * a key is repeated, its last entry counts. Refuses input that is neither a JSON array nor NDJSON, a file that changes while it
 * is read, and input that can be read only once. Stops on the signal.
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
        // Invalid entries are omitted here, because they are already in the summary.
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
