import type { ObjectEntry } from '../../src/model/objects/object.ts';
import type { MarkedObject } from '../../src/services/tasks/objects.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { Place } from '../console/place.ts';
import type { MarkAction } from '../keymap/marks.ts';
import type { Move } from '../lists/cursor.ts';
import { filterWords } from '../lists/filter.ts';
import { listCounts } from '../lists/list-words.ts';
import { hiddenMarks, markedNames, markIn, markWords, stepBack } from '../lists/marks.ts';
import {
  addPage,
  dropRow,
  emptyList,
  findRow,
  listAgain,
  listFrom,
  loadingPage,
  moveIn,
  narrow,
  type PagedList,
  putRow,
  selectedRow,
  stopList,
  wantMore,
} from '../lists/paged-list.ts';
import { byName } from '../lists/row-kind.ts';
import type { Chosen } from './chosen.ts';
import { type ObjectRow, rowOf } from './rows.ts';
import { reduceWork, type Work, type WorkEvent } from './work.ts';

export type ObjectsPlace = Extract<Place, { pane: 'objects' }>;

/** A folder of a bucket: what is directly below its prefix. */
export interface ObjectsState {
  readonly bucket: string;
  readonly folder: string;
  readonly list: PagedList<ObjectRow>;
  readonly work: Work;
}

export type ObjectsEvent =
  | { readonly type: 'moved'; readonly move: Move; readonly height: number }
  | { readonly type: 'marked'; readonly how: MarkAction; readonly height: number }
  | { readonly type: 'filtered'; readonly text: string }
  | { readonly type: 'closed' | 'kept' | 'stepped-back' | 'applied' }
  /** `stale` lists again as `listing` does, beside whatever stands before the pane. */
  | { readonly type: 'more' | 'listing' | 'stale' }
  | { readonly type: 'loading'; readonly generation: number }
  | {
      readonly type: 'page';
      readonly generation: number;
      readonly items: readonly ObjectRow[];
      readonly complete: boolean;
    }
  | { readonly type: 'changed'; readonly key: string; readonly entry: ObjectEntry | undefined }
  | WorkEvent;

/** The state of a pane that has just been opened. */
export function noObjects({ bucket, folder }: ObjectsPlace): ObjectsState {
  return { bucket: bucket.name, folder, list: emptyList<ObjectRow>(byName), work: {} };
}

/** The state after an event. */
export function reduceObjects(state: ObjectsState, event: ObjectsEvent): ObjectsState {
  switch (event.type) {
    case 'moved':
      return { ...state, list: moveIn(state.list, event.move, event.height) };
    case 'filtered': {
      const work = { ...state.work, dialog: { kind: 'prefix', text: event.text } } as const;
      return { ...state, work, list: narrow(state.list, event.text) };
    }
    case 'closed':
      return close(state);
    case 'kept':
      return { ...state, work: { ...state.work, dialog: undefined } };
    case 'marked':
      return { ...state, list: markIn(state.list, event.how, event.height) };
    case 'stepped-back':
      return { ...state, list: stepBack(state.list) ?? state.list };
    case 'applied':
      return {
        ...state,
        work: { ...state.work, dialog: undefined },
        list: listFrom(state.list, state.list.contains),
      };
    default:
      return reduceAnswer(state, event);
  }
}

type Answer = Exclude<
  ObjectsEvent,
  { type: 'moved' | 'marked' | 'filtered' } | { type: 'closed' | 'kept' | 'stepped-back' | 'applied' }
>;

function reduceAnswer(state: ObjectsState, event: Answer): ObjectsState {
  switch (event.type) {
    case 'more':
      return { ...state, list: wantMore(state.list) };
    case 'listing':
      return { ...state, work: { ...state.work, dialog: undefined }, list: listAgain(state.list) };
    case 'stale':
      return { ...state, list: listAgain(state.list) };
    case 'loading':
      return { ...state, list: loadingPage(state.list, event.generation) };
    case 'page':
      return { ...state, list: addPage(state.list, event) };
    case 'changed':
      return { ...state, list: withObject(state, event.key, event.entry) };
    case 'failed': {
      const list = event.command.does === 'read' ? stopList(state.list) : state.list;
      return { ...state, list, work: reduceWork(state.work, event) };
    }
    default:
      return { ...state, work: reduceWork(state.work, event) };
  }
}

/** The row under the cursor. */
export function selectedObject({ list }: ObjectsState): ObjectRow | undefined {
  return selectedRow(list);
}

/** The marked objects and folders, or else the selected one; undefined when there is none. */
export function chosenObjects({ bucket, folder, list }: ObjectsState): Chosen | undefined {
  const marked = markedNames(list).map((name): MarkedObject => {
    const key = `${folder}${name}`;
    if (name.endsWith('/')) return { prefix: key };
    const size = findRow(list, name)?.entry?.size;
    return size === undefined ? { key } : { key, size };
  });
  return marked.length === 0 ? undefined : { bucket, folder, marked, hidden: hiddenMarks(list) };
}

/** How much there is, for the header of a pane with `height` rows. */
export function objectCounts({ list, work }: ObjectsState, height: number): string {
  const prefix = list.prefix === '' ? '' : `prefix ${escapeText(list.prefix)}`;
  const words = [markWords(list), prefix, filterWords(list.contains, work.dialog)];
  return listCounts(list, ['entry', 'entries'], height, words);
}

/** Esc in the filter clears it; before a form, a question goes back to it. */
function close(state: ObjectsState): ObjectsState {
  if (state.work.dialog?.kind !== 'prefix') {
    return { ...state, work: reduceWork(state.work, { type: 'dismissed' }) };
  }
  return { ...state, work: { ...state.work, dialog: undefined }, list: narrow(state.list, '') };
}

function withObject(
  { folder, list }: ObjectsState,
  key: string,
  entry: ObjectEntry | undefined,
): PagedList<ObjectRow> {
  if (entry === undefined) return dropRow(list, key.slice(folder.length));
  const row = rowOf(folder, entry);
  return row === undefined ? list : putRow(list, row);
}
