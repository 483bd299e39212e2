import { Box } from 'ink';
import type { ReactNode } from 'react';
import { escapeText } from '../../src/text/escape.ts';
import { breadcrumbOf } from '../console/open-pane.ts';
import { useConsole } from '../console/use-console.ts';
import type { Mode } from '../keymap/actions.ts';
import type { Situation } from '../keymap/shortcut.ts';
import { bodyHeight, roomForRules } from '../layout/layout.ts';
import { Panel } from '../layout/Panel.tsx';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import { Line } from './Line.tsx';
import { noticeParts } from './notice-parts.ts';

interface FrameProps {
  readonly mode: Mode;
  readonly situation: Situation;
  /** For the border around the pane, in place of the pane's own name. Escaped. */
  readonly title?: string;
  /** How much there is of what the pane shows. */
  readonly counts?: string;
  /** When what the pane shows was read. Milliseconds since the UNIX epoch; left out where it is always as it is now. */
  readonly readAt?: number | undefined;
  /** Exactly `bodyHeight` rows. */
  readonly children?: ReactNode;
  /** Stands in the region beside the pane, borders and all. */
  readonly beside?: ReactNode;
}

/**
 * The whole screen of a pane: header, body, footer. The list before it draws itself where there is room. A notice stands
 * in the border or rule above the footer.
 */
export function Frame(props: FrameProps) {
  const { screen, region, notice } = useConsole();
  const hasRules = screen.rows >= roomForRules;
  return (
    <Box flexDirection="column" width={screen.columns} height={screen.rows}>
      {region.isFramed ? <Framed {...props} /> : <Bare {...props} />}
      <Footer mode={props.mode} situation={props.situation} notice={hasRules ? undefined : notice} />
    </Box>
  );
}

/** Counts, or what the pane is doing. */
function told({ counts = '', situation: { busy } }: FrameProps): string {
  return busy === undefined ? counts : `${busy.words}…`;
}

function Framed(props: FrameProps) {
  const { region, screen, openPanes, redact } = useConsole();
  const opened = openPanes.at(-1);
  const paneTitle = opened === undefined ? '' : escapeText(redact(breadcrumbOf(opened)));
  return (
    <>
      <Header told="" readAt={props.readAt} />
      <Box flexDirection="row" flexShrink={0}>
        {region.left > 0 && <Box width={region.left} flexShrink={0} />}
        <Panel region={region} title={props.title ?? paneTitle} counts={told(props)} focused>
          {props.children}
        </Panel>
        {props.beside}
      </Box>
      <Box position="absolute" top={screen.rows - 2} left={region.left + 2}>
        <NoticeLine columns={screen.columns - region.left - 4} />
      </Box>
    </>
  );
}

/** One pane, with rules above and below it where there is room. */
function Bare(props: FrameProps) {
  const { screen, columns, notice, redact } = useConsole();
  const rule = screen.rows >= roomForRules && (
    <Line parts={[{ text: '─'.repeat(screen.columns), role: 'border' }]} />
  );
  return (
    <>
      <Header told={told(props)} readAt={props.readAt} />
      {rule}
      <Box flexDirection="column" height={bodyHeight(screen.rows)} overflow="hidden">
        {props.children}
      </Box>
      {rule && notice !== undefined ? <Line parts={noticeParts(notice, { columns, redact })} /> : rule}
    </>
  );
}

/** A notice over the lower border, as long as it is. */
function NoticeLine({ columns }: { columns: number }) {
  const { notice, redact } = useConsole();
  if (notice === undefined) return null;
  const parts = noticeParts(notice, { columns: columns - 2, redact });
  return <Line parts={[{ text: ' ' }, ...parts, { text: ' ' }]} />;
}
