import type { ObjectEntry } from '../../src/model/object.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { Move } from '../cursor.ts';
import type { Place } from '../place.ts';
import { type ObjectRow, rowOf } from './object-rows.ts';
import { reduceWork, type Work, type WorkEvent } from './object-work.ts';
import {
  addPage,
  dropRow,
  listAgain,
  listCounts,
  listFrom,
  moveIn,
  narrow,
  noList,
  type PagedList,
  putRow,
  selectedRow,
  stopList,
  wantMore,
} from './paged-list.ts';

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
  | { readonly type: 'filtered'; readonly text: string }
  | { readonly type: 'closed' | 'kept' | 'unfiltered' | 'applied' }
  | { readonly type: 'more' | 'listing' | 'loading' }
  | {
      readonly type: 'page';
      readonly generation: number;
      readonly items: readonly ObjectRow[];
      readonly complete: boolean;
    }
  | { readonly type: 'changed'; readonly key: string; readonly entry: ObjectEntry | undefined }
  | { readonly type: 'emptied'; readonly prefix: string }
  | WorkEvent;

/** The state of a pane that has just been opened. */
export function noObjects({ bucket, folder }: ObjectsPlace): ObjectsState {
  return { bucket: bucket.name, folder, list: noList, work: {} };
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
    case 'unfiltered':
      return {
        ...state,
        list: state.list.contains === '' ? listFrom(state.list, '') : narrow(state.list, ''),
      };
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
  { type: 'moved' | 'filtered' } | { type: 'closed' | 'kept' | 'unfiltered' | 'applied' }
>;

function reduceAnswer(state: ObjectsState, event: Answer): ObjectsState {
  switch (event.type) {
    case 'more':
      return { ...state, list: wantMore(state.list) };
    case 'listing':
      return { ...state, work: { ...state.work, dialog: undefined }, list: listAgain(state.list) };
    case 'loading':
      return { ...state, list: { ...state.list, loading: true } };
    case 'page':
      return { ...state, list: addPage(state.list, event) };
    case 'changed':
      return { ...state, list: withObject(state, event.key, event.entry) };
    case 'emptied':
      return { ...state, list: dropRow(state.list, event.prefix.slice(state.folder.length)) };
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

/** How much there is, for the header of a pane with `height` rows. */
export function objectCounts({ list }: ObjectsState, height: number): string {
  const prefix = list.prefix === '' ? '' : `prefix ${escapeText(list.prefix)} · `;
  return `${prefix}${listCounts(list, ['entry', 'entries'], height)}`;
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
