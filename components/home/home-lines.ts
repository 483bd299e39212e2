import type { HeldRequest } from '../../src/model/guard/held-shape.ts';
import type { Memory } from '../../src/model/places/memory.ts';
import type { LastVisit } from '../../src/model/places/visit.ts';
import type { Task } from '../../src/model/tasks/task.ts';
import { groupDigits } from '../../src/text/size.ts';
import type { availableNouns } from '../kit/nouns.ts';
import type { HomePart, HomeState } from './home-state.ts';
import { type HomeLine, type HomeRow, section } from './lines.ts';
import {
  attentionSection,
  changeSection,
  expiringSection,
  heldSection,
  renewalSection,
  taskSection,
  unreadRows,
} from './sections.ts';

/** All the data that Home shows. */
export interface HomeFacts {
  readonly state: HomeState;
  readonly tasks: readonly Task[];
  /** Requests that guards hold. */
  readonly held: readonly HeldRequest[];
  readonly memory: Memory;
  /** The previous visit. */
  readonly before: LastVisit | undefined;
  readonly nouns: ReturnType<typeof availableNouns>;
  /** Milliseconds since the UNIX epoch, on this machine's clock. */
  readonly now: number;
  /** Number of rows of the screen, which limits the number of hostnames. */
  readonly height: number;
  /** Whether the overview is next to the lines. */
  readonly hasOverview?: boolean;
}

/**
 * Minimum number of rows of a screen that reserves room for links. A smaller screen gives this room to hostnames that need attention,
 * because the header already shows the areas, and the user can scroll to the links.
 */
const minRowsForLinks = 24;

/** Returns the lines of Home: held requests, what needs attention, what has changed, and where to go. */
export function homeLines({
  state,
  tasks,
  held,
  memory,
  before,
  nouns,
  now,
  height,
  hasOverview = false,
}: HomeFacts): readonly HomeLine[] {
  const urgentLines = [...taskSection(tasks), ...expiringSection(state, now)];
  const laterLines = [
    ...changeSection(state, before, now),
    ...section(
      'Bookmarks',
      memory.bookmarks.slice(0, 8).map((link) => linkRow('bookmark', link)),
    ),
    ...section(
      'Recent',
      recentLinks(memory).map((link) => linkRow('recent', link)),
    ),
    ...section(
      'Go to',
      nouns.filter(({ name }) => name !== 'home').map((noun) => areaRow(noun, state, tasks)),
    ),
  ];
  // The attention section gets the rows that the other sections do not need, but at least a third of the screen. A short screen has no room
  // for links.
  const isHigh = height >= minRowsForLinks;
  const left = height - urgentLines.length - (isHigh ? laterLines.length : 0) - 1;
  const maxAttentionRows = Math.max(3, Math.floor(height / 3), left);
  const first = [
    ...heldSection(held),
    ...attentionSection(state.parts.hostnames, now, maxAttentionRows),
    ...urgentLines,
  ];
  const room = hasOverview ? 0 : height - first.length - laterLines.length;
  return [...first, ...renewalSection(state, now, room), ...laterLines];
}

/** Returns up to five recent links, excluding bookmarks and areas that have a digit. */
function recentLinks({ recents, bookmarks }: Memory): readonly string[] {
  return recents.filter((link) => link.includes('/') && !bookmarks.includes(link)).slice(0, 5);
}

function linkRow(kind: 'bookmark' | 'recent', link: string): HomeRow {
  return {
    id: `${kind} ${link}`,
    mark: kind === 'bookmark' ? '*' : '',
    role: 'badge',
    subject: link,
    goal: { link },
  };
}

function areaRow(
  { name, press, label, opens }: ReturnType<typeof availableNouns>[number],
  { parts }: HomeState,
  tasks: readonly Task[],
): HomeRow {
  return {
    id: `area ${name}`,
    mark: press,
    role: 'press',
    subject: label,
    about: formatCount(name, parts, tasks),
    goal: { turns: opens },
  };
}

function formatCount(name: string, parts: HomeState['parts'], tasks: readonly Task[]): string {
  const part: HomePart<unknown> | undefined = name === 'tasks' ? undefined : findPart(parts, name);
  const [unread] = unreadRows(name, part);
  // Problems with hostnames are shown in the first section.
  if (unread !== undefined) return name === 'hostnames' ? '' : unread.subject;
  const count = name === 'tasks' ? { rows: tasks, isWhole: true } : findList(parts, name);
  return count === undefined ? '' : `${groupDigits(count.rows.length)}${count.isWhole ? '' : ' and more'}`;
}

function findPart(parts: HomeState['parts'], name: string): HomePart<unknown> | undefined {
  return name === 'namespaces' || name === 'buckets' || name === 'workers' || name === 'hostnames'
    ? parts[name]
    : undefined;
}

function findList({ namespaces, buckets, workers, hostnames }: HomeState['parts'], name: string) {
  const lists: Readonly<
    Record<string, { readonly rows: readonly unknown[]; readonly isWhole: boolean } | undefined>
  > = {
    namespaces: namespaces?.value?.of,
    buckets: buckets?.value?.of,
    workers: workers?.value && { rows: workers.value.of, isWhole: true },
    hostnames: hostnames?.value?.of,
  };
  return lists[name];
}
