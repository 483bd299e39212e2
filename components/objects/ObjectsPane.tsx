import { escapeText } from '../../src/text/escape.ts';
import { formatSize } from '../../src/text/size.ts';
import { compactDuration } from '../../src/text/time.ts';
import { useConsole } from '../console/use-console.ts';
import { DialogBox, dialogHeight, modeOf, submitOf } from '../forms/DialogBox.tsx';
import { useShortcuts } from '../keymap/use-shortcuts.ts';
import { markCount, markTest } from '../lists/marks.ts';
import { shownLength, shownRow } from '../lists/paged-list.ts';
import { type Column, Table, tableRows } from '../lists/Table.tsx';
import { bodyHeight, Frame } from '../widgets/Frame.tsx';
import { type ObjectsPlace, type ObjectsState, objectCounts, selectedObject } from './objects-state.ts';
import type { ObjectRow } from './rows.ts';
import { useObjects } from './use-objects.ts';

/** Below this width content types are left out. */
const roomForTypes = 64;

/** A folder of a bucket: its folders, and its objects with size, age and content type. */
export function ObjectsPane({ place, visible }: { place: ObjectsPlace; visible: boolean }) {
  const { session, columns, redact, rows, world } = useConsole();
  const body = bodyHeight(rows);
  const { state, act, dispatch, perform, save } = useObjects(place, tableRows(body), visible);
  const { busy, dialog } = state.work;
  const situation = {
    readOnly: session.readOnly,
    selected: selectedObject(state) !== undefined,
    marked: markCount(state.list),
    busy,
    submit: submitOf(dialog),
  };
  useShortcuts('objects', { active: visible && dialog === undefined, situation, act });
  if (!visible) return null;
  const taken = dialogHeight(dialog, { columns, redact }, body);
  return (
    <Frame
      mode={modeOf(dialog, 'objects')}
      situation={situation}
      counts={objectCounts(state, tableRows(body))}
    >
      {taken < body && (
        <Table
          columns={objectColumns(world.now(), columns)}
          last={{ heading: 'NAME', cell: ({ name }) => (name === '' ? '(the folder itself)' : name) }}
          length={shownLength(state.list)}
          rowAt={(index) => shownRow(state.list, index)}
          cursor={state.list.cursor}
          isMarked={markTest(state.list)}
          height={body - taken}
          empty={emptyText(state, session.readOnly)}
        />
      )}
      <DialogBox
        dialog={dialog}
        height={taken}
        active={visible}
        onForm={(event) => dispatch({ type: 'form', event })}
        onFilter={(text) => dispatch({ type: 'filtered', text })}
        onApply={(how) => dispatch({ type: how === 'apply' ? 'applied' : 'kept' })}
        save={save}
        perform={perform}
        close={() => dispatch({ type: 'closed' })}
      />
    </Frame>
  );
}

/** The columns before the name, at a point in time (milliseconds). */
function objectColumns(now: number, width: number): readonly Column<ObjectRow>[] {
  const size: Column<ObjectRow> = {
    heading: 'SIZE',
    width: 6,
    align: 'right',
    cell: ({ entry }) => (entry === undefined ? '' : formatSize(entry.size)),
  };
  const age: Column<ObjectRow> = {
    heading: 'AGE',
    width: 5,
    align: 'right',
    cell: ({ entry }) => (entry === undefined ? '' : compactDuration((now - entry.uploaded) / 1000)),
    role: () => 'dim',
  };
  const type: Column<ObjectRow> = {
    heading: 'TYPE',
    width: 20,
    cell: ({ entry }) => (entry === undefined ? 'folder' : escapeText(entry.httpMetadata.contentType ?? '')),
    role: () => 'dim',
  };
  return width < roomForTypes ? [size, age] : [size, age, type];
}

function emptyText({ list, folder }: ObjectsState, readOnly: boolean): string {
  if (list.stopped) return 'The list could not be read: r tries again.';
  if (list.contains !== '' && !list.complete)
    return 'No loaded name matches: m loads more, Enter asks for a prefix.';
  if (!list.complete || list.refill !== undefined) return 'Loading…';
  if (list.contains !== '' || list.prefix !== '') return 'No name matches the filter.';
  const what = folder === '' ? 'bucket' : 'folder';
  return readOnly ? `This ${what} is empty.` : `This ${what} is empty: u uploads a file or a folder.`;
}
