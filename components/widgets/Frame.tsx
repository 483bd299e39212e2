import { Box } from 'ink';
import type { ReactNode } from 'react';
import { useConsole } from '../console/use-console.ts';
import type { Mode } from '../keymap/actions.ts';
import type { Situation } from '../keymap/shortcut.ts';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import { Line } from './Line.tsx';
import { noticeParts } from './notice-parts.ts';

/** Below this height the two rules are left out. */
const roomForRules = 16;

/** Rows between header and footer on a screen of this height. */
export function bodyHeight(rows: number): number {
  return Math.max(1, rows - 3 - (rows >= roomForRules ? 2 : 0));
}

interface FrameProps {
  readonly mode: Mode;
  readonly situation: Situation;
  /** How much there is of what the pane shows, for the header. */
  readonly counts?: string;
  /** Exactly `bodyHeight` rows. */
  readonly children?: ReactNode;
}

/** The whole screen of a pane: header, body, footer. A notice stands in the rule above the footer. No side borders, since changed lines with them cost more. */
export function Frame({ mode, situation, counts = '', children }: FrameProps) {
  const { columns, rows, redact, notice } = useConsole();
  const hasRules = rows >= roomForRules;
  const rule = hasRules && <Line parts={[{ text: '─'.repeat(columns), role: 'dim' }]} />;
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Header counts={counts} busy={situation.busy} />
      {rule}
      <Box flexDirection="column" height={bodyHeight(rows)} overflow="hidden">
        {children}
      </Box>
      {hasRules && notice !== undefined ? <Line parts={noticeParts(notice, { columns, redact })} /> : rule}
      <Footer mode={mode} situation={situation} notice={hasRules ? undefined : notice} />
    </Box>
  );
}
