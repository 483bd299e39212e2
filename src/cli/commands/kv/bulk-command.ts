import { keepHeapSmall } from '../../../heap.ts';
import { kvLimits } from '../../../model/kv/kv.ts';
import { Problem } from '../../../model/problem.ts';
import type { Deletion } from '../../../services/deletions.ts';
import { openBulkJob } from '../../../services/kv/bulk/bulk.ts';
import type { BulkInput } from '../../../services/kv/bulk/input.ts';
import { confirmationHash } from '../../confirmed-deletion.ts';
import { refuseOverLimit } from '../../delete-limit.ts';
import { openProgress, type ProgressDisplay } from '../../output/progress.ts';
import type { Context } from '../../parsing/command.ts';
import type { FlagValues } from '../../parsing/declaration.ts';
import { concludeBulk, resumeArguments, resumeCommand } from './bulk-report.ts';
import { answerPreview } from './dry-run.ts';
import type { runFlags } from './flags.ts';
import type { OpenNamespace } from './namespace-choice.ts';

/** A bulk command: its flags, its input and its namespace. */
export interface BulkTask {
  readonly namespace: OpenNamespace;
  readonly operation: 'bulk put' | 'bulk delete';
  readonly flags: FlagValues<typeof runFlags> & {
    readonly quiet: boolean;
    /** Maximum number of keys to delete. */
    readonly limit?: number | undefined;
  };
  readonly anyKey: boolean;
  /** The file as typed; undefined if the keys are listed from the namespace. */
  readonly file: string | undefined;
  open(display: ProgressDisplay): Promise<BulkInput>;
  /** The keys to delete, which are all known once `open` has resolved. A dry run prints the hash of these keys. */
  readonly deletion?: Deletion | undefined;
  /** Asks for confirmation before anything is sent. */
  confirm?(keys: number, input: BulkInput): Promise<void>;
}

/**
 * Reads and checks the input, asks for confirmation, sends the input, and reports the result. Returns the exit code.
 */
export async function runBulk(context: Context, task: BulkTask): Promise<number> {
  const { world, output } = context;
  const { session, id } = task.namespace;
  const { operation, flags, file } = task;
  keepHeapSmall();
  const batchSize = checkBatchSize(flags['batch-size']);
  const display = openProgress(world, output, flags.quiet);
  let input: BulkInput | undefined;
  try {
    input = await task.open(display);
    const job = await openBulkJob(session, id, input, {
      operation,
      anyKey: task.anyKey,
      skipInvalid: flags['skip-invalid'],
      batchSize,
      resume: flags.resume && file !== undefined,
      // Without a file, there is nothing to resume: the next run lists only the keys that still exist.
      resumeArguments: file === undefined ? undefined : resumeArguments(world.argv),
      reporter: display,
    });
    const keys = job.entries - job.survey.faults.count;
    // The limit also applies to a dry run, so that a script can find out whether the real run would be refused.
    refuseOverLimit(keys, 'key', flags.limit);
    if (flags['dry-run']) {
      return await answerPreview(context, job.preview(), {
        namespace: task.namespace,
        verbose: flags.verbose,
        display,
        hash: task.deletion && (await confirmationHash(world, task.deletion)),
      });
    }
    display.end();
    if (keys > 0) await task.confirm?.(keys, input);
    const report = await job.run();
    display.end();
    const resume = resumeCommand(world.argv, file);
    return await concludeBulk(context, { session, id, operation, resume }, report);
  } finally {
    display.end();
    await input?.close();
  }
}

function checkBatchSize(count: number = kvLimits.bulkPutEntries): number {
  if (count >= 1 && count <= kvLimits.bulkPutEntries) return count;
  throw new Problem('usage', `--batch-size must be from 1 to 10,000, not ${count}.`);
}
