import { statSync } from 'node:fs';
import { Problem } from '../../model/problem.ts';
import type { Reporter } from '../../model/progress.ts';
import { type Sample, Samples } from '../../model/samples.ts';
import type { TaskFailure } from '../../model/tasks/task.ts';
import { groupDigits } from '../../text/size.ts';
import { namespaceAddress, openBulkJob } from '../kv/bulk/bulk.ts';
import { openBulkInput } from '../kv/bulk/input.ts';
import type { BulkReport } from '../kv/bulk/run.ts';
import { listKeys } from '../kv/kv.ts';
import { type CopyReport, copyKeys } from '../kv/transfer/copy.ts';
import { exportEntries, exportFormatFor, exportTexts, openExportFile } from '../kv/transfer/export.ts';
import type { NamedKeys } from '../kv/transfer/plan.ts';
import { checkPath } from '../objects/file-check.ts';
import type { Session } from '../session/session.ts';
import { isResumed, type TaskContext, type TaskOutcome } from './context.ts';
import { namedKeys } from './files.ts';

/** Imports the entries of a file. */
export async function importKeys(context: TaskContext<'import-keys'>): Promise<TaskOutcome> {
  const { path, namespace, skipInvalid, fingerprint } = context.work;
  const report = await sendFile(context, 'bulk put', path, { skipInvalid, fingerprint });
  const left = [
    ...describeSkipped(report.invalid, 'invalid'),
    ...describeSkipped(report.repeated.count, 'repeated'),
    ...describeSkipped(report.expired.count, 'about to expire'),
  ];
  const words = `Wrote ${formatEntryCount(report.taken + report.earlier)} to ${namespace.title}${left.length === 0 ? '' : `; skipped: ${left.join(', ')}`}.`;
  return toOutcome(words, report.failed, report.stopped);
}

/** Deletes the marked keys. */
export async function deleteKeys(context: TaskContext<'delete-keys'>): Promise<TaskOutcome> {
  const path = context.files.markedPath(context.task.id);
  const report = await sendFile(context, 'bulk delete', path, { skipInvalid: false });
  const words = `Deleted ${formatKeyCount(report.taken + report.earlier)} from ${context.work.namespace.title}.`;
  return toOutcome(words, report.failed, report.stopped);
}

/** Deletes all keys of a namespace. Only the first run lists the keys, so that a resumed run does not delete keys that were written later. */
export async function clearNamespace(context: TaskContext<'clear-namespace'>): Promise<TaskOutcome> {
  const { session, work, files, task, reporter } = context;
  const { id, title } = work.namespace;
  const path = await files.listPathOnce(task.id, () => listNames(session, id, reporter));
  if (statSync(path).size === 0) return toOutcome(`${title} had no keys.`, emptySample);
  const report = await sendFile(context, 'bulk delete', path, { skipInvalid: false });
  const words = `Deleted ${formatKeyCount(report.taken + report.earlier)} from ${title}.`;
  return toOutcome(words, report.failed, report.stopped);
}

async function* listNames(session: Session, id: string, reporter: Reporter): AsyncGenerator<string[]> {
  let done = 0;
  for await (const page of listKeys(session, id, { signal: session.world.interrupted })) {
    done += page.length;
    reporter.progress({ phase: 'listing', unit: 'keys', done, retries: session.retries(), failed: 0 });
    yield page.map(({ name }) => name);
  }
}

interface SendOptions {
  readonly skipInvalid: boolean;
  /** Expected SHA-256 of the file's content. */
  readonly fingerprint?: string | undefined;
}

async function sendFile(
  context: TaskContext<'import-keys' | 'delete-keys' | 'clear-namespace'>,
  operation: 'bulk put' | 'bulk delete',
  path: string,
  { skipInvalid, fingerprint }: SendOptions,
): Promise<BulkReport> {
  const { session, work, reporter } = context;
  const input = await openBulkInput(session.world, path);
  try {
    const job = await openBulkJob(session, work.namespace.id, input, {
      operation,
      anyKey: true,
      skipInvalid,
      batchSize: 10_000,
      resume: isResumed(context),
      // There is no command that resumes the run, because the task itself can be resumed.
      resumeArguments: [],
      reporter,
    });
    if (fingerprint !== undefined && job.survey.fingerprint !== fingerprint) throw changedFileProblem(path);
    return await job.run();
  } finally {
    await input.close();
  }
}

function changedFileProblem(path: string): Problem {
  return new Problem('invalid-input', `${path} has changed since it was checked; nothing was sent.`, {
    hint: 'Import the file again. The console shows the changes first.',
  });
}

/** Exports the marked keys, with values, metadata and expiry, to a file that can be imported again. */
export async function exportKeys(context: TaskContext<'export-keys'>): Promise<TaskOutcome> {
  const { task, files } = context;
  return exportSelected(context, await namedKeys(files.markedPath(task.id), task.marked));
}

/** Exports all keys of a namespace, in the format of `exportKeys`. */
export function exportNamespace(context: TaskContext<'export-namespace'>): Promise<TaskOutcome> {
  return exportSelected(context, undefined);
}

async function exportSelected(
  { session, work, reporter }: TaskContext<'export-keys' | 'export-namespace'>,
  names: NamedKeys | undefined,
): Promise<TaskOutcome> {
  const count = { entries: 0 };
  const lost = new Samples();
  const groups = exportEntries({ session, namespaceId: work.namespace.id }, { names, lost, reporter });
  const texts = exportTexts(groups, exportFormatFor(work.path), count);
  const file = await openExportFile(session.world, work.path, 'replace');
  await file.write(work.replace === true ? texts : refuseExistingFile(work.path, texts));
  return addLostKeys(
    toOutcome(
      `Wrote ${formatKeyCount(count.entries)} from ${work.namespace.title} to ${work.path}.`,
      emptySample,
    ),
    lost,
  );
}

/**
 * Yields the text. Before the first part and after the last part, throws if the file exists, because the file did not exist when the task
 * started.
 */
export async function* refuseExistingFile(
  path: string,
  texts: AsyncIterable<string>,
): AsyncGenerator<string> {
  const refuse = async () => {
    if ((await checkPath(path)) !== 'file') return;
    throw new Problem('refused', `${path} exists now, but did not exist when the task was started.`, {
      hint: 'Export again under another name.',
    });
  };
  await refuse();
  yield* texts;
  await refuse();
}

/** Writes the marked keys again with a different expiry. */
export async function expireKeys(context: TaskContext<'expire-keys'>): Promise<TaskOutcome> {
  const { session, work } = context;
  const here = { session, namespaceId: work.namespace.id };
  const { expiration } = work;
  const report = await copyMarked(context, here, here, { onConflict: 'overwrite', expiration });
  const count = report.earlier + report.copied;
  const expire = count === 1 ? 'expires' : 'expire';
  const when =
    expiration === null ? `never ${expire}` : `${expire} at ${new Date(expiration * 1000).toISOString()}`;
  return summarizeCopy(`${formatKeyCount(count)} in ${work.namespace.title} now ${when}.`, report);
}

/** Copies the marked keys to another namespace, which may be on another platform. */
export async function copyMarkedKeys(context: TaskContext<'copy-keys'>): Promise<TaskOutcome> {
  const { session, work } = context;
  const { to, onConflict } = work;
  const elsewhere = to.target !== undefined || to.profile !== undefined;
  const other = elsewhere ? await context.open({ target: to.target, profile: to.profile }) : session;
  try {
    const from = { session, namespaceId: work.namespace.id };
    const into = { session: other, namespaceId: to.namespace.id };
    if (to.place !== undefined && to.place !== (await namespaceAddress(other, to.namespace.id)))
      throw findDestination(to);
    const report = await copyMarked(context, from, into, { onConflict });
    const skipped = report.skipped === 0 ? '' : `; already present: ${formatKeyCount(report.skipped)}`;
    return summarizeCopy(
      `Copied ${formatKeyCount(report.earlier + report.copied)} to ${to.namespace.title}${skipped}.`,
      report,
    );
  } finally {
    if (elsewhere) await other.close();
  }
}

function findDestination({
  namespace,
  profile,
  target = 'production',
}: TaskContext<'copy-keys'>['work']['to']): Problem {
  const where = profile === undefined ? target : `${profile} (${target})`;
  return new Problem(
    'usage',
    `This console cannot reach the namespace ${namespace.title} (${where}): the task was started with another profile or target.`,
    {
      hint: 'Open the console with the profile and target of the task, and resume the task there.',
    },
  );
}

async function copyMarked(
  context: TaskContext<'copy-keys' | 'expire-keys'>,
  from: { session: Session; namespaceId: string },
  to: { session: Session; namespaceId: string },
  how: { onConflict: 'skip' | 'overwrite' | 'fail'; expiration?: number | null },
): Promise<CopyReport> {
  const { task, files, reporter } = context;
  const names = await namedKeys(files.markedPath(task.id), task.marked);
  return copyKeys(from, to, { names, ...how, resume: isResumed(context), resumeArguments: [], reporter });
}

function summarizeCopy(words: string, { expired, failed, lost, stopped }: CopyReport): TaskOutcome {
  const late = expired.count === 0 ? '' : ` Skipped ${formatKeyCount(expired.count)} about to expire.`;
  return addLostKeys(toOutcome(words + late, failed, stopped), lost);
}

/** Returns a copy of the outcome that also lists keys with lost values as failures. */
function addLostKeys(outcome: TaskOutcome, lost: Sample): TaskOutcome {
  const { count, first } = outcome.failed;
  const failures = lost.first.map((name): TaskFailure => ({ name, reason: 'its value was lost' }));
  return { ...outcome, failed: { count: count + lost.count, first: [...first, ...failures].slice(0, 20) } };
}

const emptySample: Sample = { count: 0, first: [] };

function toOutcome(words: string, { count, first }: Sample, stopped?: Problem): TaskOutcome {
  const reason = 'the platform did not accept it';
  const failures = first.map((name): TaskFailure => ({ name, reason }));
  return { summary: words, failed: { count, first: failures }, stopped };
}

function describeSkipped(count: number, why: string): string[] {
  return count === 0 ? [] : [`${groupDigits(count)} ${why}`];
}

function formatKeyCount(count: number): string {
  return count === 1 ? '1 key' : `${groupDigits(count)} keys`;
}

function formatEntryCount(count: number): string {
  return count === 1 ? '1 entry' : `${groupDigits(count)} entries`;
}
