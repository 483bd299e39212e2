import type { IndexRange, IndexRanges } from '../../model/kv/index-ranges.ts';
import type { Problem } from '../../model/problem.ts';
import type { Reporter } from '../../model/progress.ts';
import type { Target } from '../../model/target.ts';
import type { Task, TaskActor, TaskFailure, TaskKind, TaskWork } from '../../model/tasks/task.ts';
import type { Session } from '../session/session.ts';
import type { TaskFiles } from './files.ts';

/**
 * The place and the credentials of a console session or a task. Undefined fields are as when the console was opened or,
 * with a profile, as in the profile.
 */
export interface SessionChoice extends TaskActor {
  readonly target?: Target | undefined;
  readonly zoneId?: string | undefined;
}

/** Everything that a run of a task works with, by kind of task. */
export type TaskContext<Kind extends TaskKind = TaskKind> = TaskContextFor<Extract<TaskWork, { does: Kind }>>;

interface TaskContextFor<Work extends TaskWork> {
  readonly task: Task;
  readonly work: Work;
  /** The session, which is closed when the task ends. */
  readonly session: Session;
  readonly files: TaskFiles;
  readonly reporter: Reporter;
  /** The part of the task's list that earlier runs have completed. */
  readonly confirmed: IndexRanges;
  /** Saves a part of the list as completed. */
  confirm(range: IndexRange): void;
  /** Opens another session, which the task must close. */
  open(choice: SessionChoice): Promise<Session>;
}

/** The result of a run of a task. */
export interface TaskOutcome {
  /** The result in one sentence, which may contain outside data. */
  readonly summary: string;
  readonly failed: { readonly count: number; readonly first: readonly TaskFailure[] };
  /** The faults that a diagnosis has found. */
  readonly faults?: Task['faults'];
  /** The problem that ended the run early. */
  readonly stopped?: Problem | undefined;
}

/** Whether this run resumes an earlier run. */
export function isResumed({ task }: TaskContext): boolean {
  return task.runs > 1;
}
