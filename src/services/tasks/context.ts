import type { IndexRange, IndexRanges } from '../../model/kv/index-ranges.ts';
import type { Problem } from '../../model/problem.ts';
import type { Reporter } from '../../model/progress.ts';
import type { Target } from '../../model/target.ts';
import type { Task, TaskActor, TaskFailure, TaskKind, TaskWork } from '../../model/tasks/task.ts';
import type { Session } from '../session/session.ts';
import type { TaskFiles } from './files.ts';

/**
 * The platform, account and credentials of a console session or a task. An undefined field has its value from the opening of the console
 * or, if a profile is set, from the profile.
 */
export interface SessionChoice extends TaskActor {
  readonly target?: Target | undefined;
  readonly zoneId?: string | undefined;
}

/** Everything that a run of a task needs, by kind of task. */
export type TaskContext<Kind extends TaskKind = TaskKind> = TaskContextFor<Extract<TaskWork, { does: Kind }>>;

interface TaskContextFor<Work extends TaskWork> {
  readonly task: Task;
  readonly work: Work;
  /** The session, which is closed after the run. */
  readonly session: Session;
  readonly files: TaskFiles;
  readonly reporter: Reporter;
  /** The part of the task's list that earlier runs completed. */
  readonly confirmed: IndexRanges;
  /** Saves that a part of the list is completed. */
  confirm(range: IndexRange): void;
  /** Opens another session. The task must close this session. */
  open(choice: SessionChoice): Promise<Session>;
}

/** The result of a run of a task. */
export interface TaskOutcome {
  /** The result in one sentence, which may contain data from outside. */
  readonly summary: string;
  readonly failed: { readonly count: number; readonly first: readonly TaskFailure[] };
  /** The faults that a diagnosis found. */
  readonly faults?: Task['faults'];
  /** The problem that stopped the run before its end. */
  readonly stopped?: Problem | undefined;
}

/** Whether this run resumes an earlier run. */
export function isResumed({ task }: TaskContext): boolean {
  return task.runs > 1;
}
