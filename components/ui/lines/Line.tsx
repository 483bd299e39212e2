import { Box, Text } from 'ink';
import { memo } from 'react';
import { escapedRuns } from '../../../src/text/escape.ts';
import type { Role } from '../../kit/theme.ts';
import { useConsole } from '../../kit/use-console.ts';

/** A part of a line with one style. The text is safe for a terminal: our own, or escaped. */
export interface Part {
  readonly text: string;
  readonly role?: Role;
}

/**
 * Draws exactly one row of the screen, which Ink would otherwise squeeze or wrap. `selected` draws the whole line as a bar, up to
 * the borders. The parts must fit the screen; the rest is truncated.
 */
export const Line = memo(
  function Line({ parts, selected = false }: { parts: readonly Part[]; selected?: boolean }) {
    const { theme, region } = useConsole();
    const inset = selected && region.isFramed ? 1 : 0;
    const edge = ' '.repeat(inset);
    return (
      <Box height={1} flexShrink={0} marginX={-inset} aria-state={{ selected }}>
        <Text wrap="truncate-end" {...(selected ? theme.selected : {})}>
          {edge}
          {mergeParts(selected ? parts.map(toBarPart) : parts).map(({ text, role = 'plain' }, index) =>
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

/** A bar has a single style; only matches in it are highlighted. */
function toBarPart({ text, role }: Part): Part {
  return role === 'found' ? { text, role } : { text };
}

/** Joins adjacent parts with the same style, because Ink parses each part of each line in each frame. */
function mergeParts(parts: readonly Part[]): Part[] {
  const found: { text: string; role: Role }[] = [];
  for (const { text, role = 'plain' } of parts) {
    const last = found.at(-1);
    if (last?.role === role) last.text += text;
    else if (text !== '') found.push({ text, role });
  }
  return found;
}

function arePartsEqual(before: readonly Part[], after: readonly Part[]): boolean {
  return (
    before.length === after.length &&
    before.every((part, index) => part.text === after[index]?.text && part.role === after[index]?.role)
  );
}

/** Returns the parts of an escaped string, with the escapes in their own style. */
export function escapedParts(escaped: string, role: Role = 'plain'): Part[] {
  return escapedRuns(escaped).map((span) => ({ text: span.text, role: span.escaped ? 'escaped' : role }));
}
