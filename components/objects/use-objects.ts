import { type Dispatch, useEffect, useReducer } from 'react';
import type { ObjectEntry } from '../../src/model/objects/object.ts';
import { escapeText } from '../../src/text/escape.ts';
import { type ConsoleParts, useConsole } from '../console/use-console.ts';
import { useRun } from '../console/use-run.ts';
import { useService } from '../console/use-service.ts';
import { isMarkAction, type MarkAction } from '../keymap/marks.ts';
import type { ObjectsAction } from '../keymap/objects.ts';
import { isMove, type Move } from '../lists/cursor.ts';
import { stepBack } from '../lists/marks.ts';
import { needsPage, pageLimit } from '../lists/paged-list.ts';
import { useListing } from '../lists/use-listing.ts';
import { useObjectTaskEnd } from '../tasks/ends.ts';
import { type Chosen, countMarked } from './chosen.ts';
import type { ObjectCommand } from './commands.ts';
import { copyForm, downloadForm, uploadForm } from './forms.ts';
import {
  chosenObjects,
  noObjects,
  type ObjectsEvent,
  type ObjectsPlace,
  type ObjectsState,
  reduceObjects,
  selectedObject,
} from './objects-state.ts';
import { type ObjectRow, rowsOf } from './rows.ts';
import { useObjectWork } from './use-object-work.ts';
import { hasFolders, type WorkCommand, type WorkDialog } from './work.ts';

interface Objects {
  readonly state: ObjectsState;
  dispatch: Dispatch<ObjectsEvent>;
  act(action: ObjectsAction): void;
  perform(command: WorkCommand): void;
  save(): void;
}

/**
 * The state of the objects pane and what its actions do. `height` is the number of rows on the screen; what tasks come
 * to is told while the pane is `visible`.
 */
export function useObjects(place: ObjectsPlace, height: number, visible: boolean): Objects {
  const parts = useConsole();
  const [state, dispatch] = useReducer(reduceObjects, place, noObjects);
  usePages(state, dispatch, height);
  const work = useObjectWork(state.work, dispatch, ({ does }) => {
    if (does !== 'upload') dispatch({ type: 'marked', how: 'clear-marks', height });
  });
  useObjectTaskEnd({ bucket: state.bucket, visible }, (task) => {
    if (task.work.does !== 'download') dispatch({ type: 'stale' });
  });
  const perform = (command: WorkCommand) =>
    command.does === 'read' ? dispatch({ type: 'listing' }) : work.carryOut(command);
  const act = (action: ObjectsAction) => {
    if (isMove(action)) dispatch({ type: 'moved', move: action, height });
    else if (isMarkAction(action)) dispatch({ type: 'marked', how: action, height });
    else actionsOf({ place, state, dispatch, carryOut: work.carryOut, parts })[action]();
  };
  return { state, dispatch, act, perform, save: work.save };
}

/** Reads the folder from its beginning whenever it is begun anew, and page by page as far as it is needed. */
function usePages(
  { bucket, folder, list }: ObjectsState,
  dispatch: Dispatch<ObjectsEvent>,
  height: number,
): void {
  const objects = useService('objects');
  const listing = useListing<ObjectRow>();
  const run = useRun();
  const { generation, pages, prefix } = list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a generation has one folder and one prefix
  useEffect(() => {
    listing.restart(async function* (signal) {
      const options = { prefix: `${folder}${prefix}`, limit: pageLimit, signal };
      for await (const page of objects.list(bucket, options)) yield rowsOf(folder, page);
    });
  }, [generation]);
  const wanted = needsPage(list, height);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that has come may ask for another
  useEffect(() => {
    if (!wanted) return;
    dispatch({ type: 'loading', generation });
    run({
      name: 'page',
      work: () => listing.next(),
      done: (page) => dispatch({ type: 'page', generation, ...page }),
      failed: (problem) => dispatch({ type: 'failed', problem, command: { does: 'read' } }),
    });
  }, [wanted, generation, pages]);
}

interface Pane {
  readonly place: ObjectsPlace;
  readonly state: ObjectsState;
  readonly dispatch: Dispatch<ObjectsEvent>;
  readonly carryOut: (command: ObjectCommand) => void;
  readonly parts: ConsoleParts;
}

function actionsOf(pane: Pane): Record<Exclude<ObjectsAction, Move | MarkAction>, () => void> {
  const { state, dispatch, parts } = pane;
  const row = selectedObject(state);
  const onChosen = (act: (chosen: Chosen) => void) => () => {
    const chosen = chosenObjects(state);
    if (chosen !== undefined) act(chosen);
  };
  const ask = (dialog: WorkDialog) => dispatch({ type: 'asked', dialog });
  return {
    open: () => row && open(row, pane),
    back: () => (stepBack(state.list) === undefined ? parts.back() : dispatch({ type: 'stepped-back' })),
    filter: () => dispatch({ type: 'filtered', text: state.list.contains }),
    upload: () => ask(uploadForm(state.bucket, state.folder)),
    download: onChosen((chosen) => ask(downloadForm(chosen))),
    'copy-object': onChosen((chosen) => ask(copyForm(chosen))),
    remove: onChosen((chosen) => remove(chosen, pane)),
    more: () => dispatch({ type: 'more' }),
    refresh: () => dispatch({ type: 'listing' }),
    copy: () => row && parts.notify(parts.copy(Buffer.from(row.key), `the key ${escapeText(row.key)}`)),
  };
}

function open(row: ObjectRow, { place, dispatch, parts }: Pane): void {
  const { bucket } = place;
  const { key, entry } = row;
  const changed = (one: string, now: ObjectEntry | undefined) =>
    dispatch({ type: 'changed', key: one, entry: now });
  if (entry === undefined) parts.open({ pane: 'objects', bucket, folder: key });
  else parts.open({ pane: 'preview', bucket, entry, changed });
}

/** What is below folders is counted before it is asked about. */
function remove(chosen: Chosen, { dispatch, carryOut }: Pane): void {
  if (hasFolders(chosen)) carryOut({ does: 'count', from: chosen });
  else dispatch({ type: 'counted', from: chosen, count: countMarked(chosen.marked) });
}
