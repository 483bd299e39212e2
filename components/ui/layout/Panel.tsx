import { Box } from 'ink';
import type { ReactNode } from 'react';
import { markText } from '../../../src/text/mark.ts';
import { fitMiddle, measureCharacter } from '../../../src/text/width.ts';
import type { Region } from '../../kit/surface.ts';
import type { Role, Style } from '../../kit/theme.ts';
import { useConsole } from '../../kit/use-console.ts';
import { fitCounts } from '../lines/counts.ts';
import { Line, type Part } from '../lines/Line.tsx';
import { bodyHeight } from './layout.ts';

interface PanelProps {
  readonly region: Region;
  /** The title, already redacted, but not yet escaped. */
  readonly title: string;
  /** The counts at the right of the title, already redacted, but not yet escaped. */
  readonly counts?: string;
  /** Whether the region receives presses. */
  readonly focused?: boolean;
  /** The style of the border (default: depends on `focused`). */
  readonly border?: Role | undefined;
  /** Rows of the content (default: the height of the body). */
  readonly height?: number | undefined;
  /** Text in the lower border, such as the number of rows below the screen. */
  readonly edge?: string | undefined;
  readonly children?: ReactNode;
}

/** Draws a region with its title in the upper border. For a region without borders, a rule contains the title. */
export function Panel({ region, title, counts = '', focused = false, children, ...how }: PanelProps) {
  const { screen, theme, notice } = useConsole();
  const { height = bodyHeight(screen.rows), border = focused ? 'focus' : 'border', edge = '' } = how;
  const { color, dimColor = false }: Style = theme[border];
  if (!region.isFramed)
    return (
      <Box flexDirection="column" width={region.width} height={height + 1} flexShrink={0} overflowY="hidden">
        <Line parts={titleRule(region.width, title, [counts, edge], border)} />
        {children}
      </Box>
    );
  return (
    <Box flexDirection="column" width={region.width} height={height + 2} flexShrink={0}>
      <Line parts={topBorder(region.width, title, counts, { isFocused: focused, role: border })} />
      <Box
        flexDirection="column"
        height={height}
        flexShrink={0}
        overflowY="hidden"
        paddingX={1}
        borderStyle="round"
        borderTop={false}
        borderBottom={false}
        borderDimColor={dimColor}
        {...(color !== undefined && { borderColor: color })}
      >
        {children}
      </Box>
      {/* A notice would cover only a part of this text. */}
      <Line parts={lowerBorder(region.width, notice === undefined ? edge : '', border)} />
    </Box>
  );
}

function lowerBorder(width: number, edge: string, role: Role): Part[] {
  return [{ text: '╰', role }, ...lowerRule(width - 2, edge, role), { text: '╯', role }];
}

/** Returns a rule with text near its end. */
export function lowerRule(width: number, edge: string, role: Role): Part[] {
  const words = edge === '' ? '' : ` ${edge} `;
  return [
    { text: '─'.repeat(Math.max(0, width - measureCharacter(words) - 1)), role },
    { text: words, role: 'dim' },
    { text: '─', role },
  ];
}

/** Returns whether a title fits completely in the upper border of a region without counts. `width` is in columns. */
export function titleFits(width: number, title: string): boolean {
  return measureCharacter(markText(title)) <= width - 8;
}

/** Returns whether counts fit completely next to a title in the upper border of a region. A long title is shortened to half of the room. */
export function countsFit(width: number, title: string, counts: string): boolean {
  const room = width - 8;
  const titleColumns = Math.min(measureCharacter(markText(title)), room >> 1);
  return measureCharacter(markText(counts)) <= room - 2 - titleColumns;
}

/** Returns a rule with a title at its start and facts at its end. */
function titleRule(width: number, title: string, facts: readonly string[], role: Role): Part[] {
  const counts = facts.filter((fact) => fact !== '').join(' · ');
  const border = topBorder(width, title, counts, { isFocused: false, role });
  return border.map((part) =>
    part.role === role ? { ...part, text: part.text.replace(/[╭╮]/g, '─') } : part,
  );
}

/** Returns the upper border. The title gets half of the room, plus the room that the counts do not need. */
export function topBorder(
  width: number,
  title: string,
  counts: string,
  { isFocused, role }: { readonly isFocused: boolean; readonly role: Role },
): Part[] {
  if (title === '' && counts === '') return [{ text: `╭${'─'.repeat(width - 2)}╮`, role }];
  const room = width - 8;
  const marked = markText(title);
  const shownCounts = fitCounts(markText(counts), room - 2 - Math.min(measureCharacter(marked), room >> 1));
  const shownTitle = fitMiddle(marked, shownCounts === '' ? room : room - 2 - measureCharacter(shownCounts));
  const used = measureCharacter(shownTitle) + (shownCounts === '' ? 0 : measureCharacter(shownCounts) + 2);
  const counted: Part[] =
    shownCounts === ''
      ? []
      : [
          { text: ' ', role },
          { text: shownCounts, role: 'dim' },
          { text: ' ', role },
        ];
  return [
    { text: '╭─ ', role },
    { text: shownTitle, role: isFocused ? 'title' : 'dim' },
    { text: ` ${'─'.repeat(Math.max(0, width - used - 6))}`, role },
    ...counted,
    { text: '─╮', role },
  ];
}
