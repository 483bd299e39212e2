import { type ReactNode, useEffect } from 'react';
import type { CliEquivalent } from '../../../src/services/equivalents/cli-equivalent.ts';
import type { Mode } from '../../kit/keys/modes.ts';
import type { Press } from '../../kit/keys/presses.ts';
import type { Situation } from '../../kit/keys/shortcut.ts';
import { useConsole } from '../../kit/use-console.ts';
import { DialogBox, dialogMode, dialogSituation, placeDialog } from '../forms/DialogBox.tsx';
import { shownWork } from '../forms/dialog-state.ts';
import { formatWrites } from '../forms/writes.ts';
import { Frame } from '../frame/Frame.tsx';
import { pressFor, useShortcuts } from '../input/use-shortcuts.ts';
import { bodyHeight, minRowsForRules } from '../layout/layout.ts';
import { useRowClicks } from '../layout/use-row-clicks.ts';
import { formatMore, moreArrows } from '../lines/counts.ts';
import { isJsonSource } from './json-source.ts';
import { firstVisibleLine, isSameAnchor, type ReaderPosition, rowsFrom } from './scroll.ts';
import { formatSideways } from './shifting.ts';
import { atTop, type Lines } from './source.ts';
import { Viewer } from './Viewer.tsx';
import { isViewAction, type ViewController } from './view-controller.ts';

export interface ViewPaneProps<Content> {
  readonly view: ViewController<Content>;
  readonly mode: Mode;
  readonly visible: boolean;
  /** Whether there is content to act on. */
  readonly selected: boolean;
  /** Facts for the header. */
  readonly counts?: string;
  /** The text shown if the document has no content. */
  readonly empty: string;
  /** A line above the document. */
  readonly above?: ReactNode;
  /** Returns the regions next to the document. `height` is the number of rows for their content. */
  aside?(height: number): ReactNode;
  /** Returns the functions of the actions that only this pane has, by name. Called at each press. */
  actions(): Readonly<Partial<Record<string, () => void>>>;
  /** Returns the commands equivalent to the actions. Called at each press. */
  equivalents?(): readonly CliEquivalent[];
  /** The situation of the viewer's shortcuts, in addition to the parts that every viewer has. */
  readonly situation?: Partial<Situation>;
}

/** Draws the pane of a document: header, the visible part of the text, dialog and footer. */
export function ViewPane<Content>(props: ViewPaneProps<Content>) {
  const { view, mode, visible, counts = '' } = props;
  const parts = useConsole();
  const { session, columns, redact, rows } = parts;
  const body = bodyHeight(rows);
  const height = documentHeight(body, props);
  useEffect(() => view.show({ columns, redact, height, visible }), [view, columns, redact, height, visible]);
  const { dialog, position, writes } = view.state;
  const busy = shownWork(view.state);
  const situation: Situation = {
    readOnly: session.readOnly,
    selected: props.selected,
    busy,
    rowWrite: writes?.[0]?.busy.words,
    searched: view.state.search !== undefined,
    ...dialogSituation(dialog),
    ...props.situation,
  };
  const take = useShortcuts(mode, {
    active: visible && dialog === undefined,
    situation,
    runAction: createActionHandler(props),
    equivalents: props.equivalents,
  });
  useLineClicks(props, height, take);
  if (!visible) return null;
  const surface = { columns, redact };
  const searched = view.searching.summary;
  const header = [
    formatWrites(view.state),
    view.liveWords,
    searched,
    formatSideways(view.state.sideways),
    counts,
  ]
    .filter((words) => words !== '')
    .join(' · ');
  const place = placeDialog(dialog, parts, body);
  const isAbove = height < body && place.rows < body - 1;
  const left = body - place.rows - (isAbove ? 1 : 0);
  const lines = view.lines(surface);
  const edge = outsideWords(lines, position, left);
  const tree = lines !== undefined && isJsonSource(lines);
  return (
    <Frame
      mode={dialogMode(dialog, mode)}
      situation={{ ...situation, tree }}
      age={() => view.age}
      counts={rows < minRowsForRules && edge !== '' ? `${header} ${moreArrows(edge)}` : header}
      edge={edge}
      aside={props.aside?.(body - (place.isBelow ? place.rows : 0))}
      dialog={{
        ...place,
        content: (
          <DialogBox
            dialog={dialog}
            busy={busy}
            place={place}
            active={visible}
            {...view.dialogHandlers}
            onFilter={(text) => view.dispatch({ type: 'searching', text })}
            note={view.searching.note}
            onApply={view.searching.apply}
          />
        ),
      }}
    >
      {isAbove && props.above}
      {left > 0 && (
        <Viewer
          lines={lines}
          position={position}
          height={left}
          empty={props.empty}
          found={view.searching.found}
          changed={view.state.changed}
        />
      )}
    </Frame>
  );
}

/** Returns text that states whether a document has rows above or below the screen. */
function outsideWords(lines: Lines | undefined, position: ReaderPosition, height: number): string {
  if (lines === undefined || height < 1) return '';
  const top = firstVisibleLine(lines, position, height);
  const isBelow = rowsFrom(lines, top, height + 1).length > height;
  return formatMore(isSameAnchor(top, atTop) ? 0 : 'unknown', isBelow ? 'unknown' : 0);
}

/** Returns the number of rows for a document in a body of `body` rows, without the line above it. */
export function documentHeight(body: number, { above }: { readonly above?: ReactNode }): number {
  return body - (above === undefined || above === null ? 0 : 1);
}

/** Makes a click select a line, if lines are selectable. A click on the selected line has the effect of Enter. */
function useLineClicks<Content>(
  { view, mode, visible, above }: ViewPaneProps<Content>,
  height: number,
  take: (press: Press) => void,
): void {
  const { keys } = useConsole();
  useRowClicks(
    visible && view.state.dialog === undefined,
    { first: above === undefined ? 0 : 1, count: height },
    (row) => {
      const enter = pressFor(mode, 'fold', keys) ?? pressFor(mode, 'open', keys);
      if (view.select(row) && enter !== undefined) take(enter);
    },
  );
}

function createActionHandler<Content>({ view, actions }: ViewPaneProps<Content>) {
  return (action: string) => {
    const run = actions()[action];
    if (run !== undefined) run();
    else if (isViewAction(action)) view.runAction(action);
  };
}
