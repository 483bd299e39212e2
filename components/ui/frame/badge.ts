import type { Target } from '../../../src/model/target.ts';
import type { Task } from '../../../src/model/tasks/task.ts';
import { describeData, isSamePlace, type Where } from '../../../src/model/where.ts';
import type { OpenPane } from '../../kit/open-pane.ts';
import type { SessionLabel } from '../../kit/session-label.ts';
import type { Part } from '../lines/Line.tsx';

/**
 * The targets that a pane supports. `target`: all targets. `objects`: production and local data, but no preview. `production`: only
 * production. `each row`: each row has its own target.
 */
const paneReach: Readonly<Record<OpenPane['pane'], 'target' | 'production' | 'objects' | 'each row'>> = {
  home: 'target',
  namespaces: 'target',
  keys: 'target',
  value: 'target',
  comparison: 'target',
  differences: 'target',
  import: 'target',
  buckets: 'objects',
  objects: 'objects',
  preview: 'objects',
  sync: 'objects',
  workers: 'production',
  worker: 'production',
  logs: 'production',
  hostnames: 'production',
  hostname: 'production',
  instructions: 'production',
  diagnosis: 'production',
  diagnoses: 'production',
  forecast: 'production',
  records: 'production',
  plan: 'production',
  tasks: 'each row',
  task: 'each row',
  undo: 'each row',
  held: 'each row',
  'held-request': 'each row',
  audit: 'each row',
  'audit-record': 'each row',
  messages: 'each row',
  doctor: 'each row',
  settings: 'each row',
};

/** Returns the target of the tasks in a pane of tasks; undefined if they differ in their target or in their profile or place. */
export function tasksTarget(
  opened: OpenPane,
  tasks: readonly Pick<Task, 'id' | 'target' | 'where'>[],
  here: Where,
): Target | undefined {
  if (opened.pane !== 'tasks' && opened.pane !== 'task') return undefined;
  const shown = opened.pane === 'task' ? tasks.filter(({ id }) => id === opened.id) : tasks;
  const [first] = shown;
  const isSame = shown.every(
    ({ target, where }) => target === first?.target && (where === undefined || isSamePlace(where, here)),
  );
  return isSame ? first?.target : undefined;
}

/** Returns the target that a pane uses if the console's target is `target`; `any` if each row has its own target. */
export function paneTarget({ pane }: OpenPane, target: Target): Target | 'any' {
  const reach = paneReach[pane];
  if (reach === 'each row') return 'any';
  if (reach === 'production') return 'production';
  return reach === 'objects' && target === 'preview' ? 'production' : target;
}

/**
 * Returns the badge at the start of the header. The badge names the data that the pane acts on. The badge of a sandbox has a separate
 * color, because no real data is at risk. `ofTasks` is the common target of the tasks in a pane of tasks.
 */
export function formatBadge(
  { target, where, isDemo = false }: SessionLabel,
  opened: OpenPane,
  ofTasks?: Target,
): Part {
  const reach = ofTasks ?? paneTarget(opened, target);
  if (where.kind === 'sandbox') {
    const data = describeData(where, reach === 'any' ? 'production' : reach, isDemo);
    return { text: data.toUpperCase(), role: 'embedded' };
  }
  if (reach === 'any') return { text: 'ALL TARGETS', role: 'title' };
  return { text: reach.toUpperCase(), role: reach };
}
