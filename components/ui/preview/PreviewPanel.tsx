import { memo, useMemo } from 'react';
import { escapeText } from '../../../src/text/escape.ts';
import { problemLines } from '../../../src/text/problem.ts';
import { remedyWords } from '../../kit/remedy-words.ts';
import type { Region } from '../../kit/surface.ts';
import { useConsole } from '../../kit/use-console.ts';
import { bodyHeight } from '../layout/layout.ts';
import { Panel } from '../layout/Panel.tsx';
import { foldText } from '../lines/fold.ts';
import { escapedParts, Line } from '../lines/Line.tsx';
import { atTop } from '../viewer/source.ts';
import { Viewer } from '../viewer/Viewer.tsx';
import type { PreviewState } from './preview-controller.ts';
import type { PreviewContent } from './previewed.ts';

interface PreviewPanelProps {
  readonly state: PreviewState;
  readonly region: Region;
}

/** Draws the selected row of a list next to it. */
export const PreviewPanel = memo(function PreviewPanel({ state, region }: PreviewPanelProps) {
  const { redact } = useConsole();
  const title = state.of === undefined ? '' : escapeText(redact(state.of.title));
  const counts = state.is === 'shown' ? (state.content.counts ?? '') : '';
  return (
    <Panel region={region} title={title} counts={counts}>
      {state.is === 'shown' ? (
        <Shown content={state.content} region={region} />
      ) : (
        <Words text={formatState(state)} region={region} />
      )}
    </Panel>
  );
});

function Shown({ content, region: { columns } }: { content: PreviewContent; region: Region }) {
  const { redact, screen } = useConsole();
  const lines = useMemo(() => content.lines({ columns, redact }), [content, columns, redact]);
  return <Viewer lines={lines} position={{ top: atTop }} height={bodyHeight(screen.rows)} empty="(empty)" />;
}

function Words({ text, region }: { text: string; region: Region }) {
  const { screen } = useConsole();
  return foldText(text, region.columns)
    .slice(0, bodyHeight(screen.rows))
    .map((line, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text
      <Line key={index} parts={escapedParts(line, 'dim')} />
    ));
}

function formatState(state: Exclude<PreviewState, { is: 'shown' }>): string {
  switch (state.is) {
    case 'empty':
      return '';
    case 'reading':
      return 'Reading…';
    case 'failed':
      return problemLines(state.problem, remedyWords).join(' ');
    case 'resting':
      return `No preview: only ${state.left} requests of the budget are left for now. Press Enter to show it anyway.`;
  }
}
