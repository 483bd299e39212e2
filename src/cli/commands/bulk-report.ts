import { Problem } from '../../model/problem.ts';
import type { Sample } from '../../model/samples.ts';
import type { BulkReport } from '../../services/bulk-run.ts';
import type { Session } from '../../services/session.ts';
import { groupDigits } from '../../text/size.ts';
import type { Context } from '../command.ts';

/** What a bulk command did, where, and with which input. */
export interface BulkPlace {
  readonly session: Session;
  readonly id: string;
  readonly operation: 'bulk put' | 'bulk delete';
  readonly input: string;
}

/** The arguments that continue a command: as they were typed, with --resume. */
export function resumeArguments(argv: readonly string[]): string[] {
  return argv.includes('--resume') ? [...argv] : [...argv, '--resume'];
}

/**
 * Says what a bulk command has come to, and gives its exit code. Throws the Problem that ended it early, with how much
 * was done before and the command that continues it.
 */
export async function concludeBulk(context: Context, place: BulkPlace, report: BulkReport): Promise<number> {
  const { output, world } = context;
  warnOfRepeated(context, report.repeated);
  const { stopped, failed } = report;
  const done = report.taken + report.earlier;
  if (stopped !== undefined && report.taken === 0 && stopped.code !== 'interrupted') throw stopped;
  await output.result(resultLine(place, report), resultFields(place, report));
  const resume = resumeCommand(world.argv, place.input);
  if (stopped !== undefined) {
    output.warn(`${amount(done)} of ${amount(report.entries)} entries are done. ${resume}`);
    throw endedEarly(stopped, resume);
  }
  if (failed.count > 0) {
    const keys = `${list(failed)}`;
    throw new Problem('partly-done', `The platform did not take ${amount(failed.count)} entries: ${keys}.`, {
      hint: resume,
    });
  }
  return report.invalid > 0 ? 6 : 0;
}

function endedEarly(stopped: Problem, resume: string): Problem {
  if (stopped.code === 'interrupted') return new Problem('interrupted', 'Interrupted.', { hint: resume });
  const { cause, platformCode, status, requestId, message } = stopped;
  return new Problem('partly-done', message, { hint: resume, cause, platformCode, status, requestId });
}

function warnOfRepeated({ output }: Context, repeated: Sample): void {
  if (repeated.count === 0) return;
  const entries = repeated.count === 1 ? '1 entry was' : `${amount(repeated.count)} entries were`;
  output.warn(`${entries} left out, because a later one has the same key: ${list(repeated)}.`, {
    repeated: repeated.count,
    keys: repeated.first,
  });
}

function resultLine({ id, operation }: BulkPlace, report: BulkReport): string {
  const verb = operation === 'bulk put' ? 'Wrote' : 'Deleted';
  const what = operation === 'bulk put' ? entries(report.taken) : keys(report.taken);
  const preposition = operation === 'bulk put' ? 'to' : 'from';
  const early = report.stopped !== undefined || report.failed.count > 0;
  const earlier = report.earlier === 0 ? '' : ` (${amount(report.earlier)} were done before)`;
  return `${early ? '' : 'Success! '}${verb} ${what} ${preposition} namespace id ${id}${earlier}.`;
}

function resultFields({ session, id, operation }: BulkPlace, report: BulkReport): Record<string, unknown> {
  return {
    namespaceId: id,
    target: session.label,
    entries: report.entries,
    [operation === 'bulk put' ? 'written' : 'deleted']: report.taken,
    earlier: report.earlier,
    repeated: report.repeated.count,
    invalid: report.invalid,
    failed: report.failed.count,
    failedKeys: report.failed.first,
    finished: report.stopped === undefined,
  };
}

function resumeCommand(argv: readonly string[], input: string): string {
  const line = ['edgectl', ...resumeArguments(argv)].map(shellWord).join(' ');
  const same = input === 'standard input' ? ' (with the same standard input)' : '';
  return `To go on: ${line}${same}`;
}

/** A word as a POSIX shell takes it unchanged. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function list({ count, first }: Sample): string {
  const named = first.map((key) => `"${key}"`).join(', ');
  return count > first.length ? `${named} and ${amount(count - first.length)} more` : named;
}

function entries(count: number): string {
  return `${amount(count)} ${count === 1 ? 'entry' : 'entries'}`;
}

function keys(count: number): string {
  return `${amount(count)} ${count === 1 ? 'key' : 'keys'}`;
}

function amount(count: number): string {
  return groupDigits(count);
}
