import { Box } from 'ink';
import { useSyncExternalStore } from 'react';
import type { Memory } from '../../src/model/places/memory.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fitText } from '../../src/text/width.ts';
import { availableNouns } from '../kit/nouns.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import type { Region } from '../kit/surface.ts';
import { useConsole } from '../kit/use-console.ts';
import { useMouse } from '../ui/input/use-mouse.ts';
import { bodyHeight, headerRows } from '../ui/layout/layout.ts';
import { Panel } from '../ui/layout/Panel.tsx';
import { Line } from '../ui/lines/Line.tsx';

/** A line of the panel: an area, a heading, or a bookmarked or visited place. */
interface PlaceLine {
  readonly text: string;
  readonly role: 'title' | 'plain' | 'dim';
  /** The area or the link that a click opens. */
  readonly goal?: OpenPane | string;
}

/** Draws the places to go to, next to the first pane of an area. Next to deeper panes the parent list is shown instead. */
export function PlacesPanel({ region }: { readonly region: Region }) {
  const { services, memory, screen, redact, openPanes, goTo, turnTo } = useConsole();
  const kept = useSyncExternalStore(memory.subscribe, () => memory.current);
  const height = bodyHeight(screen.rows);
  const areas = availableNouns(services).map(
    ({ press, label, opens }): PlaceLine => ({
      text: `${press} ${label}`,
      role: opens.pane === openPanes[0]?.pane ? 'title' : 'plain',
      goal: opens,
    }),
  );
  const lines = [...areas, ...visitedPlaces(kept)].slice(0, height);
  useMouse(true, ({ kind, column, row }) => {
    const isInside = column >= region.left && column < region.left + region.width;
    const goal = lines[row - headerRows - 1]?.goal;
    if (kind !== 'press' || !isInside || goal === undefined) return;
    if (typeof goal === 'string') goTo(goal);
    else turnTo(goal);
  });
  return (
    <Box position="absolute" left={region.left} top={headerRows}>
      <Panel region={region} title="Places">
        {lines.map(({ text, role }, index) => (
          <Line
            // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen keeps its node
            key={index}
            parts={[{ text: fitText(escapeText(redact(text)), region.columns), role }]}
          />
        ))}
      </Panel>
    </Box>
  );
}

/** Returns the bookmarked places and the last visited ones. Areas are listed above them. */
function visitedPlaces({ bookmarks, recents }: Memory): PlaceLine[] {
  const last = recents.filter((link) => link.includes('/') && !bookmarks.includes(link));
  return [...section('bookmarks', bookmarks), ...section('visited last', last)];
}

function section(heading: string, links: readonly string[]): PlaceLine[] {
  if (links.length === 0) return [];
  return [
    { text: '', role: 'dim' },
    { text: heading, role: 'dim' },
    ...links.map((text): PlaceLine => ({ text, role: 'plain', goal: text })),
  ];
}
