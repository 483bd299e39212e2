import { listSubjects, type Task, type TaskKind } from '../../../src/model/tasks/task.ts';
import { isSamePlace } from '../../../src/model/where.ts';
import { groupDigits } from '../../../src/text/size.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import { onTaskEnd } from './task-ends.ts';

/** Returns whether a task concerns this bucket, or any bucket if `bucket` is undefined. */
export function isAboutBucket({ work }: Pick<Task, 'work'>, bucket: string | undefined): boolean {
  if (!('bucket' in work)) return false;
  const buckets = work.does === 'copy-objects' ? [work.bucket, work.to.bucket] : [work.bucket];
  return bucket === undefined || buckets.includes(bucket);
}

const workNames: Readonly<Partial<Record<TaskKind, string>>> = {
  upload: 'upload',
  download: 'download',
  'copy-objects': 'copy',
  'sync-objects': 'sync',
  'import-keys': 'import',
  'export-keys': 'export',
  'export-namespace': 'export',
  'copy-keys': 'copy',
  'expire-keys': 'expiry change',
  'refresh-hostnames': 'restart',
  'edit-hostnames': 'change',
  'diagnose-hostnames': 'diagnosis',
  'export-hostnames': 'export',
  'plan-hostnames': 'plan',
  'reconcile-hostnames': 'reconciliation',
};

/** Returns the notice about a task that has ended. */
export function taskEndNotice({ work, state, outcome = '', problem, failed }: Task): string {
  const name = workNames[work.does] ?? 'deletion';
  const hint = 'Press 5 to see the task.';
  if (problem !== undefined) {
    return `The ${name} failed: ${problem.message.replace(/\.$/, '')}. ${hint}`;
  }
  if (state === 'stopped' || state === 'interrupted') return `The ${name} was stopped. ${hint}`;
  if (failed.count > 0) return `${outcome} ${groupDigits(failed.count)} failed. ${hint}`;
  return outcome;
}

interface Follower {
  isAbout(task: Task): boolean;
  /** Returns whether the pane that shows the task's result is on the screen. */
  isVisible(): boolean;
}

/** Calls `ended` when a task on the current target has ended, until the returned function is called. */
export function followTaskEnds(
  { tasks, session, notify }: Pick<PaneParts, 'tasks' | 'session' | 'notify'>,
  { isAbout, isVisible }: Follower,
  ended: (task: Task) => void,
): () => void {
  return onTaskEnd(tasks.list, (task) => {
    const isHere = task.where !== undefined && isSamePlace(task.where, session.where);
    if (!isHere || task.target !== session.target || !isAbout(task)) return;
    if (isVisible()) notify(taskEndNotice(task), task.state === 'done' ? 'done' : 'failed');
    ended(task);
  });
}

/** Returns whether a task concerns the keys of a namespace. */
export function isAboutNamespace({ work }: Task, namespaceId: string): boolean {
  return listSubjects(work).includes(`namespace ${namespaceId}`);
}
