import { useMemo } from 'react';
import { isoSeconds, type KeyEntry } from '../../src/model/kv/kv.ts';
import { markText } from '../../src/text/mark.ts';
import { fitText } from '../../src/text/width.ts';
import { actionHandlers, listEquivalents } from '../kit/keys/action.ts';
import type { Region, ScreenSize } from '../kit/surface.ts';
import { ConsoleProvider, useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { bodyHeight, framedRegion, minRowsForRules, wholeRegion } from '../ui/layout/layout.ts';
import { Panel } from '../ui/layout/Panel.tsx';
import { Line, type Part } from '../ui/lines/Line.tsx';
import { PreviewLines } from '../ui/preview/PreviewPanel.tsx';
import { entryLines } from '../ui/viewer/entries.ts';
import { jsonActions } from '../ui/viewer/json-actions.ts';
import { progress } from '../ui/viewer/scroll.ts';
import { isSource } from '../ui/viewer/source.ts';
import { documentHeight, ViewPane } from '../ui/viewer/ViewPane.tsx';
import { metadataCell } from './metadata.ts';
import { keyFacts } from './previews.ts';
import { ownView, type ShownKey, valueCounts } from './value.ts';
import { valueActions } from './value-actions.ts';
import { keyView, type OpenValue } from './value-view.ts';

interface ValuePaneProps {
  readonly opened: OpenValue;
  readonly visible: boolean;
}

/** The value of a key as text, JSON or bytes, or its metadata. The facts about the key are next to it, or above it. */
export function ValuePane(props: ValuePaneProps) {
  const parts = useConsole();
  const { screen, division } = parts;
  const { main, facts } = useMemo(
    () => divideValue(screen, division.hasPreview),
    [screen, division.hasPreview],
  );
  const own = useMemo(() => ({ ...parts, region: main, columns: main.columns }), [parts, main]);
  return (
    <ConsoleProvider value={own}>
      <ValueBody {...props} facts={facts} />
    </ConsoleProvider>
  );
}

/** Minimum columns for the seconds of a countdown in the header. */
const minColumnsForSeconds = 60;

/** Minimum columns of a screen for the facts next to the value: the value then has room for a dump of 16 bytes a row. */
const minColumnsForFacts = 120;

/** Columns of the facts, including their borders, and their share of a wide screen. */
const factColumns = { min: 40, max: 64, share: 0.3 } as const;

/** Returns the regions of a value and of the facts about its key. */
export function divideValue(
  screen: ScreenSize,
  isDivided: boolean,
): { readonly main: Region; readonly facts?: Region } {
  const whole = wholeRegion(screen);
  if (!isDivided || !whole.isFramed || screen.columns < minColumnsForFacts) return { main: whole };
  const { min, max, share } = factColumns;
  const width = Math.min(max, Math.max(min, Math.floor(screen.columns * share)));
  const main = framedRegion(0, screen.columns - width);
  return { main, facts: framedRegion(main.width, width) };
}

function ValueBody({ opened, visible, facts }: ValuePaneProps & { readonly facts: Region | undefined }) {
  const parts = useConsole();
  const view = useController(() => keyView(opened, parts));
  const { content, state } = view;
  const isRead = content.bytes instanceof Uint8Array;
  const isRoomy = parts.rows >= minRowsForRules;
  const isAbove =
    facts === undefined && isRoomy && isRead && content.view !== ownView && hasFacts(content.entry);
  const above = isAbove ? <FactsLine entry={content.entry} /> : undefined;
  const lines = view.lines(parts);
  const height = documentHeight(bodyHeight(parts.rows), { above });
  const percent = lines && isSource(lines) ? progress(lines, state.position.top, height) : undefined;
  const here = () => ({ ...view.content, namespace: opened.namespace, parts });
  return (
    <ViewPane
      view={view}
      mode="value"
      visible={visible}
      selected={isRead}
      counts={valueCounts(content, percent, parts.world.now(), parts.columns < minColumnsForSeconds)}
      empty={emptyText(content)}
      above={above}
      aside={(rows) => facts && <FactsPanel shown={content} region={facts} height={rows} />}
      equivalents={() => listEquivalents(valueActions, here())}
      actions={() => ({
        ...jsonActions(view, parts, (shown, folded) => ({ ...shown, folded })),
        ...actionHandlers(valueActions, here(), view.take),
      })}
    />
  );
}

/** Draws expiry and metadata in one line, as far as the key has them. */
function FactsLine({ entry: { expiration, metadata } }: { readonly entry: KeyEntry }) {
  const { columns, redact } = useConsole();
  const fields = metadataCell(metadata);
  const expiry = expiration === undefined ? '' : isoSeconds(expiration);
  const labels = { expiry: expiry === '' ? '' : 'expires ', metadata: fields === '' ? '' : 'metadata ' };
  const space = expiry === '' || fields === '' ? '' : '  ';
  const room = columns - (labels.expiry + expiry + space + labels.metadata).length;
  const parts: Part[] = [
    { text: labels.expiry, role: 'dim' },
    { text: expiry + space },
    { text: labels.metadata, role: 'dim' },
    { text: fitText(markText(redact(fields)), room) },
  ];
  return <Line parts={parts.filter(({ text }) => text !== '')} />;
}

/** Whether there is something to show in the line of facts. */
function hasFacts({ expiration, metadata }: KeyEntry): boolean {
  return expiration !== undefined || metadataCell(metadata) !== '';
}

interface FactsPanelProps {
  readonly shown: ShownKey;
  readonly region: Region;
  readonly height: number;
}

/** Draws everything about a key except its value. */
function FactsPanel({ shown: { entry }, region, height }: FactsPanelProps) {
  const content = useMemo(() => {
    const facts = keyFacts(entry);
    return { lines: (surface: Parameters<typeof entryLines>[1]) => entryLines(facts, surface) };
  }, [entry]);
  return (
    <Panel region={region} title="Details" height={height}>
      <PreviewLines content={content} region={region} height={height} hasDetails={false} />
    </Panel>
  );
}

function emptyText({ bytes }: ShownKey): string {
  if (bytes === undefined) return 'Reading…';
  if (bytes === 'gone') return 'This key was deleted or has expired.';
  return bytes.length === 0 ? '(an empty value)' : '';
}
