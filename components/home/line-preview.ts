import { findAttention } from '../../src/model/hostnames/attention.ts';
import type { Task } from '../../src/model/tasks/task.ts';
import { groupDigits } from '../../src/text/size.ts';
import { hostnamePreview } from '../hostnames/hostname-preview.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { namespacePreview } from '../kv/previews.ts';
import { bucketPreview } from '../objects/previews.ts';
import { taskPreview } from '../tasks/task-preview.ts';
import { entriesContent } from '../ui/preview/entries-content.ts';
import type { Previewed } from '../ui/preview/previewed.ts';
import { taskLine, taskStateWord } from '../ui/tasks/words.ts';
import { type Entry, headingEntry } from '../ui/viewer/entries.ts';
import { workerPreview } from '../workers/worker-preview.ts';
import type { HomeParts, HomeState } from './home-state.ts';
import type { HomeRow } from './lines.ts';

type Parts = Pick<PaneParts, 'services' | 'tasks' | 'world' | 'session'>;

/** Returns the preview of a line of Home: the preview of the pane or area that the line opens, or otherwise the line's own text. */
export function linePreview(line: HomeRow, state: HomeState, parts: Parts): Previewed {
  const { goal } = line;
  if (goal === undefined || 'link' in goal) return wordsPreview(line);
  return 'opens' in goal ? panePreview(goal.opens, line, parts) : areaPreview(goal.turns, line, state, parts);
}

function panePreview(pane: OpenPane, line: HomeRow, parts: Parts): Previewed {
  switch (pane.pane) {
    case 'hostname':
      return hostnamePreview(pane.row, parts.world.now() + pane.ahead);
    case 'keys':
      return namespacePreview(pane.namespace, parts);
    case 'objects':
      return bucketPreview(pane.bucket, parts);
    case 'worker':
      return workerPreview(pane.name, parts);
    case 'task': {
      const task = parts.tasks.list.tasks.find(({ id }) => id === pane.id);
      return task === undefined ? wordsPreview(line) : taskPreview(task, parts);
    }
    default:
      return wordsPreview(line);
  }
}

function wordsPreview({ id, subject, about = '' }: HomeRow): Previewed {
  return {
    id: `line ${id} ${about}`,
    title: subject,
    content: entriesContent({
      entries: [
        ...(about === '' ? [] : [{ text: about }, { text: '' }]),
        { text: 'Press Enter to go there.', role: 'dim' },
      ],
    }),
  };
}

/** Maximum number of names in the preview of an area. */
const maxNames = 100;

function areaPreview({ pane }: OpenPane, line: HomeRow, state: HomeState, { tasks }: Parts): Previewed {
  const entries = listArea(pane, state, tasks.list.tasks);
  if (entries === undefined) return wordsPreview(line);
  const empty: Entry = { text: 'Empty.', role: 'dim' };
  return {
    id: `area ${pane} ${JSON.stringify(entries)}`,
    title: line.id.startsWith('area') ? line.subject : pane,
    content: entriesContent({ entries: entries.length === 0 ? [empty] : entries }),
  };
}

/** Returns the part of an area's content that Home has read; undefined if Home has read nothing in the area. */
function listArea(pane: OpenPane['pane'], { parts }: HomeState, tasks: readonly Task[]): Entry[] | undefined {
  const names = (rows: readonly string[] | undefined) =>
    rows?.slice(0, maxNames).map((text): Entry => ({ text }));
  switch (pane) {
    case 'namespaces':
      return names(parts.namespaces?.value?.of.rows.map(({ title }) => title));
    case 'buckets':
      return names(parts.buckets?.value?.of.rows.map(({ name }) => name));
    case 'workers':
      return names(parts.workers?.value?.of.map(({ name }) => name));
    case 'tasks':
      return names(tasks.map((task) => `${taskStateWord(task)}  ${taskLine(task)}`));
    case 'hostnames':
      return countStates(parts.hostnames?.value?.of);
    default:
      return undefined;
  }
}

/** Counts hostnames by their state, most frequent state first. */
function countStates(found: HomeParts['hostnames']): Entry[] | undefined {
  if (found === undefined) return undefined;
  const states = Map.groupBy(found.rows, (row) => findAttention(row)?.state ?? 'active');
  const counts = [...states].map(([name, { length }]) => ({ name, length }));
  counts.sort((one, other) => other.length - one.length);
  return [
    headingEntry(`Hostnames of ${found.zone.name}${found.isWhole ? '' : ' read so far'}`),
    ...counts.map(({ name, length }): Entry => ({ text: `${groupDigits(length).padStart(6)}  ${name}` })),
  ];
}
