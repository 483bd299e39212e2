import { useMemo } from 'react';
import type { KeyEntry, Namespace } from '../../src/model/kv/kv.ts';
import { markText } from '../../src/text/mark.ts';
import { groupDigits } from '../../src/text/size.ts';
import { fitText } from '../../src/text/width.ts';
import { actionHandlers, listEquivalents } from '../kit/keys/action.ts';
import type { Region, ScreenSize, Surface } from '../kit/surface.ts';
import { ConsoleProvider, useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { bodyHeight, framedRegion, minRowsForRules, wholeRegion } from '../ui/layout/layout.ts';
import { Line, type Part } from '../ui/lines/Line.tsx';
import { dumpLines } from '../ui/preview/bytes-content.ts';
import { stackLines } from '../ui/preview/entries-content.ts';
import { ContentPanel } from '../ui/preview/PreviewPanel.tsx';
import { countdownValidMs, useRedrawAfter } from '../ui/status/use-age.ts';
import { type Entry, entryLines, factEntries } from '../ui/viewer/entries.ts';
import { jsonActions } from '../ui/viewer/json-actions.ts';
import { isJsonSource } from '../ui/viewer/json-source.ts';
import { pathOfLine } from '../ui/viewer/json-tree.ts';
import { clampAnchor, type ReaderPosition } from '../ui/viewer/scroll.ts';
import type { Lines } from '../ui/viewer/source.ts';
import { documentHeight, ViewPane } from '../ui/viewer/ViewPane.tsx';
import { metadataCell } from './metadata.ts';
import { factWidth, keyFacts } from './previews.ts';
import { describeExpiry, describeValue, ownView, type ShownKey, valueCounts } from './value.ts';
import { valueActions } from './value-actions.ts';
import { keyView, type OpenValue } from './value-view.ts';

interface ValuePaneProps {
  readonly opened: OpenValue;
  readonly visible: boolean;
}

/** Draws the value of a key as text, JSON or bytes, or its metadata. The facts about the key are next to the value, or above it. */
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

/**
 * Minimum width, in columns, of a screen that shows the facts next to the value, so that the value has room for a hex dump of 16 bytes per
 * row.
 */
const minColumnsForFacts = 120;

/** Minimum and maximum width, in columns, of the facts, including borders, and their share of the screen's columns. */
const factColumns = { min: 40, max: 64, share: 0.3 } as const;

/** Returns the regions of a value and of the facts about the key. */
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
  const { now } = parts.world;
  const { expiration } = content.entry;
  useRedrawAfter(
    visible && expiration !== undefined ? countdownValidMs(expiration - now() / 1000) : undefined,
  );
  const isAbove =
    facts === undefined && isRoomy && isRead && content.view !== ownView && hasOwnFacts(content.entry);
  const above = isAbove ? <FactsLine shown={content} now={now()} /> : undefined;
  const lines = view.lines(parts);
  const height = documentHeight(bodyHeight(parts.rows), { above });
  const line =
    lines === undefined ? undefined : describeLine(lines, state.position, { height, columns: parts.columns });
  const path =
    lines !== undefined && isJsonSource(lines) && state.position.line !== undefined
      ? pathOfLine(lines.tree, lines.lineAt(clampAnchor(lines, state.position.line).segment))
      : undefined;
  const here = () => ({ ...view.content, namespace: opened.namespace, parts });
  return (
    <ViewPane
      view={view}
      mode="value"
      visible={visible}
      selected={isRead}
      counts={valueCounts(content, {
        line: line ?? '',
        now: now(),
        hasFacts: isAbove || facts !== undefined,
        isNarrow: parts.columns < 60,
      })}
      empty={emptyText(content)}
      above={above}
      aside={(rows) =>
        facts && (
          <FactsPanel
            shown={content}
            namespace={opened.namespace}
            path={path}
            now={now()}
            region={facts}
            height={rows}
          />
        )
      }
      equivalents={() => listEquivalents(valueActions, here())}
      actions={() => ({
        ...jsonActions(view, parts, (shown, folded) => ({ ...shown, folded })),
        ...actionHandlers(valueActions, here(), view.take),
      })}
    />
  );
}

/** Draws size, type, expiry and metadata in one line, without facts that the key does not have. `now` is in milliseconds. */
function FactsLine({ shown, now }: { readonly shown: ShownKey; readonly now: number }) {
  const { columns, redact } = useConsole();
  const { expiration, metadata } = shown.entry;
  const fields = metadataCell(metadata);
  const head = [describeValue(shown), expiration === undefined ? '' : describeExpiry(expiration, now)]
    .filter((words) => words !== '')
    .join(' · ');
  const label = fields === '' ? '' : ' · metadata ';
  const parts: Part[] = [
    { text: head + label, role: 'dim' },
    { text: fitText(markText(redact(fields)), Math.max(0, columns - head.length - label.length)) },
  ];
  return <Line parts={parts.filter(({ text }) => text !== '')} />;
}

/** Returns whether a key has facts in addition to its value. */
function hasOwnFacts({ expiration, metadata }: KeyEntry): boolean {
  return expiration !== undefined || metadataCell(metadata) !== '';
}

/**
 * Formats the number of the selected line, or of the first visible line. Returns an empty string if no line is selected and the document
 * fits.
 */
function describeLine(
  lines: Lines,
  { top, line }: ReaderPosition,
  { height, columns }: { readonly height: number; readonly columns: number },
): string {
  const { segments } = lines;
  const at = clampAnchor(lines, line ?? top).segment + 1;
  if (line === undefined && segments <= height && at === 1) return '';
  // A narrow screen has no room for the path and the word "line".
  return columns < 60 ? `${at}/${groupDigits(segments)}` : `line ${at} of ${groupDigits(segments)}`;
}

interface FactsPanelProps {
  readonly shown: ShownKey;
  readonly namespace: Namespace;
  /** The path of the selected line of JSON. */
  readonly path: string | undefined;
  /** Milliseconds since the UNIX epoch. */
  readonly now: number;
  readonly region: Region;
  readonly height: number;
}

/** Minimum width, in columns, of a region that shows the stored bytes of a value. */
const minColumnsForDump = 44;

/** Draws the facts about a key: size, type, expiry, metadata, namespace and hash; on a wide screen, also the stored bytes. */
function FactsPanel({ shown, namespace, path, now, region, height }: FactsPanelProps) {
  const { bytes, view, sha256 } = shown;
  const facts = [
    ...factEntries('value', describeValue(shown) || undefined, { width: factWidth }),
    ...factEntries('JSON path', path, { width: factWidth }),
    ...keyFacts(shown.entry, now),
  ];
  const isRead = bytes instanceof Uint8Array;
  const all = isRead ? [...facts, { text: '' }, ...storageFacts(namespace, sha256)] : facts;
  const content = {
    lines: (surface: Surface) =>
      isRead && region.columns >= minColumnsForDump && view !== 'hex'
        ? stackLines(entryLines([...all, { text: '' }], surface), dumpLines(bytes, surface))
        : entryLines(all, surface),
  };
  return (
    <ContentPanel content={content} title="Details" region={region} height={height} hasDetails={false} />
  );
}

/** Returns where a value is stored, and its hash for `--if-unchanged`. */
function storageFacts({ title, id }: Namespace, sha256: string | undefined): Entry[] {
  return [
    ...factEntries('namespace', title, { width: factWidth }),
    ...factEntries('id', id, { width: factWidth }),
    ...factEntries('SHA-256', sha256, { width: factWidth }),
  ];
}

function emptyText({ bytes }: ShownKey): string {
  if (bytes === undefined) return 'Reading…';
  if (bytes === 'gone') return 'This key was deleted or has expired.';
  return bytes.length === 0 ? '(an empty value)' : '';
}
