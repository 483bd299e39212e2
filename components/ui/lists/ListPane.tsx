import { Box } from 'ink';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { withColumns } from '../../../src/model/places/memory.ts';
import type { CliEquivalent } from '../../../src/services/equivalents/cli-equivalent.ts';
import type { Redact } from '../../../src/text/redact.ts';
import { starting } from '../../kit/keys/busy.ts';
import { firstVisibleRow } from '../../kit/keys/cursor.ts';
import type { Mode } from '../../kit/keys/modes.ts';
import type { Press } from '../../kit/keys/presses.ts';
import type { Situation } from '../../kit/keys/shortcut.ts';
import type { Region, ScreenSize } from '../../kit/surface.ts';
import { type ConsoleParts, ConsoleProvider, useConsole } from '../../kit/use-console.ts';
import { useController } from '../../kit/use-controller.ts';
import { DialogBox, dialogMode, dialogSituation, placeDialog } from '../forms/DialogBox.tsx';
import { type Dialog, type FormDialog, formDialog } from '../forms/dialog.ts';
import { shownWork } from '../forms/dialog-state.ts';
import { openForm } from '../forms/form-state.ts';
import { formatWrites } from '../forms/writes.ts';
import { Frame } from '../frame/Frame.tsx';
import { useMouse } from '../input/use-mouse.ts';
import { pressFor, useShortcuts } from '../input/use-shortcuts.ts';
import {
  bodyHeight,
  draggedShare,
  framedRegion,
  minColumnsFor,
  minRowsForRules,
  wholeRegion,
} from '../layout/layout.ts';
import { useRowClicks } from '../layout/use-row-clicks.ts';
import { DetailsPanel, PreviewPanel } from '../preview/PreviewPanel.tsx';
import { PreviewController, type PreviewState } from '../preview/preview-controller.ts';
import type { Previewed } from '../preview/previewed.ts';
import { shortest, useRedrawAfter } from '../status/use-age.ts';
import type { Column, NameColumn } from './columns.ts';
import type { DrawnColumns } from './declared-columns.ts';
import { groupFinder, ListTable } from './ListTable.tsx';
import { isListAction } from './list-action.ts';
import type { ListController } from './list-controller.ts';
import { divideList, type ListLayout } from './list-layout.ts';
import { displayedList } from './list-pages.ts';
import type { ListCommand, ListWork } from './list-state.ts';
import {
  emptyText,
  filterNote,
  formatOutside,
  isEmptyList,
  listHeader,
  type RowNames,
} from './list-words.ts';
import { markCount } from './marks.ts';
import {
  chooseColumns,
  columnName,
  formatColumns,
  ownNameWidth,
  parseColumns,
  presentColumns,
} from './own-columns.ts';
import { type PagedList, shownLength, shownRow } from './paged-list.ts';
import { SeenWidths } from './seen-widths.ts';
import { isDefaultSort } from './sort.ts';
import { tableRows } from './Table.tsx';
import { visibleLines } from './table-lines.ts';
import { selectedFolder } from './tree-places.ts';

export interface ListPaneProps<T> {
  readonly list: ListController<T>;
  readonly mode: Mode;
  readonly visible: boolean;
  readonly rowNames: RowNames;
  /** The name column. */
  readonly name: NameColumn<T>;
  /** Returns the columns after the name. `now` is in milliseconds; `width` is the width of the list and its preview. */
  columns(now: number, width: number): DrawnColumns<T>;
  /** Returns the text for an empty list without a filter. */
  emptyWords(situation: Situation): string;
  /** Returns the functions of the actions that only this list has, by name. Called at each press. */
  actions(): Readonly<Partial<Record<string, () => void>>>;
  /** Returns the heading of a row's group, for a list whose rows are grouped. */
  group?(row: T): string;
  /** Text in the header instead of the number of rows. */
  readonly counts?: string | undefined;
  /** Returns the preview of a row. */
  preview?(row: T): Previewed;
  /** Whether a preview below the list may send requests, as a preview next to the list does. */
  readonly readsBelow?: boolean;
  /** Whether previews have details, which a wide screen shows next to the preview. */
  readonly hasDetails?: boolean;
  /** A line above the table. */
  readonly above?: ReactNode;
  /** Facts shown in the header before the counts. */
  readonly words?: readonly string[];
  /** Returns the commands equivalent to the actions. Called at each press. */
  equivalents?(): readonly CliEquivalent[];
  /** The situation for the list's shortcuts, in addition to the parts common to all lists. */
  readonly situation?: Partial<Situation>;
}

/** Draws the pane of a list: header, table, preview, dialog and footer. */
export function ListPane<T>(props: ListPaneProps<T>) {
  const parts = useConsole();
  const all = props.columns(parts.world.now(), parts.columns);
  const columns = chooseColumns(all, parts.memory.current.columns?.[props.mode]);
  const layout = useListLayout(props, { all, columns });
  const { main } = layout;
  const height = listHeight(props, parts.rows);
  useRedrawAfter(props.visible ? shortestValidity(props.list.list, columns, height) : undefined);
  const own = useMemo(() => ({ ...parts, region: main, columns: main.columns }), [parts, main]);
  return (
    <ConsoleProvider value={own}>
      <ListBody {...props} all={all} drawn={columns} layout={layout} />
    </ConsoleProvider>
  );
}

/** Returns the number of rows for a list, without its heading and the line above it. */
function listHeight({ above }: Pick<ListPaneProps<unknown>, 'above'>, rows: number): number {
  return tableRows(bodyHeight(rows) - (above === undefined ? 0 : 1));
}

/** Returns how the screen is divided for the content of a list. A region stays the same object until it changes. */
function useListLayout<T>(
  props: ListPaneProps<T>,
  { all, columns }: { readonly all: readonly Column<T>[]; readonly columns: readonly Column<T>[] },
): ListLayout<T> {
  const { list: controller, name, preview } = props;
  const { screen, division, redact, rows, memory } = useConsole();
  const [seen] = useState(() => new SeenWidths());
  const height = listHeight(props, rows);
  // Includes columns that the user has hidden, because the user can restore them while the list is open.
  const needs = seen.measure(controller.list, { name, columns: all, redact, height });
  const ownWidth = ownNameWidth(name.heading, memory.current.columns?.[props.mode]);
  const layout = divideList(screen, {
    name,
    columns: seen.needed(controller.list, columns),
    needs: ownWidth === undefined ? needs : { ...needs, name: { usual: ownWidth, max: ownWidth } },
    // The text in an empty list uses the whole width.
    hasPreview:
      preview !== undefined &&
      division.hasPreview &&
      !isEmptyList(controller.state, props.rowNames) &&
      !(isFewRows(controller) && canStack(screen) && isKnownPreview(props)),
    hasDetails: props.hasDetails === true,
    share: division.share,
  });
  return {
    ...layout,
    main: useSameRegion(layout.main),
    preview: useSameRegion(layout.preview),
    details: useSameRegion(layout.details),
  };
}

/** Maximum number of rows of a list that uses the whole width and has its preview below. */
const maxFewRows = 3;

/** Returns whether a screen has borders, but no room for three regions. */
function canStack(screen: ScreenSize): boolean {
  return wholeRegion(screen).isFramed && screen.columns < minColumnsFor.details;
}

/**
 * Returns whether a complete list has few rows. Rows that a filter hides count too, so that the layout does not change while the user types
 * a filter.
 */
function isFewRows<T>({ state: { list } }: ListController<T>): boolean {
  return displayedList(list).complete && list.rows.length <= maxFewRows;
}

/** Returns whether the preview of the selected row needs no request. */
function isKnownPreview<T>({ list, preview }: Pick<ListPaneProps<T>, 'list' | 'preview'>): boolean {
  return preview !== undefined && list.selected !== undefined && 'content' in preview(list.selected);
}

/** Returns the object of the previous call if the region is equal. */
function useSameRegion<R extends Region | undefined>(region: R): R {
  const last = useRef(region);
  const isSame = last.current?.left === region?.left && last.current?.width === region?.width;
  if (!isSame || last.current?.columns !== region?.columns) last.current = region;
  return last.current;
}

interface ListBodyProps<T> extends ListPaneProps<T> {
  /** All columns of the list. */
  readonly all: readonly Column<T>[];
  /** The columns that the user has chosen. */
  readonly drawn: readonly Column<T>[];
  readonly layout: ListLayout<T>;
}

function ListBody<T>(props: ListBodyProps<T>) {
  const { list: controller, mode, visible, rowNames, above, drawn, layout } = props;
  const parts = useConsole();
  const { session, redact, rows } = parts;
  const body = bodyHeight(rows);
  const height = listHeight(props, rows);
  useEffect(() => controller.show({ height, visible }), [controller, height, visible]);
  const { list, dialog } = controller.state;
  const busy = shownWork(controller.state);
  const situation: Situation = {
    readOnly: session.readOnly,
    selected: controller.selected !== undefined,
    loading: list.rows.length === 0 && !displayedList(list).complete && !list.stopped,
    complete: displayedList(list).complete,
    empty: isEmptyList(controller.state, rowNames),
    folder: selectedFolder(list) !== undefined,
    prefix: list.prefix,
    marked: markCount(list),
    busy,
    rowWrite: controller.selectedWrite,
    can: session.can,
    ...dialogSituation(dialog),
    ...props.situation,
  };
  const take = useShortcuts(mode, {
    active: visible && dialog === undefined,
    situation,
    runAction: createActionHandler(props, () => columnsForm(props, parts)),
    equivalents: props.equivalents,
  });
  useClicks(props, height, take);
  const place = placeDialog(dialog, parts, body);
  const isAbove = above !== undefined && place.rows < body - 1;
  const left = body - place.rows - (isAbove ? 1 : 0);
  const spare = useSpareRows(props, left);
  const preview = usePreview(props, spare, body - (place.isBelow ? place.rows : 0));
  useDivider(layout, visible);
  if (!visible) return null;
  const edge = outsideWords(props, tableRows(left - spare));
  return (
    <Frame
      mode={dialogMode(dialog, mode)}
      situation={{ ...situation, detailed: preview !== undefined && rows >= minRowsForRules }}
      counts={headerCounts(props, height, redact)}
      edge={edge}
      age={() => controller.age}
      aside={spare === 0 && preview}
      dialog={{
        ...place,
        content: (
          <DialogBox
            dialog={dialog}
            busy={busy}
            place={place}
            active={visible}
            note={filterNote(controller.state)}
            {...controller.dialogHandlers}
            onFilter={(text) =>
              controller.dispatch({ type: dialog?.kind === 'filter' ? 'filtered' : 'asking', text })
            }
            onApply={() => controller.dispatch({ type: 'entered' })}
            names={controller.names}
          />
        ),
      }}
    >
      {isAbove && above}
      {left > 0 && (
        <ListTable
          {...props}
          columns={drawn}
          fitted={layout}
          height={left - spare}
          edge={rows < minRowsForRules ? edge : ''}
          isEmpty={situation.empty === true}
          empty={emptyText(controller.state, rowNames) ?? props.emptyWords(situation)}
        />
      )}
      {spare > 0 && preview}
    </Frame>
  );
}

/** Minimum number of rows for a preview below a list, including its title. A preview that needs a request needs more rows. */
const minRowsBelow = { known: 4, unread: 6 } as const;

/** Returns the number of rows for a preview below a short list, if no preview is next to the list; 0 for no preview. */
function useSpareRows<T>(props: ListBodyProps<T>, height: number): number {
  const { list: controller, rowNames, preview, layout, group } = props;
  const { screen, division } = useConsole();
  const { list } = controller.state;
  const isWanted = preview !== undefined && layout.preview === undefined && division.hasPreview;
  if (!isWanted || screen.isSpoken === true || isEmptyList(controller.state, rowNames)) return 0;
  // While the list grows, the preview below it would move.
  if (!displayedList(list).complete) return 0;
  const at = { length: shownLength(list), cursor: list.cursor, groupAt: groupFinder(list, group) };
  const used = height - tableRows(height) + Math.max(1, visibleLines(at, tableRows(height)).length);
  const spare = height - used;
  const isKnown = isKnownPreview(props);
  if (!isKnown && props.readsBelow !== true) return 0;
  return spare < minRowsBelow[isKnown ? 'known' : 'unread'] ? 0 : spare;
}

/** Lets the user drag the divider between a list and its preview. */
function useDivider({ preview }: ListLayout<unknown>, isActive: boolean): void {
  const { division, screen } = useConsole();
  const isHeld = useRef(false);
  useMouse(isActive && preview !== undefined, ({ kind, column }) => {
    const line = preview?.left ?? 0;
    if (kind === 'press') isHeld.current = column === line || column === line - 1;
    else if (kind === 'release') isHeld.current = false;
    else if (kind === 'drag' && isHeld.current) division.drag(draggedShare(column, screen.columns));
  });
}

/** Returns the milliseconds for which the text of the visible rows stays valid; undefined if the text does not depend on the time. */
function shortestValidity<T>(
  list: PagedList<T>,
  columns: readonly Column<T>[],
  height: number,
): number | undefined {
  const ageing = columns.flatMap(({ lasts }) => lasts ?? []);
  if (ageing.length === 0) return undefined;
  const length = shownLength(list);
  const top = firstVisibleRow(list.cursor, length, height);
  const rows = Array.from({ length: Math.min(height, length - top) }, (_, line) =>
    shownRow(list, top + line),
  );
  return shortest(rows.flatMap((row) => (row === undefined ? [] : ageing.map((lasts) => lasts(row)))));
}

/** Makes a click select a row, and a click on the selected row open it. */
function useClicks<T>(
  { list: controller, mode, visible, above, group }: ListPaneProps<T>,
  height: number,
  take: (press: Press) => void,
): void {
  const { keys } = useConsole();
  const { list, dialog } = controller.state;
  const lines = visibleLines(
    { length: shownLength(list), cursor: list.cursor, groupAt: groupFinder(list, group) },
    height,
  );
  const heads = above === undefined ? 1 : 2;
  useRowClicks(visible && dialog === undefined, { first: heads, count: lines.length }, (row) => {
    const line = lines[row];
    if (line === undefined || 'heading' in line) return;
    const steps = line.index - list.cursor.index;
    const open = pressFor(mode, 'open', keys);
    if (steps === 0 && open !== undefined) take(open);
    for (let step = 0; step < Math.abs(steps); step++) controller.runAction(steps < 0 ? 'up' : 'down');
  });
}

/**
 * Returns the preview of the selected row, and its details if the screen has room. `below`: number of rows for a preview below the list.
 */
function usePreview<T>(
  { list: { list, selected, mayRefresh }, visible, preview, layout }: ListBodyProps<T>,
  below: number,
  height: number,
) {
  const parts = useConsole();
  const controller = useController(() => new PreviewController(parts));
  const { columns } = layout.main;
  const foot = useSameRegion(below > 0 ? bareRegion(0, columns, columns) : undefined);
  const region = visible ? (layout.preview ?? foot) : undefined;
  useEffect(() => {
    if (preview !== undefined) controller.select(region && (selected ?? null), list.reloads, preview);
    controller.allowRefresh(region !== undefined && mayRefresh);
  });
  const { state } = controller;
  const { details } = layout;
  // If the content has no details, or the preview has few lines, the preview also uses the room of the details.
  const shown = state.is === 'shown' ? state.content : undefined;
  const hasOwnDetails = shown?.details !== undefined;
  const isMerged =
    details !== undefined &&
    shown !== undefined &&
    (!hasOwnDetails ||
      shown.lines({ columns: details.columns, redact: parts.redact }, false).segments <= height / 4);
  const wide = useSameRegion(
    region && isMerged ? framedRegion(region.left, region.width + details.width) : region,
  );
  if (region === undefined || wide === undefined) return undefined;
  if (region === foot) return <Foot state={state} columns={columns} height={below - 1} />;
  if (details === undefined || isMerged)
    return (
      <PreviewPanel state={state} region={wide} height={height} hasDetails={isMerged && !hasOwnDetails} />
    );
  return (
    <>
      <PreviewPanel state={state} region={region} height={height} hasDetails />
      <DetailsPanel state={state} region={details} height={height} />
    </>
  );
}

/** Minimum width, in columns, of the room below a list for a preview with its details next to it. */
const minColumnsForBoth = 96;

/** Maximum width, in columns, of the details below a list: a label and an id of 32 digits. */
const maxFootDetails = 46;

/** Draws the preview below a list, with its details next to it if the screen has room. */
function Foot({ state, columns, height }: { state: PreviewState; columns: number; height: number }) {
  const hasBoth = columns >= minColumnsForBoth && state.is === 'shown' && state.content.details !== undefined;
  const forDetails = hasBoth ? Math.min(maxFootDetails, (columns >> 1) + 6) : 0;
  const width = columns - forDetails;
  const left = useMemo(() => bareRegion(0, width, width - (forDetails > 0 ? 2 : 0)), [width, forDetails]);
  const right = useMemo(() => bareRegion(width, forDetails, forDetails), [width, forDetails]);
  const preview = <PreviewPanel state={state} region={left} height={height} hasDetails={hasBoth} />;
  if (!hasBoth) return preview;
  return (
    <Box flexDirection="row" flexShrink={0}>
      {preview}
      <DetailsPanel state={state} region={right} height={height} />
    </Box>
  );
}

function bareRegion(left: number, width: number, columns: number): Region {
  return { left, width, columns, isFramed: false };
}

/** Formats the numbers of rows above and below the rows on the screen. */
function outsideWords<T>({ list: { state }, group }: ListPaneProps<T>, height: number): string {
  const { list } = state;
  const at = { length: shownLength(list), cursor: list.cursor, groupAt: groupFinder(list, group) };
  return formatOutside(list, visibleLines(at, height), height);
}

/** Returns the counts for the header; empty while a menu replaces the pane. */
function headerCounts<T>(
  { list: { state, liveWords }, counts, rowNames, words }: ListPaneProps<T>,
  height: number,
  redact: Redact,
): string {
  if (state.dialog?.kind === 'menu') return '';
  // The pane's own counts are for all rows, not for filtered rows.
  const { contains, only, kind, sort } = state.list;
  const isAll = contains === '' && only.length === 0 && isDefaultSort(kind, sort);
  const shown = (isAll ? counts : undefined) ?? listHeader(state, rowNames, height, redact, words);
  return [formatWrites(state), liveWords, shown].filter((part) => part !== '').join(' · ');
}

/** Returns the form in which the user chooses the columns of this kind of list. */
function columnsForm<T>(
  { mode, name, rowNames, all, layout }: ListBodyProps<T>,
  { memory }: Pick<ConsoleParts, 'memory'>,
): FormDialog<ListWork | ListCommand> {
  const known = [name.heading, ...all.map(columnName)];
  const own = memory.current.columns?.[mode] ?? presentColumns(layout);
  const note = `Available: ${known.join(' ')}. To set a width, append it to the name: ${name.heading}:40. Empty: the default.`;
  const field = { name: 'columns', label: 'Columns', value: formatColumns(own), note };
  return formDialog<ListWork | ListCommand>(
    openForm(`Columns of ${rowNames.many}`, [field]),
    ({ columns: text = '' }) => {
      const parsed = parseColumns(text, known);
      if ('errors' in parsed) return parsed;
      const work: ListWork = {
        busy: starting,
        run: async () => {
          memory.change((before) => withColumns(before, mode, parsed.own));
          return { notice: parsed.own === undefined ? 'Default columns.' : 'Saved the columns.' };
        },
      };
      return { work };
    },
  );
}

function createActionHandler<T>(
  { list, actions }: ListPaneProps<T>,
  form: () => Dialog<ListWork | ListCommand>,
) {
  return (action: string) => {
    if (action === 'columns') return list.dispatch({ type: 'asked', dialog: form() });
    const run = actions()[action];
    if (action === 'open' && list.toggleFolder()) return;
    if (run !== undefined) run();
    else if (isListAction(action)) list.runAction(action);
  };
}
