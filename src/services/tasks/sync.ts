import { Problem } from '../../model/problem.ts';
import type { TaskFailure } from '../../model/tasks/task.ts';
import { formatSize, groupDigits } from '../../text/size.ts';
import { openSync, type Sync, type SyncStep } from '../objects/sync.ts';
import { contentTypeFor } from '../objects/type.ts';
import type { TaskContext, TaskOutcome } from './context.ts';
import { readMarked } from './files.ts';

/** Returns the metadata of an object that a sync uploads: the media type for the file name. */
export function syncMetadata({ name }: { readonly name: string }) {
  return { httpMetadata: { contentType: contentTypeFor(name, name) } };
}

/** Returns the steps of a sync to execute: all steps or, without `remove`, only the transfers. */
export function stepsToDo({ steps }: Pick<Sync, 'steps'>, remove: boolean): readonly SyncStep[] {
  return remove ? steps : steps.filter(({ action }) => action !== 'delete');
}

/**
 * Syncs a folder and a prefix. The marked items of the task are the steps that the user has seen: each run compares both sides again, and
 * changes nothing if it requires a step that the user has not seen. Deletes only after all transfers have succeeded.
 */
export async function syncObjects(context: TaskContext<'sync-objects'>): Promise<TaskOutcome> {
  const { session, work, reporter, files, task } = context;
  const { bucket, prefix, path, direction, remove } = work;
  const sides = { folder: path, folderName: path, bucket, prefix };
  const sync = await openSync(session, sides, direction, syncMetadata, reporter);
  const steps = stepsToDo(sync, remove);
  await refuseUnseen(steps, files.markedPath(task.id));
  const report = await sync.transfer(reporter);
  const deletions = steps.filter(({ action }) => action === 'delete').length;
  const deletes = report.failures.length === 0 && deletions > 0;
  if (deletes) await sync.removeExtra();
  const failures = [...sync.failures, ...report.failures];
  const first = failures
    .slice(0, 20)
    .map(({ name, problem }): TaskFailure => ({ name, reason: problem.message.replace(/\.$/, '') }));
  const done = `${formatObjects(report.done)} (${formatSize(report.bytes)})`;
  const rest = `${deletes ? `; deleted ${groupDigits(deletions)}` : ''}; ${groupDigits(sync.same)} the same`;
  return {
    summary: `${direction === 'upload' ? `Uploaded ${done} to ${bucket}` : `Downloaded ${done} to ${path}`}${rest}.`,
    failed: { count: failures.length, first },
  };
}

async function refuseUnseen(steps: readonly SyncStep[], path: string): Promise<void> {
  const seen = new Set<string>();
  for await (const page of readMarked<SyncStep>(path)) for (const step of page) seen.add(identify(step));
  const unseen = steps.find((step) => !seen.has(identify(step)));
  if (unseen === undefined) return;
  throw new Problem(
    'refused',
    `"${unseen.name}" has changed since the steps were shown; nothing was changed.`,
    {
      hint: 'Sync again. The console shows the new steps first.',
    },
  );
}

function identify({ action, name, size, why, etag, modified }: SyncStep): string {
  return JSON.stringify([action, name, size, why, etag, modified]);
}

function formatObjects(count: number): string {
  return count === 1 ? '1 object' : `${groupDigits(count)} objects`;
}
