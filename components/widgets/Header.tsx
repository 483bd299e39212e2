import { whereName } from '../../src/model/where.ts';
import { escapeText } from '../../src/text/escape.ts';
import { groupDigits } from '../../src/text/size.ts';
import { columnsOf, fitText } from '../../src/text/width.ts';
import { nounsOf } from '../console/nouns.ts';
import { crumbOf, type Place } from '../console/place.ts';
import type { SessionLabel } from '../console/session-label.ts';
import type { Surface } from '../console/surface.ts';
import { useConsole } from '../console/use-console.ts';
import { useRunningTasks } from '../console/use-tasks.ts';
import type { Busy } from '../keymap/busy.ts';
import { escapedParts, Line, type Part } from './Line.tsx';

/** Two lines: who acts where, and what is on the screen. */
export function Header({ counts, busy }: { counts: string; busy: Busy | undefined }) {
  const { session, services, places, columns, redact } = useConsole();
  const running = useRunningTasks();
  const nouns = nounsOf(services);
  const [place] = places;
  const told = busy === undefined ? counts : `${busy.words}…`;
  return (
    <>
      <Line parts={sessionParts(session, { columns, redact }, running)} />
      {places.length === 1 && place !== undefined && nouns.length > 1 ? (
        <Line parts={nounParts(nouns, place, told, columns)} />
      ) : (
        <Line parts={placeParts(places, told, { columns, redact })} />
      )}
    </>
  );
}

/** Target, read-only and tasks first, so that a narrow screen cuts the account's name and never these. */
export function sessionParts(session: SessionLabel, { columns, redact }: Surface, running = 0): Part[] {
  const { target, where, readOnly } = session;
  const fixed: Part[] = [
    // The embedded platform has a production target as well, but nothing there is at stake.
    { text: target.toUpperCase(), role: where.kind === 'sandbox' ? 'title' : target },
    ...(readOnly ? ([{ text: ' ' }, { text: 'READ-ONLY', role: 'warning' }] as const) : []),
    ...(running > 0 ? ([{ text: ' ' }, { text: runningWords(running), role: 'badge' }] as const) : []),
  ];
  const used = fixed.reduce((sum, part) => sum + part.text.length, 0);
  const room = columns - used - 2;
  const profile = fitText(escapeText(whereName(where)), Math.max(8, Math.floor(room / 2)));
  const account = fitText(escapeText(redact(session.accountLabel)), room - columnsOf(profile) - 3);
  return [
    ...fixed,
    { text: '  ' },
    ...escapedParts(profile, 'title'),
    { text: account === '' ? '' : ' · ', role: 'dim' },
    ...escapedParts(account),
  ];
}

function runningWords(running: number): string {
  return running === 1 ? '1 task' : `${groupDigits(running)} tasks`;
}

/** The nouns with their digits, the one on the screen set apart; on a narrow screen only this one by its name. */
export function nounParts(
  nouns: ReturnType<typeof nounsOf>,
  { pane }: Place,
  counts: string,
  columns: number,
): Part[] {
  const tabs = (named: (noun: (typeof nouns)[number]) => boolean) =>
    nouns.map((noun) => ({ ...noun, text: named(noun) ? `${noun.press} ${noun.label}` : noun.press }));
  const widthOf = (all: readonly { text: string }[]) =>
    all.reduce((sum, { text }) => sum + text.length + 2, 0);
  const whole = tabs(() => true);
  const fits = widthOf(whole) + columnsOf(counts) + 3 <= columns;
  const shown = fits ? whole : tabs(({ place }) => place.pane === pane);
  const room = columns - widthOf(shown) - 1;
  const parts = shown.map(({ text, place }, index): Part => {
    const gap = index === shown.length - 1 ? '' : '  ';
    return { text: `${text}${gap}`, role: place.pane === pane ? 'title' : 'dim' };
  });
  return counts === '' || room < 1 ? parts : [...parts, { text: ` · ${fitText(counts, room)}`, role: 'dim' }];
}

const between = ' › ';

/** The way to where the reader is; the last places keep their room, the counts stand behind. */
export function placeParts(places: readonly Place[], counts: string, { columns, redact }: Surface): Part[] {
  const shownCounts = fitText(counts, columns - 8);
  const room = columns - columnsOf(shownCounts) - (shownCounts === '' ? 0 : 3);
  const crumbs = fitCrumbs(
    places.map((place) => escapeText(redact(crumbOf(place)))),
    room,
  );
  const parts = crumbs.flatMap((crumb, index): Part[] => [
    ...(index === 0 ? [] : [{ text: between, role: 'dim' } as const]),
    ...escapedParts(crumb, index === crumbs.length - 1 ? 'title' : 'plain'),
  ]);
  if (shownCounts === '') return parts;
  return [...parts, { text: ' · ', role: 'dim' }, { text: shownCounts, role: 'dim' }];
}

/** The crumbs in a room: the first become short, or go, before the last does. */
function fitCrumbs(crumbs: readonly string[], room: number): string[] {
  const needed = crumbs.reduce((sum, crumb) => sum + columnsOf(crumb), (crumbs.length - 1) * between.length);
  if (needed <= room || crumbs.length === 0) return [...crumbs];
  if (crumbs.length === 1) return [fitText(crumbs[0] ?? '', room)];
  const last = crumbs.at(-1) ?? '';
  const wanted = columnsOf(last) <= room ? columnsOf(last) : Math.floor(room / 2);
  const left = room - wanted - (crumbs.length - 1) * between.length;
  const share = Math.floor(left / (crumbs.length - 1));
  if (share < 4) return fitCrumbs(crumbs.slice(1), room);
  const heads = crumbs.slice(0, -1).map((crumb) => fitText(crumb, share));
  const used = heads.reduce((sum, head) => sum + columnsOf(head) + between.length, 0);
  return [...heads, fitText(last, room - used)];
}
