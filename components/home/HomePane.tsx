import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { markText } from '../../src/text/mark.ts';
import { fitText, measureCharacter, pad } from '../../src/text/width.ts';
import { actionHandlers } from '../kit/keys/action.ts';
import { isMove } from '../kit/keys/cursor.ts';
import type { Region, Surface } from '../kit/surface.ts';
import { ConsoleProvider, useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { Frame } from '../ui/frame/Frame.tsx';
import { useShortcuts } from '../ui/input/use-shortcuts.ts';
import { bodyHeight, minRowsForRules } from '../ui/layout/layout.ts';
import { useRowClicks } from '../ui/layout/use-row-clicks.ts';
import { formatMore, moreArrows } from '../ui/lines/counts.ts';
import { Line, type Part } from '../ui/lines/Line.tsx';
import { entriesContent } from '../ui/preview/entries-content.ts';
import { ContentPanel, PreviewPanel } from '../ui/preview/PreviewPanel.tsx';
import { PreviewController } from '../ui/preview/preview-controller.ts';
import type { Previewed } from '../ui/preview/previewed.ts';
import { useRedrawAfter } from '../ui/status/use-age.ts';
import { entryLines } from '../ui/viewer/entries.ts';
import { homeActions } from './home-actions.ts';
import { HomeController } from './home-controller.ts';
import { divideHome, type HomeLayout } from './home-layout.ts';
import { isReading } from './home-state.ts';
import { linePreview } from './line-preview.ts';
import type { HomeLine } from './lines.ts';

/** Draws Home: what needs attention, what has changed, and where to go. A wide screen also shows a preview and an overview. */
export function HomePane({ visible }: { readonly visible: boolean }) {
  const parts = useConsole();
  const { screen, division } = parts;
  const { hasPreview } = division;
  const layout = useMemo(() => divideHome(screen, hasPreview), [screen, hasPreview]);
  const { main } = layout;
  const own = useMemo(() => ({ ...parts, region: main, columns: main.columns }), [parts, main]);
  return (
    <ConsoleProvider value={own}>
      <HomeBody visible={visible} layout={layout} />
    </ConsoleProvider>
  );
}

function HomeBody({ visible, layout }: { readonly visible: boolean; readonly layout: HomeLayout }) {
  const parts = useConsole();
  const home = useController(() => new HomeController(parts));
  const { session, columns, rows, redact } = parts;
  const height = bodyHeight(rows);
  useEffect(() => home.show(visible), [home, visible]);
  const lines = visible ? home.lines(height, layout.overview !== undefined) : [];
  useRedrawAfter(visible ? home.validForMs : undefined);
  const aligned = subjectWidth(lines, { columns, redact });
  const selected = home.selectedIn(lines);
  const top = home.topFor(lines, height);
  useEffect(() => {
    if (visible) home.rememberTop(top);
  }, [home, visible, top]);
  const line = selected === undefined ? undefined : lines[selected];
  const situation = { readOnly: session.readOnly, selected: line !== undefined, can: session.can };
  const runs = actionHandlers(homeActions, { home, line, parts }, () => undefined);
  const runAction = (action: string) => {
    if (isMove(action)) home.move(action, lines, height);
    else runs[action]?.();
  };
  useShortcuts('home', { active: visible, situation, runAction });
  useRowClicks(visible, { first: 0, count: height }, (row) => {
    if (top + row === selected) runAction('open');
    else home.select(lines, top + row);
  });
  const preview = useLinePreview(home, line, visible ? layout.preview : undefined, height);
  if (!visible) return null;
  const isHigh = rows >= minRowsForRules;
  const shownLines = linesOnScreen(lines, top, height);
  const edge = formatMore(top, lines.length - top - shownLines.length);
  const counts = isReading(home.state) ? 'reading…' : home.liveWords;
  return (
    <Frame
      mode="home"
      situation={situation}
      counts={isHigh || edge === '' ? counts : `${counts} ${moreArrows(edge)}`.trim()}
      edge={isHigh ? edge : ''}
      age={() => home.age}
      aside={
        <>
          {preview}
          {layout.overview && <Overview home={home} region={layout.overview} height={height} />}
        </>
      }
    >
      {shownLines.map((shown, index) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen keeps its node
          key={index}
          parts={lineParts(shown, aligned, { columns, redact })}
          selected={top + index === selected}
        />
      ))}
    </Frame>
  );
}

/**
 * Returns the lines on the screen. A heading in the last row is omitted, because a heading without lines would look like an empty section.
 */
function linesOnScreen(lines: readonly HomeLine[], top: number, height: number): readonly HomeLine[] {
  const shown = lines.slice(top, top + height);
  const last = shown.at(-1);
  return last !== undefined && 'heading' in last ? shown.slice(0, -1) : shown;
}

/** Returns the preview of the selected line. */
function useLinePreview(
  home: HomeController,
  line: HomeLine | undefined,
  region: Region | undefined,
  height: number,
) {
  const parts = useConsole();
  const controller = useController(() => new PreviewController(parts));
  const row = line !== undefined && 'id' in line ? line : undefined;
  const { state } = home;
  useEffect(() => {
    const previewed = row && linePreview(row, state, parts);
    // Each frame creates new line objects, so lines are compared by content to decide whether the preview stays.
    const key =
      previewed && `${previewed.id} ${JSON.stringify(row)} ${row.mark === '' ? '' : state.otherChanges}`;
    controller.select(region && (key ?? null), 0, () => previewed ?? noPreview);
  });
  return (
    region && <PreviewPanel state={controller.state} region={region} height={height} hasDetails={false} />
  );
}

const noPreview: Previewed = { id: '', title: '', content: entriesContent({ entries: [] }) };

/** Draws the overview next to the preview. */
function Overview({ home, region, height }: { home: HomeController; region: Region; height: number }) {
  const { pulse } = useConsole();
  const left = useSyncExternalStore(pulse?.subscribe ?? noChanges, () => pulse?.shownRequestsLeft);
  const entries = home.overview(height, left);
  const content = { lines: (surface: Surface) => entryLines(entries, surface) };
  return <ContentPanel content={content} title="Overview" region={region} height={height} hasDetails />;
}

const noChanges = () => () => undefined;

/** Columns of the indentation, of the mark at the start of a line, and of the gap after the mark. */
const markColumns = { indent: 2, mark: 9, gap: 2 } as const;

/** Minimum width, in columns, of a screen that shows all descriptions. A narrower screen omits the descriptions with `isExtra`. */
const roomForExtra = 50;

/** The maximum share of a line for the subject, if the line has a description. */
const subjectShare = 0.65;

/** Returns the number of columns for the subjects: all descriptions start in the same column. */
function subjectWidth(lines: readonly HomeLine[], surface: Surface): number {
  const widths = lines.map((line) =>
    shownAbout(line, surface) === '' || 'heading' in line
      ? 0
      : measureCharacter(markText(surface.redact(line.subject))),
  );
  return Math.min(Math.floor(subjectRoom(surface) * subjectShare), Math.max(0, ...widths));
}

function subjectRoom({ columns }: Pick<Surface, 'columns'>): number {
  const { indent, mark, gap } = markColumns;
  return Math.max(1, columns - indent - mark - gap);
}

function shownAbout(line: HomeLine, { columns }: Pick<Surface, 'columns'>): string {
  if ('heading' in line || (line.isExtra === true && columns < roomForExtra)) return '';
  return line.about ?? '';
}

/** Returns the heading of the column inside the descriptions, preceded by spaces; empty if there is no room for the heading. */
function innerHeading(
  { heading, inner }: Extract<HomeLine, { readonly heading: string }>,
  hint: string,
  aligned: number,
  { columns }: Pick<Surface, 'columns'>,
): string {
  if (inner === undefined || columns < roomForExtra) return '';
  const { indent, mark, gap } = markColumns;
  const start = indent + mark + gap + aligned + 2 + inner.column;
  const space = start - measureCharacter(heading + hint);
  return space < 2 || start + inner.text.length > columns ? '' : ' '.repeat(space) + inner.text;
}

/** Returns the parts of a line, padded to the screen's width, because a selected line is drawn as a bar. */
function lineParts(line: HomeLine, aligned: number, surface: Surface): Part[] {
  const { columns, redact } = surface;
  if ('heading' in line) {
    const hint =
      line.hint === undefined ? '' : fitText(markText(redact(line.hint)), columns - line.heading.length - 2);
    const after = hint === '' ? '' : `  ${hint}`;
    return [
      { text: line.heading, role: 'title' },
      { text: `${after}${innerHeading(line, after, aligned, surface)}`, role: 'dim' },
    ];
  }
  const { mark, role = 'plain', subject } = line;
  const room = subjectRoom(surface);
  const about = shownAbout(line, surface);
  const name = fitText(markText(redact(subject)), about === '' ? room : aligned);
  const left = Math.max(0, room - aligned - 2);
  const fitting = measureCharacter(markText(redact(about))) > left ? (line.brief ?? about) : about;
  const after = about === '' ? '' : `  ${fitText(markText(redact(fitting)), left)}`;
  const width = about === '' ? room : aligned;
  return [
    {
      text: ' '.repeat(markColumns.indent) + pad(mark, markColumns.mark) + ' '.repeat(markColumns.gap),
      role,
    },
    { text: name, role: mark === '' && line.goal === undefined ? role : 'plain' },
    { text: ' '.repeat(Math.max(0, width - measureCharacter(name))) },
    ...(after === '' ? [] : [{ text: pad(after, left + 2), role: 'dim' as const }]),
  ];
}
