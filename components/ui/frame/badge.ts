import type { Target } from '../../../src/model/target.ts';
import { dataWords } from '../../../src/model/where.ts';
import type { OpenPane } from '../../kit/open-pane.ts';
import type { SessionLabel } from '../../kit/session-label.ts';
import type { Part } from '../lines/Line.tsx';

/** Panes of what has no preview: it is production's, whatever target was chosen. */
const ofProduction: ReadonlySet<OpenPane['pane']> = new Set<OpenPane['pane']>([
  'hostnames',
  'hostname',
  'instructions',
  'diagnosis',
  'diagnoses',
  'forecast',
  'records',
  'plan',
  'workers',
  'worker',
  'logs',
]);

/** Panes of what there is in local data as well, but not as a preview. */
const ofObjects: ReadonlySet<OpenPane['pane']> = new Set<OpenPane['pane']>(['buckets', 'objects', 'preview']);

/** Panes whose rows say each for itself where they act. */
const anywhere: ReadonlySet<OpenPane['pane']> = new Set<OpenPane['pane']>([
  'tasks',
  'task',
  'undo',
  'messages',
  'doctor',
]);

/** The data that a pane acts on; `any` where each row says it for itself. */
export function reachOf({ pane }: OpenPane, target: Target): Target | 'any' {
  if (anywhere.has(pane)) return 'any';
  if (ofProduction.has(pane)) return 'production';
  return ofObjects.has(pane) && target === 'preview' ? 'production' : target;
}

/** The badge at the beginning of the screen: which data the pane acts on. On the embedded platform nothing is at stake. */
export function badgeOf({ target, where, isDemo = false }: SessionLabel, opened: OpenPane): Part {
  const reach = reachOf(opened, target);
  if (where.kind === 'sandbox') {
    const data = dataWords(where, reach === 'any' ? 'production' : reach, isDemo);
    return { text: data.toUpperCase(), role: 'embedded' };
  }
  if (reach === 'any') return { text: 'ANY TARGET', role: 'title' };
  return { text: reach.toUpperCase(), role: reach };
}
