import { Problem } from '../../../model/problem.ts';
import type { Sample } from '../../../model/samples.ts';
import type { BulkReport } from '../../../services/kv/bulk/run.ts';
import type { Session } from '../../../services/session/session.ts';
import { commandLine } from '../../../text/shell.ts';
import { groupDigits } from '../../../text/size.ts';
import type { Context } from '../../parsing/command.ts';

/** The result of a command on many keys, as `conclude` prints it. */
export interface Conclusion {
  /** The result as a sentence for people. `fields` has the same content for programs. */
  readonly line: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Whether anything was changed. */
  readonly changed: boolean;
  readonly failed: Sample;
  readonly expired: Sample;
  /** Keys in the source whose values the platform has lost. */
  readonly lost?: Sample;
  /** The problem that stopped the command early. */
  readonly stopped?: Problem | undefined;
  /** A sentence that explains how to resume the command. */
  readonly resume: string;
}

/**
 * Prints the result of a command on many keys. If nothing was changed, throws the Problem that stopped the command. Otherwise, if the
 * command stopped early or keys failed, throws `partly-done` or `interrupted`; the hint is the command line that resumes the command.
 */
export async function conclude({ output }: Context, conclusion: Conclusion): Promise<void> {
  const { line, fields, changed, failed, expired, stopped, resume } = conclusion;
  if (stopped !== undefined && !changed && stopped.code !== 'interrupted') throw stopped;
  if (expired.count > 0) {
    output.warn(
      `Skipped ${counted(expired.count, 'entry')} that ${expired.count === 1 ? 'expires' : 'expire'} within a minute: ${named(expired)}.`,
      {
        expired: expired.count,
        keys: expired.first,
      },
    );
  }
  await output.result(line, { ...fields, finished: stopped === undefined && failed.count === 0 });
  if (failed.count > 0 || stopped !== undefined) warnOfLost(output, conclusion.lost);
  if (stopped?.code === 'interrupted') {
    output.warn(resume);
    throw new Problem('interrupted', 'Interrupted.', { hint: resume });
  }
  if (stopped !== undefined) {
    const { cause, platformCode, status, requestId, retryAfter, retryable, message } = stopped;
    const detail = { cause, platformCode, status, requestId, retryAfter, retryable };
    throw new Problem('partly-done', message, { ...detail, hint: resume });
  }
  if (failed.count === 0) return refuseLost(conclusion.lost);
  throw new Problem(
    'partly-done',
    `The platform did not accept ${counted(failed.count, 'entry')}: ${named(failed)}.`,
    {
      hint: resume,
    },
  );
}

/** Throws `partly-done` if the platform lost values, even if everything else succeeded. */
export function refuseLost(lost: Sample | undefined): void {
  if (lost === undefined || lost.count === 0) return;
  throw new Problem('partly-done', describeLost(lost), { hint: 'Write these keys again, or delete them.' });
}

function warnOfLost(output: Context['output'], lost: Sample | undefined): void {
  if (lost !== undefined && lost.count > 0) output.warn(describeLost(lost));
}

function describeLost(lost: Sample): string {
  const values = lost.count === 1 ? 'value' : 'values';
  return `Skipped ${counted(lost.count, 'key')} whose ${values} the platform has lost: ${named(lost)}.`;
}

/** A finished bulk command: its operation, its namespace, and how to resume it. */
export interface BulkCommand {
  readonly session: Session;
  readonly id: string;
  readonly operation: 'bulk put' | 'bulk delete';
  /** A sentence that explains how to resume the command. */
  readonly resume: string;
}

/** Prints the result of a bulk command. Returns its exit code: 6 if invalid entries were skipped, otherwise 0. */
export async function concludeBulk(
  context: Context,
  command: BulkCommand,
  report: BulkReport,
): Promise<number> {
  const { repeated, failed, expired, stopped, taken } = report;
  if (repeated.count > 0) {
    context.output.warn(
      `Skipped ${counted(repeated.count, 'entry')} because a later entry has the same key: ${named(repeated)}.`,
      { repeated: repeated.count, keys: repeated.first },
    );
  }
  await conclude(context, {
    line: bulkLine(command, report),
    fields: bulkFields(command, report),
    changed: taken > 0,
    failed,
    expired,
    stopped,
    resume: command.resume,
  });
  return report.invalid > 0 ? 6 : 0;
}

function bulkLine({ id, operation }: BulkCommand, report: BulkReport): string {
  const { taken, earlier, stopped, failed } = report;
  const did =
    operation === 'bulk put'
      ? `Wrote ${counted(taken, 'entry')} to`
      : `Deleted ${counted(taken, 'key')} from`;
  const before = earlier === 0 ? '' : ` (${groupDigits(earlier)} done by an earlier run)`;
  if (stopped === undefined && failed.count === 0) return `Success! ${did} namespace id ${id}${before}.`;
  return `${did} namespace id ${id}, of ${counted(report.entries, 'entry')}${before}.`;
}

function bulkFields({ session, id, operation }: BulkCommand, report: BulkReport): Record<string, unknown> {
  return {
    namespaceId: id,
    target: session.label,
    entries: report.entries,
    [operation === 'bulk put' ? 'written' : 'deleted']: report.taken,
    earlier: report.earlier,
    repeated: report.repeated.count,
    invalid: report.invalid,
    expired: report.expired.count,
    failed: report.failed.count,
    failedKeys: report.failed.first,
  };
}

/** Returns the arguments that resume a command: the typed arguments, with `--resume`. */
export function resumeArguments(argv: readonly string[]): string[] {
  if (argv.includes('--resume')) return [...argv];
  // The flag is inserted before `--`, after which it would be read as an argument.
  return argv.includes('--') ? ['--resume', ...argv] : [...argv, '--resume'];
}

/** Returns a sentence that contains the command that resumes `argv`, ready to paste into a shell. `file` is the input file, if any. */
export function resumeCommand(argv: readonly string[], file?: string): string {
  return `To resume: ${commandLine(resumeArguments(argv))}${file === '-' ? ' (with the same standard input)' : ''}`;
}

/** Formats a count with its noun: `1 key`, `2,000 keys`, `3 entries`. */
export function counted(count: number, noun: 'key' | 'entry'): string {
  const plural = noun === 'key' ? 'keys' : 'entries';
  return `${groupDigits(count)} ${count === 1 ? noun : plural}`;
}

function named({ count, first, others = count - first.length }: Sample): string {
  const keys = first.map((key) => `"${key}"`).join(', ');
  return others > 0 ? `${keys} and ${groupDigits(others)} more` : keys;
}
