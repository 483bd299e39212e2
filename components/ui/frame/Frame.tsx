import { Box } from 'ink';
import { type ReactNode, useMemo } from 'react';
import { measureCharacter } from '../../../src/text/width.ts';
import { hasNounShortcuts } from '../../kit/keys/find-shortcut.ts';
import type { Mode } from '../../kit/keys/modes.ts';
import type { Situation } from '../../kit/keys/shortcut.ts';
import { formatBreadcrumb } from '../../kit/open-pane.ts';
import { dimTheme } from '../../kit/theme.ts';
import { ConsoleProvider, useConsole } from '../../kit/use-console.ts';
import { bodyHeight, minRowsForRules } from '../layout/layout.ts';
import { countsFit, lowerRule, Panel } from '../layout/Panel.tsx';
import { Line, type Part } from '../lines/Line.tsx';
import { TextLines } from '../lines/TextLines.tsx';
import type { DataAge } from '../status/age.ts';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import { noticeLines } from './notice-parts.ts';

interface FrameProps {
  readonly mode: Mode;
  readonly situation: Situation;
  /** Title in the border (default: the pane's name). */
  readonly title?: string;
  /** Counts of the pane's content. */
  readonly counts?: string;
  /** Text in the lower border or rule of the pane: how much of its content is above and below the screen. */
  readonly edge?: string | undefined;
  /** Content of the header's second line (default: the path to the pane). */
  readonly path?: ReactNode;
  /** Returns the age of the pane's content. Omitted for content that is always up to date. */
  readonly age?: (() => DataAge) | undefined;
  /** The content: `bodyHeight` rows minus the rows of the dialog. */
  readonly children?: ReactNode;
  /** Content of the regions next to the pane, with borders. */
  readonly aside?: ReactNode;
  /** The dialog of the pane. */
  readonly dialog?: PlacedDialog | undefined;
}

/** A dialog at the bottom of the screen. */
export interface PlacedDialog {
  /** Whether the dialog is below the pane and the regions next to it. Otherwise the dialog takes the pane's last rows. */
  readonly isBelow: boolean;
  /** Number of body rows that the dialog takes, including its borders. */
  readonly rows: number;
  readonly content: ReactNode;
}

/** Draws the whole screen of a pane: header, body and footer. A notice covers the border or rule above the footer. */
export function Frame(props: FrameProps) {
  const { screen, region } = useConsole();
  return (
    <Box flexDirection="column" width={screen.columns} height={screen.rows}>
      {region.isFramed ? <Framed {...props} /> : <Bare {...props} />}
      <Footer mode={props.mode} situation={props.situation} />
      <NoticeBox mode={props.mode} />
    </Box>
  );
}

/** Returns the counts, or the running work of the pane. */
function headerCounts({ counts = '', situation: { busy } }: FrameProps): string {
  return busy === undefined ? counts : `${busy.words}…`;
}

function Framed(props: FrameProps) {
  const { region, openPanes, redact, screen } = useConsole();
  const opened = openPanes.at(-1);
  const paneTitle = opened === undefined ? '' : redact(formatBreadcrumb(opened));
  const { dialog, title = paneTitle } = props;
  const counts = headerCounts(props);
  // If the border has no room for the counts, the header shows them.
  const fits = countsFit(region.width, title, counts);
  const isBelow = dialog?.isBelow === true;
  const height = bodyHeight(screen.rows) - (isBelow ? dialog.rows : 0);
  return (
    <>
      <Header counts={fits ? '' : counts} age={props.age} mode={props.mode} path={props.path} />
      {height > 0 && (
        <Box flexDirection="row" flexShrink={0}>
          <Panel
            region={region}
            title={title}
            counts={fits ? counts : ''}
            height={height}
            edge={props.edge}
            focused={!isBelow}
          >
            <Behind mode={props.mode}>{props.children}</Behind>
            {!isBelow && dialog?.content}
          </Panel>
          <Behind mode={props.mode}>{props.aside}</Behind>
        </Box>
      )}
      {isBelow && dialog.content}
    </>
  );
}

/** Dialogs that the user must finish before the pane is active again. */
const modalDialogs: ReadonlySet<Mode> = new Set<Mode>(['form', 'choice', 'confirm', 'menu']);

/**
 * Draws the content of a pane, dimmed while a form, question or menu is open, so that the colors of the content do not compete with the
 * dialog.
 */
function Behind({ mode, children }: { readonly mode: Mode; readonly children: ReactNode }) {
  const parts = useConsole();
  const isDim = modalDialogs.has(mode);
  const own = useMemo(() => (isDim ? { ...parts, theme: dimTheme(parts.theme) } : parts), [parts, isDim]);
  return <ConsoleProvider value={own}>{children}</ConsoleProvider>;
}

/** Draws a pane without borders, with rules above and below it if the screen has room. */
function Bare(props: FrameProps) {
  const { screen, notice } = useConsole();
  const isRuled = screen.rows >= minRowsForRules;
  // The text is hidden for a screen reader, if a dialog separates the rule from the content, and if a notice would cover only a part of the
  // text.
  const isShown = (props.dialog?.rows ?? 0) === 0 && screen.isSpoken !== true && notice === undefined;
  const edge = isShown ? (props.edge ?? '') : '';
  return (
    <>
      <Header counts={headerCounts(props)} age={props.age} mode={props.mode} path={props.path} />
      {isRuled && <Line parts={lowerRule(screen.columns, '', 'border')} />}
      <Box flexDirection="column" height={bodyHeight(screen.rows)} overflow="hidden">
        {/* A dialog is at the bottom, even below a short list. */}
        <Box flexDirection="column" flexGrow={1} overflow="hidden">
          <Behind mode={props.mode}>{props.children}</Behind>
        </Box>
        {props.dialog?.content}
      </Box>
      {isRuled && <Line parts={lowerRule(screen.columns, edge, 'border')} />}
    </>
  );
}

/**
 * Returns the maximum number of lines of a notice: a quarter of the screen, but at least 3; over a dialog, 1, so that the notice does not
 * cover the dialog.
 */
function maxNoticeLines(mode: Mode, rows: number): number {
  return hasNounShortcuts(mode) ? Math.max(3, Math.floor(rows / 4)) : 1;
}

/**
 * Draws a notice over the lower border or rule. A long notice also covers the last rows of the pane. On a screen without rules, the notice
 * covers the footer.
 */
function NoticeBox({ mode }: { readonly mode: Mode }) {
  const { notice, redact, screen, region } = useConsole();
  if (notice === undefined) return null;
  const inset = region.isFramed ? 2 : 0;
  const columns = screen.columns - 2 * inset - (inset === 0 ? 0 : 2);
  const lines = noticeLines(notice, { columns, redact }, maxNoticeLines(mode, screen.rows));
  const edge: Part = { text: inset === 0 ? '' : ' ' };
  const width = lines.length > 1 || inset === 0 ? columns : 0;
  const bottom = screen.rows - (screen.rows >= minRowsForRules ? 1 : 0);
  return (
    <Box flexDirection="column" position="absolute" top={bottom - lines.length} left={inset}>
      <TextLines
        lines={lines.map((parts) => ({ text: '', parts: [edge, ...padParts(parts, width), edge] }))}
      />
    </Box>
  );
}

/** Pads a line with spaces, so that it covers what is under it. */
function padParts(parts: readonly Part[], columns: number): Part[] {
  const used = parts.reduce((sum, { text }) => sum + measureCharacter(text), 0);
  return [...parts, { text: ' '.repeat(Math.max(0, columns - used)) }];
}
