import { Box } from 'ink';
import { type ReactNode, useSyncExternalStore } from 'react';
import { markText } from '../../../src/text/mark.ts';
import { groupDigits } from '../../../src/text/size.ts';
import { fitMiddle, fitText, measureCharacter } from '../../../src/text/width.ts';
import { hasGlobalShortcuts, hasNounShortcuts } from '../../kit/keys/find-shortcut.ts';
import type { Mode } from '../../kit/keys/modes.ts';
import { formatPress, type Press, toTerminalInput } from '../../kit/keys/presses.ts';
import { availableNouns } from '../../kit/nouns.ts';
import { formatBreadcrumbs, type OpenPane } from '../../kit/open-pane.ts';
import { formatSessionPlace, type SessionLabel } from '../../kit/session-label.ts';
import type { Surface } from '../../kit/surface.ts';
import { useConsole } from '../../kit/use-console.ts';
import { recallPress } from '../../kit/writes.ts';
import { useClicks } from '../input/use-clicks.ts';
import { pressFor } from '../input/use-shortcuts.ts';
import { fitCounts, isNarrowed, lastCount } from '../lines/counts.ts';
import { Line, type Part } from '../lines/Line.tsx';
import type { DataAge } from '../status/age.ts';
import { Status, statusParts, statusRoom, useStatus } from '../status/Status.tsx';
import { useAge } from '../status/use-age.ts';
import { useRunningTasks } from '../tasks/use-running-tasks.ts';
import { formatBadge, tasksTarget } from './badge.ts';

interface HeaderProps {
  /** Counts after the path, not yet escaped. */
  readonly counts: string;
  /** Returns the age of the data on the screen. */
  readonly age: (() => DataAge) | undefined;
  readonly mode: Mode;
  /** Content of the second line (default: the path to the pane). */
  readonly path?: ReactNode;
}

/** Draws two lines: the profile and account with their state, and the path to the current pane. */
export function Header({ counts: rawCounts, age, mode, path }: HeaderProps) {
  const { session, services, openPanes, pulse, screen, redact, unsettledWrites, held, keys, tasks } =
    useConsole();
  const { columns } = screen;
  const counts = markText(rawCounts);
  const running = useRunningTasks();
  const waiting = useSyncExternalStore(held.subscribe, () => held.waiting);
  const nouns = availableNouns(services);
  const [first] = openPanes;
  const opened = openPanes.at(-1) ?? { pane: 'home' };
  const badge = formatBadge(session, opened, tasksTarget(opened, tasks.list.tasks, session.where));
  // A screen reader must not read the age aloud every ten seconds.
  const status = useStatus(pulse, useAge(screen.isSpoken === true ? undefined : age));
  const statusWidth = status === undefined ? 0 : statusRoom(status, columns);
  const sessionLine = sessionParts(
    session,
    badge,
    { columns: columns - statusWidth, redact },
    { running, unsettled: unsettledWrites, waiting, heldPress: pressFor('global', 'held', keys) },
  );
  const used = sessionLine.reduce((sum, { text }) => sum + measureCharacter(text), 0);
  const isArea = openPanes.length === 1 && first !== undefined && nouns.length > 1;
  const pathLine = isArea
    ? nounParts(nouns, first, counts, columns)
    : breadcrumbParts(openPanes, counts, { columns, redact });
  const { session: sessionBox, way: wayBox } = useHeaderClicks(mode, {
    sessionLine,
    badge,
    pathLine,
    isArea,
  });
  return (
    <>
      <Box ref={sessionBox} height={1} flexShrink={0}>
        <Line parts={sessionLine} />
      </Box>
      {status !== undefined && <Status parts={statusParts(status, columns - used)} />}
      <Box ref={wayBox} height={1} flexShrink={0}>
        {path ?? <Line parts={pathLine} />}
      </Box>
    </>
  );
}

interface Clickable {
  readonly sessionLine: readonly Part[];
  readonly badge: Part;
  readonly pathLine: readonly Part[];
  /** Whether the path shows the areas. */
  readonly isArea: boolean;
}

/**
 * Handles clicks. A click on the badge opens the menu of targets, a click on the profile opens the list of profiles, a click on an area
 * switches to the area, and a click on the path returns to the clicked pane.
 */
function useHeaderClicks(mode: Mode, { sessionLine, badge, pathLine, isArea }: Clickable) {
  const { input, keys, openPanes, back } = useConsole();
  const isActive = hasNounShortcuts(mode);
  const press = (name: Press | undefined) => name !== undefined && input.press(toTerminalInput(name));
  const session = useClicks(isActive && hasGlobalShortcuts(mode), (column) => {
    if (partAt(sessionLine, column) === undefined) return;
    press(pressFor('global', column < badge.text.length ? 'target' : 'acting', keys));
  });
  const wayBox = useClicks(isActive, (column) => {
    const at = partAt(pathLine, column);
    if (at === undefined) return;
    if (isArea) return void press(/^\d/.exec(pathLine[at]?.text ?? '')?.[0]);
    const crumbs = (parts: readonly Part[]) =>
      parts.filter(({ text }) => text === separator || text === omitted).length;
    for (let above = crumbs(pathLine.slice(at)); above > 0 && above < openPanes.length; above--) back();
  });
  return { session, way: wayBox };
}

/** Returns the index of the part at a column; undefined after the last part. */
function partAt(parts: readonly Part[], column: number): number | undefined {
  let from = 0;
  const at = parts.findIndex(({ text }) => {
    from += measureCharacter(text);
    return column < from;
  });
  return at === -1 ? undefined : at;
}

/** The tasks, writes and requests of the whole console that the header reports. */
interface Attention {
  readonly running?: number;
  /** Number of writes that failed or need an answer. */
  readonly unsettled?: number;
  /** Number of requests pending approval. */
  readonly waiting?: number;
  /** The press that opens the list of held requests. */
  readonly heldPress?: Press | undefined;
}

/**
 * Returns the first line of the header. Target, read-only and tasks come first, so that a narrow screen shortens only the names of the
 * profile and the account.
 */
export function sessionParts(
  session: SessionLabel,
  badge: Part,
  { columns, redact }: Surface,
  { running = 0, unsettled = 0, waiting = 0, heldPress }: Attention = {},
): Part[] {
  const { readOnly } = session;
  const fixed: Part[] = [
    badge,
    ...(readOnly ? ([{ text: ' ' }, { text: 'READ-ONLY', role: 'warning' }] as const) : []),
    ...(unsettled > 0
      ? ([{ text: ' ' }, { text: `${unsettled} failed (${recallPress})`, role: 'fault' }] as const)
      : []),
    ...(waiting > 0
      ? ([{ text: ' ' }, { text: formatWaiting(waiting, heldPress), role: 'warning' }] as const)
      : []),
    ...(running > 0 ? ([{ text: ' ' }, { text: formatRunning(running), role: 'pending' }] as const) : []),
  ];
  const used = fixed.reduce((sum, part) => sum + part.text.length, 0);
  const room = columns - used - 2;
  const [place, owner] = formatPlace(session, room);
  const profile = fitText(markText(redact(place)), owner === '' ? room : Math.max(8, Math.floor(room / 2)));
  const account = fitText(markText(redact(owner)), room - measureCharacter(profile) - 3);
  return [
    ...fixed,
    { text: '  ' },
    { text: profile, role: 'title' },
    { text: account === '' ? '' : ' · ', role: 'dim' },
    // Users compare ids digit by digit, if at all, so an id must not be the most conspicuous text on the screen.
    { text: account, ...(accountId.test(owner) && { role: 'dim' as const }) },
  ];
}

const accountId = /^[\da-f]{32}$/;

const demoLabels = [
  'demo data on this machine: no request reaches a platform',
  'demo data on this machine',
  'made-up data',
] as const;

/** Returns the labels of the profile or folder and of the account, omitting what the badge already shows. `room` is in columns. */
function formatPlace(
  { where, accountLabel, isDemo = false }: SessionLabel,
  room: number,
): readonly [string, string] {
  if (isDemo) return [demoLabels.find((words) => words.length <= room) ?? 'made-up data', ''];
  if (where.kind === 'local') return [where.folder, ''];
  return [formatSessionPlace(where), accountLabel];
}

function formatWaiting(waiting: number, press: Press | undefined): string {
  const requests =
    waiting === 1 ? '1 request pending approval' : `${groupDigits(waiting)} requests pending approval`;
  return press === undefined ? requests : `${requests} (${formatPress(press)})`;
}

function formatRunning(running: number): string {
  return running === 1 ? '1 task' : `${groupDigits(running)} tasks`;
}

/**
 * Returns the areas with their digits, with the current area highlighted. On a narrow screen, the other areas have short names or no names.
 */
export function nounParts(
  nouns: ReturnType<typeof availableNouns>,
  { pane }: OpenPane,
  counts: string,
  columns: number,
): Part[] {
  const isHere = ({ opens }: (typeof nouns)[number]) => opens.pane === pane;
  const tabs = (label: (noun: (typeof nouns)[number]) => string) =>
    nouns.map((noun) => ({
      ...noun,
      text: `${noun.press} ${isHere(noun) ? noun.label : label(noun)}`.trim(),
    }));
  const tabsWidth = (all: readonly { text: string }[]) =>
    all.reduce((sum, { text }) => sum + text.length + 2, 0);
  // On a narrow screen, Home is omitted first. Then the names of the areas, except the current area, are shortened, and finally omitted.
  const withoutHome = (all: ReturnType<typeof tabs>) =>
    all.filter((noun) => noun.name !== 'home' || isHere(noun));
  const full = tabs(({ label }) => label);
  const shorter = withoutHome(full);
  const brief = withoutHome(tabs(({ short }) => short));
  const shortest = withoutHome(tabs(() => ''));
  const fits = (all: readonly { text: string }[]) => tabsWidth(all) + measureCharacter(counts) + 3 <= columns;
  const shown = [full, shorter, brief].find(fits) ?? shortest;
  const room = columns - tabsWidth(shown) - 1;
  const parts = shown.map(({ text, opens }, index): Part => {
    const gap = index === shown.length - 1 ? '' : '  ';
    return { text: `${text}${gap}`, role: opens.pane === pane ? 'title' : 'dim' };
  });
  // A dot would join the number of the last area with the counts: "5 · 5 namespaces".
  return counts === '' || room < 1
    ? parts
    : [...parts, { text: ` │ ${fitCounts(counts, room)}`, role: 'dim' }];
}

const separator = ' › ';

/** Replaces the first panes of a path that does not fit. */
const omitted = '‹ ';

/**
 * Returns the path to the current pane, followed by the counts. On a narrow screen, the first panes of the path are shortened or omitted
 * first, then the counts except the last; a filter is shortened after the name of the current pane.
 */
export function breadcrumbParts(
  openPanes: readonly OpenPane[],
  counts: string,
  { columns, redact }: Surface,
): Part[] {
  const words = formatBreadcrumbs(openPanes).map((breadcrumb) => markText(redact(breadcrumb)));
  const name = measureCharacter(words.at(-1) ?? '');
  const share = Math.floor(columns * 0.4);
  const most = columns - measureCharacter(lastCount(counts)) - 3;
  const here = isNarrowed(counts)
    ? Math.min(name, share)
    : Math.min(name + (words.length > 1 ? omitted.length : 0), Math.max(share, most));
  const shownCounts = fitCounts(counts, columns - here - 3);
  const room = columns - measureCharacter(shownCounts) - (shownCounts === '' ? 0 : 3);
  const breadcrumbs = fitBreadcrumbs(words, room);
  const used = measureCharacter(breadcrumbs.join(separator));
  const isMarked = breadcrumbs.length < words.length && used + omitted.length <= room;
  const parts = breadcrumbs.flatMap((breadcrumb, index): Part[] => [
    ...(index > 0 ? [{ text: separator, role: 'dim' } as const] : []),
    ...(index === 0 && isMarked ? [{ text: omitted, role: 'dim' } as const] : []),
    { text: breadcrumb, role: index === breadcrumbs.length - 1 ? 'title' : 'plain' },
  ]);
  if (shownCounts === '') return parts;
  return [...parts, { text: ' · ', role: 'dim' }, { text: shownCounts, role: 'dim' }];
}

/** Minimum width, in columns, in which the shortened name of a pane is useful. */
const minBreadcrumb = 16;

/**
 * Fits the breadcrumbs into a width: shortens the first breadcrumbs if they stay readable; otherwise omits the first breadcrumbs before
 * shortening the last breadcrumb.
 */
function fitBreadcrumbs(breadcrumbs: readonly string[], room: number, isCut = false): string[] {
  const lead = isCut ? omitted.length : 0;
  const needed = breadcrumbs.reduce(
    (sum, breadcrumb) => sum + measureCharacter(breadcrumb),
    lead + (breadcrumbs.length - 1) * separator.length,
  );
  if (needed <= room || breadcrumbs.length === 0) return [...breadcrumbs];
  const last = breadcrumbs.at(-1) ?? '';
  // If there is no room for the mark, an uncut name is better than a cut name with the mark.
  if (breadcrumbs.length === 1) return [measureCharacter(last) <= room ? last : fitMiddle(last, room - lead)];
  const left = room - lead - measureCharacter(last) - (breadcrumbs.length - 1) * separator.length;
  const share = Math.floor(left / (breadcrumbs.length - 1));
  if (share < minBreadcrumb) return fitBreadcrumbs(breadcrumbs.slice(1), room, true);
  const heads = breadcrumbs.slice(0, -1).map((breadcrumb) => fitText(breadcrumb, share));
  return [...heads, last];
}
