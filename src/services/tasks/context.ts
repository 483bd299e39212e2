import type { IndexRange, IndexRanges } from '../../model/kv/index-ranges.ts';
import type { Problem } from '../../model/problem.ts';
import type { Reporter } from '../../model/progress.ts';
import type { Target } from '../../model/target.ts';
import type { Task, TaskActor, TaskFailure, TaskKind, TaskWork } from '../../model/tasks/task.ts';
import type { Session } from '../session/session.ts';
import type { TaskFiles } from './files.ts';

/**
 * Where a session of the console or a task acts, and as whom. Undefined: as the console was opened; with a profile its own
 * account and zone.
 */
export interface SessionChoice extends TaskActor {
  readonly target?: Target | undefined;
  readonly zoneId?: string | undefined;
}

/** All that one run of a task works with, by kind of task. */
export type TaskContext<Kind extends TaskKind = TaskKind> = ContextOf<Extract<TaskWork, { does: Kind }>>;

interface ContextOf<Work extends TaskWork> {
  readonly task: Task;
  readonly work: Work;
  /** Closed when the task ends. */
  readonly session: Session;
  readonly files: TaskFiles;
  readonly reporter: Reporter;
  /** The part of the task's list that earlier runs have done. */
  readonly confirmed: IndexRanges;
  /** Saves a part of the list as done. */
  confirm(range: IndexRange): void;
  /** Opens another session. The task closes it. */
  open(choice: SessionChoice): Promise<Session>;
}

/** The result of one run of a task. */
export interface TaskOutcome {
  /** One sentence; it may hold names from outside. */
  readonly words: string;
  readonly failed: { readonly count: number; readonly first: readonly TaskFailure[] };
  /** The problem that ended the run early. */
  readonly stopped?: Problem | undefined;
}

/** Whether this run resumes a task that was run before. */
export function isAgain({ task }: TaskContext): boolean {
  return task.runs > 1;
}
