import { basename } from 'node:path';
import { isActive, type Task, type TaskState, type TaskWork } from '../../../src/model/tasks/task.ts';
import { type Pace, progressLine } from '../../../src/text/progress.ts';
import { groupDigits } from '../../../src/text/size.ts';
import { closeDuration, compactDuration } from '../../../src/text/time.ts';
import type { Role } from '../../kit/theme.ts';
import { severityRoles } from '../../kit/tones.ts';

/** Returns the title of a task: `Delete 1,200 keys of demo-sessions`. */
export function taskTitle({ work, marked }: Pick<Task, 'work' | 'marked'>): string {
  const things = (one: string, many: string) =>
    marked === 1 ? `1 ${one}` : `${groupDigits(marked)} ${many}`;
  const keys = () => things('key', 'keys');
  const objects = () => things('entry', 'marked entries');
  switch (work.does) {
    case 'import-keys':
      return `Import ${basename(work.path)} into ${work.namespace.title}`;
    case 'export-keys':
      return `Export ${keys()} from ${work.namespace.title} to ${basename(work.path)}`;
    case 'export-namespace':
      return `Export all keys from ${work.namespace.title} to ${basename(work.path)}`;
    case 'clear-namespace':
      return `Delete all keys from ${work.namespace.title}`;
    case 'delete-keys':
      return `Delete ${keys()} from ${work.namespace.title}`;
    case 'expire-keys':
      return `Set the expiry of ${keys()} in ${work.namespace.title}`;
    case 'copy-keys':
      return `Copy ${keys()} from ${work.namespace.title} to ${work.to.namespace.title}`;
    case 'upload':
      return `Upload ${basename(work.path) || work.path} to ${work.bucket}/${work.key}`;
    case 'download':
      return `Download ${objects()} from ${work.bucket} to ${basename(work.path)}`;
    case 'copy-objects':
      return `Copy ${objects()} from ${work.bucket} to ${work.to.bucket}/${work.to.key}`;
    case 'delete-objects':
      return `Delete ${objects()} from ${work.bucket}`;
    case 'sync-objects':
      return work.direction === 'upload'
        ? `Sync ${basename(work.path)} to ${work.bucket}/${work.prefix}`
        : `Sync ${work.bucket}/${work.prefix} to ${basename(work.path)}`;
    case 'delete-bucket':
      return `Delete the bucket ${work.bucket} with all its objects`;
    default:
      return hostnamesTitle(work, marked === 0 ? 'all hostnames' : things('hostname', 'hostnames'));
  }
}

function hostnamesTitle(work: Extract<TaskWork, { readonly zone: unknown }>, hostnames: string): string {
  const { name } = work.zone;
  switch (work.does) {
    case 'delete-hostnames':
      return `Delete ${hostnames} from ${name}`;
    case 'refresh-hostnames':
      return `Restart the validation of ${hostnames} in ${name}`;
    case 'edit-hostnames':
      return `Change ${hostnames} in ${name}`;
    case 'diagnose-hostnames':
      return `Diagnose ${hostnames} in ${name}`;
    case 'export-hostnames':
      return `Export ${hostnames} from ${name} to ${basename(work.path)}`;
    case 'plan-hostnames':
      return `Plan changes to the hostnames in ${name} from ${basename(work.path)}`;
    case 'reconcile-hostnames':
      return `Reconcile the hostnames in ${name} with ${basename(work.path)}`;
  }
}

/** The note for a task whose writes wait for an approval. */
export const waitsForApproval = 'A policy requires your approval. Answer under Held requests.';

/**
 * Returns the text of a task in a list: its title, or its result if it has ended. For a diagnosis, returns the title, because the state
 * contains the result.
 */
export function taskLine(task: Task): string {
  const { work, faults } = task;
  if (faults === undefined || isActive(task) || task.problem !== undefined) return resultLine(task);
  return taskTitle({ work, marked: faults.total });
}

/** Formats the result of a task; the title if the task has no result yet. */
export function resultLine(task: Task): string {
  const { outcome, problem, failed, faults, work } = task;
  if (problem !== undefined) return `${problem.message} (${taskTitle(task)})`;
  if (outcome === undefined || isActive(task)) return taskTitle(task);
  if (faults !== undefined && 'zone' in work) return `${faultsLine(faults)} · ${work.zone.name}`;
  return failed.count === 0 ? outcome : `${outcome} ${groupDigits(failed.count)} failed.`;
}

/** Formats what a diagnosis has found: `17 of 25 hostnames have a fault`. */
function faultsLine({ count, total }: NonNullable<Task['faults']>): string {
  const hostnames = total === 1 ? 'hostname' : 'hostnames';
  if (count === 0) return `No fault in ${groupDigits(total)} ${hostnames}`;
  return `${groupDigits(count)} of ${groupDigits(total)} ${hostnames} ${count === 1 ? 'has' : 'have'} a fault`;
}

/**
 * Formats the progress of a task in a few words: `uploading 34% 12s left`. Returns an empty string if the task has ended or its progress is
 * unknown.
 */
export function shortProgress({ state, progress, note }: Task, pace: Pace | undefined): string {
  if (note === waitsForApproval && state === 'running') return 'needs answer';
  if (progress === undefined || !progressStates.includes(state)) return '';
  const { done, total, phase } = progress;
  const percent = total === undefined || total === 0 ? undefined : Math.floor((done / total) * 100);
  const reached = percent === undefined ? groupDigits(done) : `${Math.min(100, percent)}%`;
  const left = pace?.secondsLeft === undefined ? '' : ` ${compactDuration(pace.secondsLeft)} left`;
  return `${phase} ${reached}${state === 'running' ? left : ''}`;
}

/** The states in which the progress of a task is shown. */
const progressStates: readonly TaskState[] = ['running', 'stopping', 'stopped', 'interrupted'];

/** Formats the full progress of a task, with its rate while it runs; undefined if the progress is unknown. */
export function longProgress(task: Task, pace: Pace | undefined): string | undefined {
  const { progress } = task;
  const shown = isActive(task) ? pace : undefined;
  return progress && progressLine(progress, shown ?? { rate: undefined, secondsLeft: undefined });
}

/** The style of each state. */
export const stateRoles: Readonly<Record<TaskState, Role>> = {
  waiting: 'pending',
  running: 'pending',
  stopping: 'pending',
  done: 'good',
  partly: 'warning',
  failed: 'fault',
  stopped: 'warning',
  interrupted: 'warning',
};

/** Returns the state of a task in one or two words: for a completed diagnosis with faults, their number instead of "done". */
export function taskStateWord({ state, faults }: Pick<Task, 'state' | 'faults'>): string {
  if (state !== 'done' || faults === undefined || faults.count === 0) return state;
  return faults.count === 1 ? '1 fault' : `${groupDigits(faults.count)} faults`;
}

/** Returns the style of a task by its state; for a completed diagnosis with faults, the style of the most severe fault. */
export function taskRole({ state, faults }: Pick<Task, 'state' | 'faults'>): Role {
  if (!isFaulty({ state, faults })) return stateRoles[state];
  return severityRoles[faults?.first[0]?.severity ?? 'error'];
}

/** Formats the duration of the last run of a task; undefined if the run has not ended. */
export function formatTaskDuration({ started, begun = started, ended }: Task): string | undefined {
  if (ended === undefined) return undefined;
  const seconds = (ended - begun) / 1000;
  return seconds < 1 ? '<1s' : closeDuration(seconds);
}

/** Returns whether a task is a completed diagnosis that has found faults. */
function isFaulty({ state, faults }: Pick<Task, 'state' | 'faults'>): boolean {
  return state === 'done' && faults !== undefined && faults.count > 0;
}

/** Formats the number of tasks by state, for the header. */
export function taskCounts(tasks: readonly Task[]): string {
  const count = (states: readonly TaskState[]) => tasks.filter(({ state }) => states.includes(state)).length;
  const parts = [
    [count(['running', 'stopping']), 'running'],
    [count(['waiting']), 'waiting'],
    [count(['partly', 'failed']), 'failed'],
    [count(['stopped', 'interrupted']), 'to resume'],
    [tasks.filter(isFaulty).length, 'with faults'],
    [tasks.filter((task) => task.state === 'done' && !isFaulty(task)).length, 'done'],
  ] as const;
  const shown = parts
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${groupDigits(number)} ${word}`);
  return shown.length === 0 ? 'no tasks' : shown.join(', ');
}
