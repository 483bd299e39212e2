import { memo, useMemo } from 'react';
import { markText } from '../../../src/text/mark.ts';
import { problemLines } from '../../../src/text/problem.ts';
import { remedyWords } from '../../kit/remedy-words.ts';
import type { Region } from '../../kit/surface.ts';
import { ConsoleProvider, useConsole } from '../../kit/use-console.ts';
import { Panel } from '../layout/Panel.tsx';
import { foldText } from '../lines/fold.ts';
import { Line } from '../lines/Line.tsx';
import { atTop } from '../viewer/source.ts';
import { Viewer } from '../viewer/Viewer.tsx';
import type { PreviewState } from './preview-controller.ts';
import type { PreviewContent } from './previewed.ts';

interface PreviewPanelProps {
  readonly state: PreviewState;
  /** Whether the details are drawn next to the preview. */
  readonly hasDetails: boolean;
  readonly region: Region;
  /** The rows of the content. */
  readonly height: number;
}

/** Draws the selected row of a list next to it. */
export const PreviewPanel = memo(function PreviewPanel(props: PreviewPanelProps) {
  const { state, region, height, hasDetails } = props;
  const { redact } = useConsole();
  const title = state.of === undefined ? '' : redact(state.of.title);
  const counts = state.is === 'shown' ? (state.content.counts ?? '') : '';
  return (
    <Panel region={region} title={title} counts={counts} height={height}>
      {state.is === 'shown' ? (
        <PreviewLines content={state.content} region={region} height={height} hasDetails={hasDetails} />
      ) : (
        <Words text={formatState(state)} region={region} height={height} />
      )}
    </Panel>
  );
});

/** Draws the details of the selected row next to its preview. */
export const DetailsPanel = memo(function DetailsPanel({
  state,
  region,
  height,
}: Omit<PreviewPanelProps, 'hasDetails'>) {
  const details = state.is === 'shown' ? state.content.details : undefined;
  return (
    <Panel region={region} title={details?.title ?? ''} counts={details?.counts ?? ''} height={height}>
      {details !== undefined && <PreviewLines content={details} region={region} height={height} hasDetails />}
    </Panel>
  );
});

interface PreviewLinesProps {
  readonly content: Pick<PreviewContent, 'lines'>;
  readonly region: Region;
  readonly height: number;
  readonly hasDetails: boolean;
}

/** Draws the first lines of content in a region. */
export function PreviewLines({ content, region, height, hasDetails }: PreviewLinesProps) {
  const parts = useConsole();
  const { redact } = parts;
  const { columns } = region;
  const own = useMemo(() => ({ ...parts, region, columns }), [parts, region, columns]);
  const lines = useMemo(
    () => content.lines({ columns, redact }, hasDetails),
    [content, columns, redact, hasDetails],
  );
  return (
    <ConsoleProvider value={own}>
      <Viewer lines={lines} position={{ top: atTop }} height={height} empty="(empty)" />
    </ConsoleProvider>
  );
}

function Words({ text, region, height }: { text: string; region: Region; height: number }) {
  return foldText(text, region.columns)
    .slice(0, height)
    .map((line, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text
      <Line key={index} parts={[{ text: line, role: 'dim' }]} />
    ));
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
      return `No preview: only ${state.left} requests of the budget are left for now. Press Enter to show it anyway.`;
  }
}
