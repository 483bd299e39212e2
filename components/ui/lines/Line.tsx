import { Box, Text } from 'ink';
import { memo } from 'react';
import { markedRuns, markText } from '../../../src/text/mark.ts';
import type { Role } from '../../kit/theme.ts';
import { severityRoles } from '../../kit/tones.ts';
import { useConsole } from '../../kit/use-console.ts';

/** A part of a line with one style: edgectl's own text, or untrusted data escaped by `markText`. */
export interface Part {
  readonly text: string;
  readonly role?: Role;
}

interface LineProps {
  readonly parts: readonly Part[];
  /** Whether the line is selected: `true` draws a bar, `tint` keeps the styles of the line's parts. */
  readonly selected?: boolean | 'tint';
}

/**
 * Draws exactly one row of the screen, which Ink would otherwise squeeze or wrap. A selected line extends to the borders. Parts that do not
 * fit are truncated.
 */
export const Line = memo(
  function Line({ parts, selected = false }: LineProps) {
    const { theme, region } = useConsole();
    const inset = selected !== false && region.isFramed ? 1 : 0;
    const bar = selected === 'tint' ? theme.line : selected ? theme.selected : theme.plain;
    const edge = ' '.repeat(inset);
    return (
      <Box height={1} flexShrink={0} marginX={-inset} aria-state={{ selected: selected !== false }}>
        <Text wrap="truncate-end" {...bar}>
          {edge}
          {drawnParts(selected === true ? parts.flatMap(toBarParts) : parts).map(
            ({ text, role = 'plain' }, index) =>
              role === 'plain' ? (
                text
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: a part has no identity but its position
                <Text key={index} {...theme[role]}>
                  {text}
                </Text>
              ),
          )}
          {edge}
        </Text>
      </Box>
    );
  },
  (before, after) => before.selected === after.selected && arePartsEqual(before.parts, after.parts),
);

/**
 * The roles of severities that need attention. In the inverse bar, their colors become the background of the words, with the same contrast.
 */
const severities: ReadonlySet<Role> = new Set(
  Object.values(severityRoles).filter((role) => role !== 'plain' && role !== 'good'),
);

/**
 * Removes the style of a part of a selected line, because the bar has a single style. Only highlighted matches and words for severities
 * keep their styles.
 */
function toBarParts({ text, role }: Part): Part[] {
  if (role === 'found') return [{ text, role }];
  if (role === undefined || !severities.has(role)) return [{ text }];
  const word = text.trim();
  const start = text.indexOf(word);
  return [{ text: text.slice(0, start) }, { text: word, role }, { text: text.slice(start + word.length) }];
}

/**
 * Matches control characters. Escaping them here is the last line of defense: code that draws untrusted data should have escaped it
 * already.
 */
const control = /[\0-\x1f\x7f-\x9f]/;

/**
 * Returns parts with escaped characters in their own style. Merges adjacent parts with the same style, because Ink parses each part of each
 * line in each frame.
 */
export function drawnParts(parts: readonly Part[]): Part[] {
  const found: { text: string; role: Role }[] = [];
  const add = (text: string, role: Role) => {
    const last = found.at(-1);
    if (last?.role === role) last.text += text;
    else if (text !== '') found.push({ text, role });
  };
  for (const { text, role = 'plain' } of parts) {
    const safe = control.test(text) ? markText(text) : text;
    for (const run of markedRuns(safe)) add(run.text, run.marked && !showsMarks.has(role) ? 'escaped' : role);
  }
  return found;
}

/** Styles that also apply to escaped characters. */
const showsMarks: ReadonlySet<Role> = new Set(['found', 'selected']);

function arePartsEqual(before: readonly Part[], after: readonly Part[]): boolean {
  return (
    before.length === after.length &&
    before.every((part, index) => part.text === after[index]?.text && part.role === after[index]?.role)
  );
}
