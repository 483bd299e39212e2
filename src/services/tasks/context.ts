import type { IndexRange, IndexRanges } from '../../model/kv/index-ranges.ts';
import type { Problem } from '../../model/problem.ts';
import type { Reporter } from '../../model/progress.ts';
import type { Target } from '../../model/target.ts';
import type { Task, TaskActor, TaskFailure, TaskKind, TaskWork } from '../../model/tasks/task.ts';
import type { Session } from '../session/session.ts';
import type { TaskFiles } from './files.ts';

/**
 * The platform, account and credentials of a console session or a task. Undefined fields have the values with which the console was opened
 * or, if a profile is set, the values of the profile.
 */
export interface SessionChoice extends TaskActor {
  readonly target?: Target | undefined;
  readonly zoneId?: string | undefined;
}

/** The inputs of a run of a task, by kind of task. */
export type TaskContext<Kind extends TaskKind = TaskKind> = TaskContextFor<Extract<TaskWork, { does: Kind }>>;

interface TaskContextFor<Work extends TaskWork> {
  readonly task: Task;
  readonly work: Work;
  /** The session for the run. The runner closes it. */
  readonly session: Session;
  readonly files: TaskFiles;
  readonly reporter: Reporter;
  /** Indices of the items in the task's list that earlier runs completed. */
  readonly confirmed: IndexRanges;
  /** Records that the items in a range are completed. */
  confirm(range: IndexRange): void;
  /** Opens another session, which the task must close. */
  open(choice: SessionChoice): Promise<Session>;
}

/** The result of a run of a task. */
export interface TaskOutcome {
  /** The result as one sentence, which may contain untrusted data. */
  readonly summary: string;
  readonly failed: { readonly count: number; readonly first: readonly TaskFailure[] };
  /** The faults that the diagnosis found; only for a diagnosis. */
  readonly faults?: Task['faults'];
  /** The problem that stopped the run early. */
  readonly stopped?: Problem | undefined;
}

/** Returns whether this run resumes an earlier run. */
export function isResumed({ task }: TaskContext): boolean {
  return task.runs > 1;
}
