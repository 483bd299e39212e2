import { type ReactNode, useEffect } from 'react';
import type { Act } from '../../src/services/equivalents/act.ts';
import { useConsole } from '../console/use-console.ts';
import { DialogBox, dialogHeight, modeOf, submitOf } from '../forms/DialogBox.tsx';
import type { Actions, Mode } from '../keymap/actions.ts';
import type { Situation } from '../keymap/shortcut.ts';
import { useShortcuts } from '../keymap/use-shortcuts.ts';
import { bodyHeight, Frame } from '../widgets/Frame.tsx';
import { isListAction, type OwnActions } from './list-action.ts';
import type { ListController } from './list-controller.ts';
import type { ListParts } from './list-state.ts';
import { emptyText, filterNote, listHeader, type RowNames } from './list-words.ts';
import { markCount, markTest } from './marks.ts';
import { shownLength, shownRow } from './paged-list.ts';
import { type Column, Table, tableRows } from './Table.tsx';
import { selectedFolder } from './tree/tree-places.ts';
import { treeColumns, treeRow } from './tree/tree-rows.ts';

export interface ListPaneProps<L extends ListParts, M extends Mode> {
  readonly list: ListController<L>;
  readonly mode: M;
  readonly visible: boolean;
  readonly rowNames: RowNames;
  /** The columns before the last, at a time in milliseconds and on a screen of this width. */
  columns(now: number, width: number): readonly Column<L['row']>[];
  /** The last column: text from outside. */
  readonly last: { readonly heading: string; cell(row: L['row']): string };
  /** The text of an empty list that nothing filters. */
  emptyWords(situation: Situation): string;
  /** Actions that only this list has, asked for at each press. */
  actions(): OwnActions<Actions[M]>;
  /** Words for the header instead of the number of rows, which is shown where this is left out. */
  readonly counts?: string | undefined;
  /** A line above the table. */
  readonly above?: ReactNode;
  /** Words for the header before the counts. Escaped. */
  readonly words?: readonly string[];
  /** What can be done here, as other programs do it; asked for at each press. */
  acts?(): readonly Act[];
  /** The situation for its shortcuts, beside the parts that every list has. */
  readonly situation?: Partial<Situation>;
}

/** The pane of a list: header, table, what stands before it, footer. */
export function ListPane<L extends ListParts, M extends Mode>(props: ListPaneProps<L, M>) {
  const { list: controller, mode, visible, rowNames, above } = props;
  const { session, columns, redact, rows, world } = useConsole();
  const body = bodyHeight(rows) - (above === undefined ? 0 : 1);
  const height = tableRows(body);
  useEffect(() => controller.show({ height, visible }), [controller, height, visible]);
  const { list, dialog, busy } = controller.state;
  const situation: Situation = {
    readOnly: session.readOnly,
    selected: controller.selected !== undefined,
    folder: selectedFolder(list) !== undefined,
    marked: markCount(list),
    busy,
    can: session.can,
    submit: submitOf(dialog),
    ...props.situation,
  };
  useShortcuts(mode, {
    active: visible && dialog === undefined,
    situation,
    act: actOf(props),
    acts: props.acts,
  });
  if (!visible) return null;
  const taken = dialogHeight(dialog, { columns, redact }, body);
  return (
    <Frame mode={modeOf(dialog, mode)} situation={situation} counts={countsOf(props, height)}>
      {dialog?.kind !== 'menu' && above}
      {taken < body && (
        <ListTable
          {...props}
          columns={props.columns(world.now(), columns)}
          height={body - taken}
          empty={emptyText(controller.state, rowNames) ?? props.emptyWords(situation)}
        />
      )}
      <DialogBox
        dialog={dialog}
        height={taken}
        active={visible}
        note={filterNote(controller.state)}
        onForm={(event) => controller.dispatch({ type: 'form', event })}
        onFilter={(text) =>
          controller.dispatch({ type: dialog?.kind === 'filter' ? 'filtered' : 'asking', text })
        }
        onApply={() => controller.dispatch({ type: 'entered' })}
        save={controller.save}
        perform={controller.perform}
        close={() => controller.dispatch({ type: 'closed' })}
      />
    </Frame>
  );
}

interface ListTableProps<L extends ListParts> {
  readonly list: ListController<L>;
  readonly columns: readonly Column<L['row']>[];
  readonly last: { readonly heading: string; cell(row: L['row']): string };
  readonly height: number;
  readonly empty: string;
}

/** The rows of a list, or the lines of its tree. */
function ListTable<L extends ListParts>({ list: { list }, columns, last, height, empty }: ListTableProps<L>) {
  const isMarked = markTest(list);
  const common = {
    length: shownLength(list),
    cursor: list.cursor,
    found: list.pick?.wish.matcher,
    sort: list.sort,
    height,
    empty,
  };
  if (list.tree === undefined) {
    const rowAt = (index: number) => shownRow(list, index);
    return <Table {...common} columns={columns} last={last} rowAt={rowAt} isMarked={isMarked} />;
  }
  return (
    <Table
      {...common}
      columns={treeColumns(columns)}
      last={{ heading: last.heading, cell: ({ text }) => text }}
      rowAt={(index) => treeRow(list, index)}
      isMarked={isMarked && ((line) => line.isMarked)}
    />
  );
}

/** A menu stands in place of the pane, and its counts go with it. */
function countsOf<L extends ListParts, M extends Mode>(
  { list: { state }, counts, rowNames, words }: ListPaneProps<L, M>,
  height: number,
): string {
  if (state.dialog?.kind === 'menu') return '';
  // What a pane says of all its rows is not what is found among them.
  const isAll = state.list.contains === '' && state.list.sort === undefined;
  return (isAll ? counts : undefined) ?? listHeader(state, rowNames, height, words);
}

function actOf<L extends ListParts, M extends Mode>({ list, actions }: ListPaneProps<L, M>) {
  return (action: Actions[M]) => {
    const own: Readonly<Partial<Record<string, () => void>>> = actions();
    const act = own[action];
    if (action === 'open' && list.turnFolder()) return;
    if (act !== undefined) act();
    else if (isListAction(action)) list.act(action);
  };
}
