import type { CustomHostname } from '../../src/model/hostnames/hostname.ts';
import type { IssuanceWindow } from '../../src/model/hostnames/issuance.ts';
import type { Problem } from '../../src/model/problem.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { ZoneOverview } from '../../src/services/hostnames/overview.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { escapeText } from '../../src/text/escape.ts';
import { behind, type Dialog, whileCarriedOut } from '../forms/dialog.ts';
import { type FormEvent, reduceForm } from '../forms/form-state.ts';
import type { Busy } from '../keymap/busy.ts';
import type { Move } from '../lists/cursor.ts';
import { filterWords } from '../lists/filter.ts';
import { rowAt } from '../lists/rows.ts';
import { busyWith, type HostnameChange, type HostnameCommand } from './commands.ts';
import {
  addPage,
  dropRow,
  type HostnameList,
  isComing,
  listAgain,
  listCounts,
  listFrom,
  moveIn,
  narrow,
  noHostnames,
  putRow,
  selectedHostname,
  stopList,
  widen,
} from './list.ts';
import { type Looks, looked, noLooks } from './looks.ts';
import { indexOfHostname } from './rows.ts';

/** What the pane asks the services for. */
export type HostnamesCommand = { readonly does: 'zone' } | { readonly does: 'list' } | HostnameCommand;

export type HostnamesDialog = Dialog<HostnamesCommand, 'create', undefined>;

/** A menu in place of the pane. */
export type HostnamesMenu =
  | { readonly kind: 'zone'; readonly zones: readonly Zone[]; readonly more: boolean }
  | { readonly kind: 'status' }
  | { readonly kind: 'authority'; readonly record: CustomHostname };

export interface HostnamesState {
  /** Undefined until it is known, or chosen. */
  readonly zone: Zone | undefined;
  readonly overview?: ZoneOverview | undefined;
  readonly issuance?: IssuanceWindow | undefined;
  readonly list: HostnameList;
  /** How rows in progress are looked at. */
  readonly looks: Looks;
  /** What is being done at the moment, in words. */
  readonly busy?: Busy | undefined;
  readonly dialog?: HostnamesDialog | undefined;
  readonly menu?: HostnamesMenu | undefined;
}

/** A hostname as it now is; without a row it is gone. */
type Found = Pick<HostnameChange, 'id' | 'row'>;

type DialogEvent =
  | { readonly type: 'asked'; readonly dialog: HostnamesDialog }
  | { readonly type: 'offered'; readonly menu: HostnamesMenu | undefined }
  | { readonly type: 'closed' | 'kept' }
  | { readonly type: 'form'; readonly event: FormEvent }
  | { readonly type: 'begun'; readonly command: HostnameCommand }
  | { readonly type: 'failed'; readonly problem: Problem; readonly command: HostnamesCommand };

type ListEvent =
  | { readonly type: 'moved'; readonly move: Move; readonly height: number }
  | { readonly type: 'filtered'; readonly text: string }
  | { readonly type: 'status'; readonly status: string }
  | { readonly type: 'unfiltered' | 'applied' | 'more' | 'listing' }
  | { readonly type: 'loading'; readonly generation: number };

type Answer =
  | { readonly type: 'zone'; readonly zone: Zone }
  | { readonly type: 'overview'; readonly overview: ZoneOverview }
  | { readonly type: 'issuance'; readonly issuance: IssuanceWindow }
  | {
      readonly type: 'page';
      readonly generation: number;
      readonly rows: readonly HostnameRow[];
      readonly complete: boolean;
    }
  | ({ readonly type: 'changed' } & Found)
  | { readonly type: 'looked'; readonly found: readonly Found[] }
  /** A look failed. */
  | { readonly type: 'blinded' };

export type HostnamesEvent = DialogEvent | ListEvent | Answer;

/** The state of a pane that has just been opened. */
export const noZone: HostnamesState = { zone: undefined, list: noHostnames, looks: noLooks };

/** The state after an event. */
export function reduceHostnames(state: HostnamesState, event: HostnamesEvent): HostnamesState {
  switch (event.type) {
    case 'asked':
      return { ...state, busy: undefined, dialog: event.dialog };
    case 'offered':
      return { ...state, menu: event.menu };
    case 'closed':
      return close(state);
    case 'kept':
      return { ...state, busy: undefined, dialog: undefined };
    case 'form':
      return changeForm(state, event.event);
    case 'begun': {
      const dialog = whileCarriedOut(state.dialog);
      return { ...state, menu: undefined, busy: busyWith[event.command.does], dialog };
    }
    case 'failed':
      return fail(state, event.problem, event.command);
    default:
      return reduceList(state, event);
  }
}

function reduceList(state: HostnamesState, event: ListEvent | Answer): HostnamesState {
  const { list } = state;
  switch (event.type) {
    case 'moved':
      return { ...state, list: moveIn(list, event.move, event.height) };
    case 'filtered':
      return { ...state, dialog: { kind: 'contains', text: event.text }, list: narrow(list, event.text) };
    case 'unfiltered':
      return { ...state, list: widen(list) };
    case 'applied':
      return reread(state, listFrom(list, { ...list.search, contains: list.contains.trim() }));
    case 'status':
      return reread(state, listFrom(list, { ...list.search, status: event.status }));
    case 'more':
      return { ...state, list: { ...list, wanted: list.rows.length + 1 } };
    case 'listing':
      return reread(state, listAgain(list));
    case 'loading':
      return event.generation === list.generation ? { ...state, list: { ...list, loading: true } } : state;
    default:
      return reduceAnswer(state, event);
  }
}

function reduceAnswer(state: HostnamesState, event: Answer): HostnamesState {
  switch (event.type) {
    case 'zone': {
      const list = listFrom(state.list, noHostnames.search);
      return { ...noZone, zone: event.zone, list };
    }
    case 'overview':
      return { ...state, overview: event.overview };
    case 'issuance':
      return { ...state, issuance: event.issuance };
    case 'page':
      return { ...state, list: addPage(state.list, event) };
    case 'changed': {
      const list = take(state.list, event);
      return { ...state, list, busy: undefined, dialog: undefined, looks: noLooks };
    }
    case 'looked': {
      const news = event.found.filter((found) => isNews(state.list, found));
      return { ...state, list: news.reduce(take, state.list), looks: looked(state.looks, news.length > 0) };
    }
    case 'blinded':
      return { ...state, looks: { ...state.looks, ended: true } };
  }
}

/** The hostname under the cursor. */
export function selectedIn({ list }: HostnamesState): HostnameRow | undefined {
  return selectedHostname(list);
}

/** Whether hostnames are coming, of which zone, what was asked for, and how many there are, for the header. */
export function hostnameCounts({ zone, list, dialog }: HostnamesState): string {
  if (zone === undefined) return '';
  const { contains, status } = list.search;
  const words = [
    isComing(list) ? 'loading…' : '',
    escapeText(zone.name),
    status === '' ? '' : `status ${status}`,
    contains === '' ? '' : `contains ${escapeText(contains)}`,
    filterWords(list.contains, dialog),
    listCounts(list),
  ];
  return words.filter((word) => word !== '').join(' · ');
}

function reread(state: HostnamesState, list: HostnameList): HostnamesState {
  return { ...state, list, looks: noLooks, busy: undefined, dialog: undefined, menu: undefined };
}

function take(list: HostnameList, { id, row }: Found): HostnameList {
  return row === undefined ? dropRow(list, id) : putRow(list, row);
}

/** Whether a look found something else than what is listed. What is not listed any more is no news. */
function isNews({ rows }: HostnameList, { id, row }: Found): boolean {
  const before = rowAt(rows, indexOfHostname(rows, id));
  return before !== undefined && JSON.stringify(before) !== JSON.stringify(row);
}

/** Esc in the filter clears it; before a form, a question goes back to it. */
function close(state: HostnamesState): HostnamesState {
  if (state.dialog?.kind === 'contains') return { ...state, dialog: undefined, list: narrow(state.list, '') };
  return { ...state, dialog: behind(state.dialog) };
}

function changeForm(state: HostnamesState, event: FormEvent): HostnamesState {
  if (state.dialog?.kind !== 'form') return state;
  return { ...state, dialog: { ...state.dialog, form: reduceForm(state.dialog.form, event) } };
}

/** A failure of what a form asked for stays in the form, with everything typed. */
function fail(state: HostnamesState, problem: Problem, command: HostnamesCommand): HostnamesState {
  if (state.dialog?.kind === 'form' && command.does === 'create') {
    return changeForm({ ...state, busy: undefined }, { type: 'failed', problem });
  }
  const next = { ...state, busy: undefined, dialog: { kind: 'problem', problem, command } } as const;
  return command.does === 'list' ? { ...next, list: stopList(state.list) } : next;
}
