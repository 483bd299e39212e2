import { keepHeapSmall } from '../../../heap.ts';
import { Problem } from '../../../model/problem.ts';
import type { ValueSource } from '../../../services/kv/bulk/values.ts';
import { type CopyReport, copyKeys, previewCopy } from '../../../services/kv/transfer/copy.ts';
import type { OnConflict } from '../../../services/kv/transfer/plan.ts';
import { groupDigits } from '../../../text/size.ts';
import { openProgress } from '../../output/progress.ts';
import { command } from '../../parsing/command.ts';
import type * as declared from './bulk-declarations.ts';
import { conclude, counted, resumeArguments, resumeCommand } from './bulk-report.ts';
import { checkDestinationFlags, openDestination } from './destination.ts';
import { answerPreview } from './dry-run.ts';
import { openNamespace } from './namespace-choice.ts';

const conflictChoices: readonly OnConflict[] = ['fail', 'skip', 'overwrite'];

export const copyCommand = command<typeof declared.kvCopy>({
  async run(context, { flags }) {
    keepHeapSmall();
    const onConflict = checkConflict(flags['on-conflict']);
    checkDestinationFlags(flags);
    const { world, output } = context;
    const from = await openNamespace(context, flags);
    const to = await openDestination(context, from.session, flags);
    const display = openProgress(world, output, flags.quiet);
    try {
      if (flags['dry-run']) {
        const groups = previewCopy(openSource(from), openSource(to), { prefix: flags.prefix, onConflict });
        const { verbose } = flags;
        return await answerPreview(context, groups, { namespace: to, verbose, display, isUpTo: true });
      }
      output.note(`Copying from ${describeNamespace(from)} to ${describeNamespace(to)}.`);
      const report = await copyKeys(openSource(from), openSource(to), {
        prefix: flags.prefix,
        onConflict,
        resume: flags.resume,
        countsReplaced: true,
        resumeArguments: resumeArguments(world.argv),
        reporter: display,
      });
      display.end();
      await conclude(context, {
        line: copyLine(from.id, to.id, report),
        fields: copyFields(from.id, to.id, report),
        changed: report.copied > 0,
        failed: report.failed,
        expired: report.expired,
        lost: report.lost,
        stopped: report.stopped,
        resume: resumeCommand(world.argv),
      });
      return 0;
    } finally {
      display.end();
      await to.session.close();
    }
  },
});

/** Converts an open namespace to a source of values. */
export function openSource({ session, id }: { session: ValueSource['session']; id: string }): ValueSource {
  return { session, namespaceId: id };
}

/** Formats a namespace for a message: its id, and the account or local data that contains it. */
export function describeNamespace({ session, id }: { session: ValueSource['session']; id: string }): string {
  return `namespace id ${id} (${session.label})`;
}

function checkConflict(text = 'fail'): OnConflict {
  const found = conflictChoices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new Problem('usage', `--on-conflict must be fail, skip or overwrite, not "${text}".`);
}

function copyLine(from: string, to: string, report: CopyReport): string {
  const { copied, earlier, skipped, replaced = 0, stopped, failed, lost } = report;
  const success = stopped === undefined && failed.count + lost.count === 0 ? 'Success! ' : '';
  const left = skipped === 0 ? '' : `, skipped ${counted(skipped, 'key')}`;
  const over = replaced === 0 ? '' : `, replacing ${counted(replaced, 'key')}`;
  const before = earlier === 0 ? '' : ` (${groupDigits(earlier)} copied by an earlier run)`;
  return `${success}Copied ${counted(copied, 'key')} from namespace id ${from} to namespace id ${to}${over}${left}${before}.`;
}

function copyFields(from: string, to: string, report: CopyReport): Record<string, unknown> {
  const { copied, earlier, skipped, replaced, expired, failed, lost } = report;
  return {
    from,
    to,
    copied,
    earlier,
    skipped,
    ...(replaced !== undefined && { replaced }),
    expired: expired.count,
    failed: failed.count,
    failedKeys: failed.first,
    lost: lost.count,
    lostKeys: lost.first,
  };
}
