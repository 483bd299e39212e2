import { type Dispatch, useEffect, useReducer } from 'react';
import type { Problem } from '../../src/model/problem.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import type { ZoneMenu } from '../../src/services/zones/choice.ts';
import { escapeText } from '../../src/text/escape.ts';
import { type ConsoleParts, useConsole } from '../console/use-console.ts';
import { useRun } from '../console/use-run.ts';
import { useService } from '../console/use-service.ts';
import type { HostnameAction, HostnamesAction } from '../keymap/hostnames.ts';
import { isMove, type Move, topOf } from '../lists/cursor.ts';
import { useListing } from '../lists/use-listing.ts';
import { authorityFault, removeQuestion } from './commands.ts';
import { newHostnameForm, readHostnameForm } from './form.ts';
import {
  type HostnamesCommand,
  type HostnamesEvent,
  type HostnamesState,
  noZone,
  reduceHostnames,
  selectedIn,
} from './hostnames-state.ts';
import { isFiltered, needsPage, shownHostname, shownLength } from './list.ts';
import { idsToLookAt } from './looks.ts';
import { useHostnameCommands } from './use-hostname-commands.ts';
import { useLooks } from './use-looks.ts';

interface Hostnames {
  readonly state: HostnamesState;
  dispatch: Dispatch<HostnamesEvent>;
  act(action: HostnamesAction): void;
  perform(command: HostnamesCommand): void;
  save(): void;
  takeZone(zone: Zone): void;
}

/** The state of the hostnames pane and what its actions do. `height` is the number of rows on the screen. */
export function useHostnames(height: number, visible: boolean): Hostnames {
  const parts = useConsole();
  const service = useService('hostnames');
  const [state, dispatch] = useReducer(reduceHostnames, noZone);
  const { findZone, offerZones } = useZone(dispatch);
  const readOverview = useOverview(state.zone, dispatch);
  usePages(state, dispatch, height);
  useRowsInProgress(state, dispatch, height, visible);
  const carryOut = useHostnameCommands(state.zone, {
    changed(change) {
      dispatch({ type: 'changed', ...change });
      readOverview();
    },
    failed(problem, command) {
      dispatch({ type: 'failed', problem, command });
      if (command.does === 'create') readOverview();
    },
  });
  const perform = (command: HostnamesCommand) => {
    if (command.does === 'zone') return findZone();
    if (command.does === 'list') {
      readOverview();
      return dispatch({ type: 'listing' });
    }
    dispatch({ type: 'begun', command });
    carryOut(command);
  };
  const save = () => {
    if (state.dialog?.kind !== 'form') return;
    const read = readHostnameForm(state.dialog.form);
    if ('errors' in read) dispatch({ type: 'form', event: { type: 'refused', errors: read.errors } });
    else perform({ does: 'create', wanted: read.wanted });
  };
  const act = (action: HostnamesAction) => {
    if (isMove(action)) dispatch({ type: 'moved', move: action, height });
    else actionsOf({ state, dispatch, perform, parts, readOverview, offerZones })[action]();
  };
  const takeZone = (zone: Zone) => {
    service.takeZone(zone);
    dispatch({ type: 'zone', zone });
  };
  return { state, dispatch, act, perform, save, takeZone };
}

/** Finds the session's zone when the pane opens; where there are several, a menu asks for it. */
function useZone(dispatch: Dispatch<HostnamesEvent>): { findZone(): void; offerZones(): void } {
  const { notify } = useConsole();
  const service = useService('hostnames');
  const run = useRun();
  const failed = (problem: Problem) => dispatch({ type: 'failed', problem, command: { does: 'zone' } });
  const offer = (menu: ZoneMenu) => dispatch({ type: 'offered', menu: { kind: 'zone', ...menu } });
  const findZone = () =>
    run({
      name: 'zone',
      work: () => service.findZone(),
      done: (choice) => ('zone' in choice ? dispatch({ type: 'zone', zone: choice.zone }) : offer(choice)),
      failed,
    });
  const offerZones = () =>
    run({
      name: 'zone',
      work: () => service.listZones(),
      done: (menu) => (menu.zones.length > 1 ? offer(menu) : notify('The credentials reach no other zone.')),
      failed,
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the pane opens
  useEffect(findZone, []);
  return { findZone, offerZones };
}

/**
 * Reads what concerns the whole zone, at once and whenever it is asked for; the gauge by itself, because it is there
 * also while the platform lets everybody wait. What fails leaves the line as it was.
 */
function useOverview(zone: Zone | undefined, dispatch: Dispatch<HostnamesEvent>): () => void {
  const service = useService('hostnames');
  const run = useRun();
  const read = () => {
    if (zone === undefined) return;
    run({
      name: 'issuance',
      work: () => service.readIssuance(zone.id),
      done: (issuance) => dispatch({ type: 'issuance', issuance }),
      failed: () => undefined,
    });
    run({
      name: 'overview',
      work: () => service.readOverview(zone.id),
      done: (overview) => dispatch({ type: 'overview', overview }),
      failed: () => undefined,
    });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each zone
  useEffect(read, [zone?.id]);
  return read;
}

/** Reads the list from its beginning whenever it is begun anew, and page by page as far as it is needed. */
function usePages({ zone, list }: HostnamesState, dispatch: Dispatch<HostnamesEvent>, height: number): void {
  const service = useService('hostnames');
  const listing = useListing<HostnameRow>();
  const run = useRun();
  const { generation, pages, search } = list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a generation has one zone and one search
  useEffect(() => {
    if (zone !== undefined) listing.restart((signal) => service.list(zone.id, search, signal));
  }, [generation]);
  const wanted = zone !== undefined && needsPage(list, height);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that has come may ask for another
  useEffect(() => {
    if (!wanted) return;
    dispatch({ type: 'loading', generation });
    run({
      name: 'page',
      work: () => listing.next(),
      done: ({ items, complete }) => dispatch({ type: 'page', generation, rows: items, complete }),
      failed: (problem) => dispatch({ type: 'failed', problem, command: { does: 'list' } }),
    });
  }, [wanted, generation, pages]);
}

/** Keeps the rows on the screen fresh that are in progress. */
function useRowsInProgress(
  { zone, list, looks }: HostnamesState,
  dispatch: Dispatch<HostnamesEvent>,
  height: number,
  visible: boolean,
): void {
  const { notify } = useConsole();
  const top = topOf(list.cursor, shownLength(list), height);
  const rows = Array.from({ length: height }, (_, line) => shownHostname(list, top + line));
  useLooks({
    active: visible,
    zone,
    ids: idsToLookAt(rows, looks),
    looks,
    found: (found) => dispatch({ type: 'looked', found }),
    failed(problem) {
      dispatch({ type: 'blinded' });
      notify(`No longer live: ${escapeText(problem.message)} r reads the list again.`);
    },
  });
}

interface Pane {
  readonly state: HostnamesState;
  readonly dispatch: Dispatch<HostnamesEvent>;
  readonly perform: (command: HostnamesCommand) => void;
  readonly parts: ConsoleParts;
  readonly readOverview: () => void;
  readonly offerZones: () => void;
}

type RowAction = HostnameAction | 'open' | 'copy';

function actionsOf(pane: Pane): Record<Exclude<HostnamesAction, Move>, () => void> {
  const { state, dispatch, perform, parts } = pane;
  const selected = selectedIn(state);
  const onRow = (action: RowAction) => () => {
    if (selected !== undefined && state.zone !== undefined)
      rowActionsOf(pane, selected, state.zone)[action]();
  };
  const create = { kind: 'form', purpose: 'create', subject: undefined, form: newHostnameForm() } as const;
  return {
    open: onRow('open'),
    create: () => dispatch({ type: 'asked', dialog: create }),
    diagnose: onRow('diagnose'),
    fix: onRow('fix'),
    revalidate: onRow('revalidate'),
    authority: onRow('authority'),
    remove: onRow('remove'),
    copy: onRow('copy'),
    filter: () => dispatch({ type: 'filtered', text: state.list.contains }),
    status: () => dispatch({ type: 'offered', menu: { kind: 'status' } }),
    zone: pane.offerZones,
    refresh: () => perform({ does: state.zone === undefined ? 'zone' : 'list' }),
    more: () => dispatch({ type: 'more' }),
    back: () => (isFiltered(state.list) ? dispatch({ type: 'unfiltered' }) : parts.back()),
  };
}

function rowActionsOf(pane: Pane, row: HostnameRow, zone: Zone): Record<RowAction, () => void> {
  const { state, dispatch, perform, parts, readOverview } = pane;
  const { record } = row;
  const ahead = state.overview?.ahead ?? 0;
  const changed = (id: string, now: HostnameRow | undefined) => {
    dispatch({ type: 'changed', id, row: now });
    readOverview();
  };
  const diagnose = (fix: boolean) => () =>
    parts.open({ pane: 'diagnosis', zone, hostname: record.hostname, fix, changed });
  return {
    open: () => parts.open({ pane: 'hostname', zone, row, ahead, changed }),
    diagnose: diagnose(false),
    fix: diagnose(true),
    revalidate: () => perform({ does: 'refresh', record }),
    authority() {
      const fault = authorityFault(record);
      if (fault === undefined) dispatch({ type: 'offered', menu: { kind: 'authority', record } });
      else parts.notify(fault);
    },
    remove() {
      const question = removeQuestion(record, zone);
      dispatch({
        type: 'asked',
        dialog: { kind: 'confirm', question, command: { does: 'remove', record } },
      });
    },
    copy: () => parts.notify(parts.copy(Buffer.from(record.hostname), 'the hostname')),
  };
}
