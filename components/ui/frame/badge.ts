import type { Target } from '../../../src/model/target.ts';
import { describeData } from '../../../src/model/where.ts';
import type { OpenPane } from '../../kit/open-pane.ts';
import type { SessionLabel } from '../../kit/session-label.ts';
import type { Part } from '../lines/Line.tsx';

/** Panes of things without a preview: they belong to production, whatever the target is. */
const productionPanes: ReadonlySet<OpenPane['pane']> = new Set<OpenPane['pane']>([
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

/** Panes of things that exist in production and in local data, but not as a preview. */
const objectPanes: ReadonlySet<OpenPane['pane']> = new Set<OpenPane['pane']>([
  'buckets',
  'objects',
  'preview',
]);

/** Panes in which each row shows its own target. */
const anyTargetPanes: ReadonlySet<OpenPane['pane']> = new Set<OpenPane['pane']>([
  'tasks',
  'task',
  'undo',
  'messages',
  'doctor',
]);

/** Returns the target of a pane; `any` if each row shows its own. */
export function paneTarget({ pane }: OpenPane, target: Target): Target | 'any' {
  if (anyTargetPanes.has(pane)) return 'any';
  if (productionPanes.has(pane)) return 'production';
  return objectPanes.has(pane) && target === 'preview' ? 'production' : target;
}

/**
 * Returns the badge at the start of the header: the data that the pane acts on. The sandbox has its own colour, because no real
 * data is at risk.
 */
export function formatBadge({ target, where, isDemo = false }: SessionLabel, opened: OpenPane): Part {
  const reach = paneTarget(opened, target);
  if (where.kind === 'sandbox') {
    const data = describeData(where, reach === 'any' ? 'production' : reach, isDemo);
    return { text: data.toUpperCase(), role: 'embedded' };
  }
  if (reach === 'any') return { text: 'ANY TARGET', role: 'title' };
  return { text: reach.toUpperCase(), role: reach };
}
