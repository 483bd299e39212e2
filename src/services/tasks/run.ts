import type { IndexRange, IndexRanges } from '../../model/kv/index-ranges.ts';
import type { Problem } from '../../model/problem.ts';
import type { Reporter } from '../../model/progress.ts';
import type { Target } from '../../model/target.ts';
import type { Task, TaskFailure, TaskKind, TaskWork } from '../../model/tasks/task.ts';
import type { Session } from '../session/session.ts';
import type { TaskFiles } from './files.ts';

/** Where a task is to act: undefined is what the console was opened with. */
export interface TaskPlace {
  readonly target?: Target | undefined;
  readonly profile?: string | undefined;
}

/** One run of a task of a kind, for what carries it out. */
export type TaskRun<Kind extends TaskKind = TaskKind> = RunOf<Extract<TaskWork, { does: Kind }>>;

interface RunOf<Work extends TaskWork> {
  readonly task: Task;
  readonly work: Work;
  /** Ends with the task. */
  readonly session: Session;
  readonly files: TaskFiles;
  readonly reporter: Reporter;
  /** What earlier runs have done of the task's list. */
  readonly confirmed: IndexRanges;
  /** Notes a part of the list as done. */
  confirm(range: IndexRange): void;
  /** Another session, which ends with the task too. Closed by the task. */
  open(place: TaskPlace): Promise<Session>;
}

/** What a run has come to. */
export interface TaskOutcome {
  /** A sentence; it may hold names from outside. */
  readonly words: string;
  readonly failed: { readonly count: number; readonly first: readonly TaskFailure[] };
  /** What ended it early. */
  readonly stopped?: Problem | undefined;
}

/** Whether a task was run before, so that this run goes on with it. */
export function isAgain({ task }: TaskRun): boolean {
  return task.runs > 1;
}
