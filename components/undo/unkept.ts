import type { Task, TaskWork } from '../../src/model/tasks/task.ts';
import { isSameWhere } from '../../src/model/where.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { taskTitle } from '../ui/tasks/words.ts';

type Here = Pick<PaneParts, 'session' | 'tasks'>;

/**
 * A sentence about the last task here that took away what the journal does not keep, if it began after `since`
 * (milliseconds): whoever asks for the last change may mean that. Escaped.
 */
export function unkeptSince(since: number, { session, tasks }: Here): string | undefined {
  const { where, accountLabel, target } = session;
  const last = tasks.list.tasks.find(
    (task) =>
      takesAway(task.work) &&
      task.where !== undefined &&
      isSameWhere(task.where, where) &&
      task.accountLabel === accountLabel &&
      task.target === target &&
      beginOf(task) > since,
  );
  return last && `${escapeText(taskTitle(last))}: many at once are not kept, and U does not bring them back.`;
}

function beginOf({ begun, started }: Task): number {
  return begun ?? started;
}

function takesAway(work: TaskWork): boolean {
  switch (work.does) {
    case 'delete-keys':
    case 'delete-bucket':
    case 'import-keys':
    case 'delete-hostnames':
    case 'edit-hostnames':
    case 'reconcile-hostnames':
      return true;
    case 'copy-keys':
      return work.onConflict === 'overwrite';
    case 'copy-objects':
      return work.existing === 'replace';
    case 'delete-objects':
      return work.undo !== true;
    case 'upload':
      return work.existing === 'replace' && work.undo !== true;
    case 'expire-keys':
    case 'export-keys':
    case 'download':
    case 'refresh-hostnames':
    case 'diagnose-hostnames':
    case 'export-hostnames':
    case 'plan-hostnames':
      return false;
  }
}
