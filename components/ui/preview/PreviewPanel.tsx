import { memo, useMemo } from 'react';
import { markText } from '../../../src/text/mark.ts';
import { problemLines } from '../../../src/text/problem.ts';
import { measureCharacter } from '../../../src/text/width.ts';
import { remedyWords } from '../../kit/remedy-words.ts';
import type { Region } from '../../kit/surface.ts';
import { ConsoleProvider, useConsole } from '../../kit/use-console.ts';
import { Panel, titleFits } from '../layout/Panel.tsx';
import { formatMore } from '../lines/counts.ts';
import { foldText } from '../lines/fold.ts';
import { TextLines } from '../lines/TextLines.tsx';
import { rowsFrom } from '../viewer/scroll.ts';
import { atTop } from '../viewer/source.ts';
import { Viewer } from '../viewer/Viewer.tsx';
import type { PreviewState } from './preview-controller.ts';
import type { PreviewContent } from './previewed.ts';

interface PreviewPanelProps {
  readonly state: PreviewState;
  /** Whether the details are drawn next to the preview. */
  readonly hasDetails: boolean;
  readonly region: Region;
  /** Number of rows of the content. */
  readonly height: number;
}

/** Draws the preview of the selected row next to the list. */
export const PreviewPanel = memo(function PreviewPanel(props: PreviewPanelProps) {
  const { state, region, height, hasDetails } = props;
  const { redact } = useConsole();
  const title = state.of === undefined ? '' : redact(state.of.title);
  if (state.is !== 'shown')
    return (
      <Panel region={region} title={title} height={height}>
        <Words text={formatState(state)} region={region} height={height} />
      </Panel>
    );
  const { content } = state;
  return (
    <ContentPanel
      content={content}
      title={title}
      counts={shownCounts(region, title, content.counts)}
      region={region}
      height={height}
      hasDetails={hasDetails}
    />
  );
});

/** Returns the counts of a preview; empty if they would shorten a title that fits without them. */
function shownCounts({ width }: Region, title: string, counts = ''): string {
  const cutsTitle = titleFits(width, title) && !titleFits(width - measureCharacter(counts) - 2, title);
  return cutsTitle ? '' : counts;
}

/** Draws the details of the selected row next to its preview. */
export const DetailsPanel = memo(function DetailsPanel({
  state,
  region,
  height,
}: Omit<PreviewPanelProps, 'hasDetails'>) {
  const details = state.is === 'shown' ? state.content.details : undefined;
  if (details === undefined) return <Panel region={region} title="" height={height} />;
  return (
    <ContentPanel
      content={details}
      title={details.title}
      counts={details.counts ?? ''}
      region={region}
      height={height}
      hasDetails
    />
  );
});

interface ContentPanelProps {
  readonly content: Pick<PreviewContent, 'lines'>;
  readonly title: string;
  readonly counts?: string;
  readonly region: Region;
  readonly height: number;
  readonly hasDetails: boolean;
}

/** Draws the first lines of content in a region, and shows whether the content continues. */
export function ContentPanel({ content, title, counts = '', region, height, hasDetails }: ContentPanelProps) {
  const parts = useConsole();
  const { redact } = parts;
  const { columns } = region;
  const own = useMemo(() => ({ ...parts, region, columns }), [parts, region, columns]);
  const lines = useMemo(
    () => content.lines({ columns, redact }, hasDetails),
    [content, columns, redact, hasDetails],
  );
  const continues = rowsFrom(lines, atTop, height + 1).length > height;
  return (
    <Panel
      region={region}
      title={title}
      counts={counts}
      height={height}
      edge={formatMore(0, continues ? 'unknown' : 0)}
    >
      <ConsoleProvider value={own}>
        <Viewer lines={lines} position={{ top: atTop }} height={height} empty="(empty)" />
      </ConsoleProvider>
    </Panel>
  );
}

function Words({ text, region, height }: { text: string; region: Region; height: number }) {
  return <TextLines lines={foldText(text, region.columns).slice(0, height)} usual="dim" />;
}

function formatState(state: Exclude<PreviewState, { is: 'shown' }>): string {
  switch (state.is) {
    case 'empty':
      return '';
    case 'reading':
      return 'Reading…';
    case 'failed':
      return problemLines(state.problem, remedyWords, markText).join(' ');
    case 'resting':
      return `No preview, because only ${state.left === 1 ? '1 request is' : `${state.left} requests are`} left for now. Press Enter to open the row anyway.`;
  }
}
