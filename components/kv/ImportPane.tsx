import { actionHandlers } from '../kit/keys/action.ts';
import { firstVisibleRow } from '../kit/keys/cursor.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { DialogBox, dialogMode, placeDialog } from '../ui/forms/DialogBox.tsx';
import { Frame } from '../ui/frame/Frame.tsx';
import { useShortcuts } from '../ui/input/use-shortcuts.ts';
import { bodyHeight } from '../ui/layout/layout.ts';
import { useRowClicks } from '../ui/layout/use-row-clicks.ts';
import type { Column } from '../ui/lists/columns.ts';
import { Table, tableRows } from '../ui/lists/Table.tsx';
import { importActions } from './import-actions.ts';
import { ImportController, type OpenImport } from './import-controller.ts';
import {
  foundIn,
  type ImportRow,
  type ImportState,
  importCounts,
  importLength,
  importRow,
} from './import-state.ts';

const roles = { create: 'added', change: 'changed', invalid: 'fault', '': 'dim' } as const;

const effectColumn: Column<ImportRow> = {
  heading: 'EFFECT',
  width: 7,
  importance: 1,
  cell: ({ effect }) => effect,
  role: ({ effect }) => roles[effect],
};

/**
 * Draws the preview of an import: the changes that a file would make. Does not use `ListPane`, which requires an object for each row: here,
 * each row is packed into a few bytes.
 */
export function ImportPane({ opened, visible }: { opened: OpenImport; visible: boolean }) {
  const parts = useConsole();
  const { session, rows } = parts;
  const body = bodyHeight(rows);
  const preview = useController(() => new ImportController(opened, parts));
  const { state } = preview;
  const length = importLength(state);
  const situation = {
    readOnly: session.readOnly,
    selected: length > 0,
    busy: state.busy,
    preview: foundIn(state),
  };
  useShortcuts('import', {
    active: visible && state.dialog === undefined,
    situation,
    runAction(action) {
      const run = actionHandlers(importActions, { ...opened, found: state, parts }, preview.take)[action];
      if (run !== undefined) run();
      else preview.runAction(action, tableRows(body));
    },
  });
  useClicks(preview, visible, tableRows(body));
  if (!visible) return null;
  const place = placeDialog(state.dialog, parts, body);
  return (
    <Frame
      mode={dialogMode(state.dialog, 'import')}
      situation={situation}
      counts={importCounts(state)}
      dialog={{
        ...place,
        content: (
          <DialogBox
            dialog={state.dialog}
            place={place}
            active={visible}
            perform={preview.perform}
            close={() => preview.dispatch({ type: 'dismissed' })}
          />
        ),
      }}
    >
      {place.rows < body && (
        <Table
          columns={[effectColumn]}
          name={{ heading: 'KEY', cell: ({ text }) => text }}
          length={length}
          rowAt={(index) => importRow(state, index)}
          cursor={state.cursor}
          height={body - place.rows}
          empty={emptyText(state)}
        />
      )}
    </Frame>
  );
}

/** Makes a click select a row. A second click has no effect: actions apply to the whole import, not to a row. */
function useClicks({ state, dispatch }: ImportController, visible: boolean, height: number): void {
  const top = firstVisibleRow(state.cursor, importLength(state), height);
  const shown = { first: 1, count: Math.min(height, importLength(state) - top) };
  useRowClicks(visible && state.dialog === undefined, shown, (row) => {
    dispatch({ type: 'chosen', index: top + row });
  });
}

function emptyText({ phase, checked }: ImportState): string {
  if (phase === 'stopped') return 'The file could not be read. Press r to try again.';
  if (phase === 'reading') return 'Reading…';
  return checked?.entries === 0
    ? 'The file contains no entries.'
    : 'All entries already exist with the same content.';
}
