import type { Task, TaskWork } from '../../src/model/tasks/task.ts';
import type { Services } from '../../src/services/console/services.ts';
import type { MarkedObject } from '../../src/services/tasks/objects.ts';
import type { World } from '../../src/world.ts';
import type { PaneOutcome } from '../ui/forms/dialog.ts';
import { type Chosen, describeChosen } from './chosen.ts';

/** The parts of a pane that actions on objects need. */
export interface ObjectMeans {
  readonly services: Pick<Services, 'objects' | 'undo'>;
  /** The part of the World that resolves typed paths. */
  readonly world: Pick<World, 'cwd' | 'env'>;
  copy(bytes: Uint8Array, what: string): string;
  readonly tasks: {
    start(work: TaskWork, marked: readonly MarkedObject[]): Promise<Pick<Task, 'id'>>;
  };
}

/** Returns the outcome of an action that starts a task on the chosen rows. */
export function startedOn(chosen: Chosen, doing: string): PaneOutcome {
  return { notice: startNotice(doing, describeChosen(chosen)), unmark: true };
}

/** Formats the notice of a started task. */
export function startNotice(doing: string, what: string): string {
  return `${doing} ${what}. Press 5 to see the task.`;
}
