import { type ReactNode, useEffect } from 'react';
import type { CliEquivalent } from '../../../src/services/equivalents/cli-equivalent.ts';
import type { Redact } from '../../../src/text/redact.ts';
import { firstVisibleRow } from '../../kit/keys/cursor.ts';
import type { Mode } from '../../kit/keys/modes.ts';
import type { Press } from '../../kit/keys/presses.ts';
import type { Situation } from '../../kit/keys/shortcut.ts';
import { useConsole } from '../../kit/use-console.ts';
import { useController } from '../../kit/use-controller.ts';
import { DialogBox, dialogHeight, dialogMode, dialogSituation } from '../forms/DialogBox.tsx';
import { Frame } from '../frame/Frame.tsx';
import { pressFor, useShortcuts } from '../input/use-shortcuts.ts';
import { bodyHeight } from '../layout/layout.ts';
import { useRowClicks } from '../layout/use-row-clicks.ts';
import { PreviewPanel } from '../preview/PreviewPanel.tsx';
import { PreviewController } from '../preview/preview-controller.ts';
import type { Previewed } from '../preview/previewed.ts';
import { shortest, useRedrawAfter } from '../status/use-age.ts';
import type { Column, NameColumn } from './columns.ts';
import type { DrawnColumns } from './declared-columns.ts';
import { ListTable } from './ListTable.tsx';
import { isListAction } from './list-action.ts';
import type { ListController } from './list-controller.ts';
import { displayedList } from './list-pages.ts';
import { emptyText, filterNote, listHeader, type RowNames } from './list-words.ts';
import { markCount } from './marks.ts';
import { ParentList } from './ParentList.tsx';
import { type PagedList, shownLength, shownRow } from './paged-list.ts';
import { isDefaultSort } from './sort.ts';
import { tableRows } from './Table.tsx';
import { selectedFolder } from './tree-places.ts';

export interface ListPaneProps<T> {
  readonly list: ListController<T>;
  readonly mode: Mode;
  readonly visible: boolean;
  readonly rowNames: RowNames;
  /** The name column. */
  readonly name: NameColumn<T>;
  /** Returns the columns after the name. `now` is in milliseconds; `width` is the width of the list. */
  columns(now: number, width: number): DrawnColumns<T>;
  /** Returns the text shown for an empty list without a filter. */
  emptyWords(situation: Situation): string;
  /** Returns the actions that only this list has; called at each press. */
  actions(): Readonly<Partial<Record<string, () => void>>>;
  /** Label of the header instead of the number of rows (default: the number). */
  readonly counts?: string | undefined;
  /** Returns the preview of a row. */
  preview?(row: T): Previewed;
  /** A line above the table. */
  readonly above?: ReactNode;
  /** Facts for the header before the counts. Escaped. */
  readonly words?: readonly string[];
  /** Returns the equivalent commands of the actions; called at each press. */
  equivalents?(): readonly CliEquivalent[];
  /** The situation of its shortcuts, in addition to the parts that every list has. */
  readonly situation?: Partial<Situation>;
}

/** The pane of a list: header, table, dialog, footer. */
export function ListPane<T>(props: ListPaneProps<T>) {
  const { list: controller, mode, visible, rowNames, above } = props;
  const { session, columns, redact, region, rows, world } = useConsole();
  const body = bodyHeight(rows) - (above === undefined ? 0 : 1);
  const height = tableRows(body);
  useEffect(() => controller.show({ height, visible }), [controller, height, visible]);
  const { list, dialog, busy } = controller.state;
  const situation: Situation = {
    readOnly: session.readOnly,
    selected: controller.selected !== undefined,
    loading: list.rows.length === 0 && !displayedList(list).complete && !list.stopped,
    complete: displayedList(list).complete,
    folder: selectedFolder(list) !== undefined,
    prefix: list.prefix,
    marked: markCount(list),
    busy,
    can: session.can,
    ...dialogSituation(dialog),
    ...props.situation,
  };
  const take = useShortcuts(mode, {
    active: visible && dialog === undefined,
    situation,
    act: createActionHandler(props),
    equivalents: props.equivalents,
    stopWaiting: controller.stopWaiting,
  });
  useClicks(props, height, take);
  const previewPanel = usePreview(props);
  const tableColumns = props.columns(world.now(), columns);
  useRedrawAfter(visible ? shortestValidity(list, tableColumns, height) : undefined);
  if (!visible) return region.isParent ? <ParentList {...props} height={body} /> : null;
  const dialogRows = dialogHeight(dialog, { columns, redact }, body);
  return (
    <Frame
      mode={dialogMode(dialog, mode)}
      situation={situation}
      counts={headerCounts(props, height, redact)}
      age={() => controller.age}
      aside={previewPanel}
    >
      {dialog?.kind !== 'menu' && above}
      {dialogRows < body && (
        <ListTable
          {...props}
          columns={tableColumns}
          height={body - dialogRows}
          empty={emptyText(controller.state, rowNames) ?? props.emptyWords(situation)}
        />
      )}
      <DialogBox
        dialog={dialog}
        busy={busy}
        height={dialogRows}
        active={visible}
        note={filterNote(controller.state)}
        onForm={(event) => controller.dispatch({ type: 'form', event })}
        onFilter={(text) =>
          controller.dispatch({ type: dialog?.kind === 'filter' ? 'filtered' : 'asking', text })
        }
        onApply={() => controller.dispatch({ type: 'entered' })}
        save={controller.save}
        names={controller.names}
        perform={controller.perform}
        close={controller.stopWaiting}
      />
    </Frame>
  );
}

/** Returns the milliseconds for which the text of the visible rows stays valid. */
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

/** A click selects a row; a click on the selected row opens it. */
function useClicks<T>(
  { list: controller, mode, visible, above }: ListPaneProps<T>,
  height: number,
  take: (press: Press) => void,
): void {
  const { keys } = useConsole();
  const { list, dialog } = controller.state;
  const top = firstVisibleRow(list.cursor, shownLength(list), height);
  const heads = above === undefined ? 1 : 2;
  const shown = { first: heads, count: Math.min(height, shownLength(list) - top) };
  useRowClicks(visible && dialog === undefined, shown, (row) => {
    const steps = top + row - list.cursor.index;
    const open = pressFor(mode, 'open', keys);
    if (steps === 0 && open !== undefined) take(open);
    for (let step = 0; step < Math.abs(steps); step++) controller.act(steps < 0 ? 'up' : 'down');
  });
}

/** Returns the preview panel of the selected row. */
function usePreview<T>({ list: { list, selected, mayRefresh }, visible, preview }: ListPaneProps<T>) {
  const parts = useConsole();
  const controller = useController(() => new PreviewController(parts));
  const region = visible && preview !== undefined ? parts.beside : undefined;
  useEffect(() => {
    if (preview !== undefined) controller.select(region && (selected ?? null), list.reloads, preview);
    controller.allowRefresh(region !== undefined && mayRefresh);
  });
  return region && <PreviewPanel state={controller.state} region={region} />;
}

/** Returns the counts for the header; empty while a menu replaces the pane. */
function headerCounts<T>(
  { list: { state, liveWords }, counts, rowNames, words }: ListPaneProps<T>,
  height: number,
  redact: Redact,
): string {
  if (state.dialog?.kind === 'menu') return '';
  // The pane's own counts are for all rows, not for filtered ones.
  const { contains, only, kind, sort } = state.list;
  const isAll = contains === '' && only.length === 0 && isDefaultSort(kind, sort);
  const shown = (isAll ? counts : undefined) ?? listHeader(state, rowNames, height, redact, words);
  return [liveWords, shown].filter((part) => part !== '').join(' · ');
}

function createActionHandler<T>({ list, actions }: ListPaneProps<T>) {
  return (action: string) => {
    const act = actions()[action];
    if (action === 'open' && list.toggleFolder()) return;
    if (act !== undefined) act();
    else if (isListAction(action)) list.act(action);
  };
}
