import { type Dispatch, useMemo, useReducer } from 'react';
import { isProblem } from '../../src/model/problem.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { Place } from '../console/place.ts';
import { type ConsoleParts, useConsole } from '../console/use-console.ts';
import { useRun } from '../console/use-run.ts';
import { useService } from '../console/use-service.ts';
import type { HostnameDetailAction } from '../keymap/hostnames.ts';
import { isMove, type Move } from '../lists/cursor.ts';
import { type EntryRow, entryRows } from '../viewer/entries.ts';
import { authorityFault, removeQuestion } from './commands.ts';
import { hostnameEntries } from './entries.ts';
import {
  type DetailCommand,
  type DetailEvent,
  type HostnameDetail,
  openedDetail,
  reduceDetail,
} from './hostname-state.ts';
import { idsToLookAt } from './looks.ts';
import { useHostnameCommands } from './use-hostname-commands.ts';
import { useLooks } from './use-looks.ts';

export type HostnamePlace = Extract<Place, { pane: 'hostname' }>;

interface Detail {
  readonly state: HostnameDetail;
  /** The whole text in rows of the screen's width. */
  readonly rows: readonly EntryRow[];
  dispatch: Dispatch<DetailEvent>;
  act(action: HostnameDetailAction): void;
  perform(command: DetailCommand): void;
}

/** The state of the pane of one hostname and what its actions do. `height` is the number of rows on the screen. */
export function useHostname(place: HostnamePlace, height: number, visible: boolean): Detail {
  const parts = useConsole();
  const [state, dispatch] = useReducer(reduceDetail, place.row, openedDetail);
  const { columns, redact, world } = parts;
  const rows = useMemo(
    () => entryRows(hostnameEntries(state.row, world.now() + place.ahead), { columns, redact }),
    [state.row, columns, redact, world, place.ahead],
  );
  const perform = useDetailCommands(place, dispatch);
  const gone = () => {
    parts.notify(`${escapeText(place.row.record.hostname)} is gone.`);
    place.changed(place.row.record.id, undefined);
    parts.back();
  };
  const { looks } = state;
  useLooks({
    active: visible,
    zone: place.zone,
    ids: idsToLookAt([state.row], looks),
    looks,
    found([found]) {
      if (found?.row === undefined) return gone();
      if (JSON.stringify(found.row) !== JSON.stringify(state.row)) place.changed(found.id, found.row);
      dispatch({ type: 'looked', row: found.row });
    },
    failed(problem) {
      dispatch({ type: 'blinded' });
      parts.notify(`No longer live: ${escapeText(problem.message)} r reads it again.`);
    },
  });
  const act = (action: HostnameDetailAction) => {
    if (isMove(action)) dispatch({ type: 'moved', move: action, length: rows.length, height });
    else actionsOf({ place, state, rows, dispatch, perform, parts })[action]();
  };
  return { state, rows, dispatch, act, perform };
}

function useDetailCommands(place: HostnamePlace, dispatch: Dispatch<DetailEvent>) {
  const parts = useConsole();
  const service = useService('hostnames');
  const run = useRun();
  const take = (row: HostnameRow) => {
    place.changed(row.record.id, row);
    dispatch({ type: 'read', row });
  };
  const carryOut = useHostnameCommands(place.zone, {
    changed({ id, row }) {
      if (row !== undefined) return take(row);
      place.changed(id, undefined);
      parts.back();
    },
    failed: (problem, command) => dispatch({ type: 'failed', problem, command }),
  });
  return (command: DetailCommand) => {
    dispatch({ type: 'begun', command });
    if (command.does !== 'read') return carryOut(command);
    run({
      name: 'read',
      work: () => service.read(place.zone.id, place.row.record.id),
      done: take,
      failed(problem) {
        if (isProblem(problem) && problem.code === 'not-found') place.changed(place.row.record.id, undefined);
        dispatch({ type: 'failed', problem, command });
      },
    });
  };
}

interface Pane {
  readonly place: HostnamePlace;
  readonly state: HostnameDetail;
  readonly rows: readonly EntryRow[];
  readonly dispatch: Dispatch<DetailEvent>;
  readonly perform: (command: DetailCommand) => void;
  readonly parts: ConsoleParts;
}

function actionsOf(pane: Pane): Record<Exclude<HostnameDetailAction, Move>, () => void> {
  const { place, state, rows, dispatch, perform, parts } = pane;
  const { zone } = place;
  const { record } = state.row;
  const changed = (id: string, row: HostnameRow | undefined) => {
    place.changed(id, row);
    if (row !== undefined && id === record.id) dispatch({ type: 'read', row });
  };
  const diagnose = (fix: boolean) => () =>
    parts.open({ pane: 'diagnosis', zone, hostname: record.hostname, fix, changed });
  return {
    back: () => parts.back(),
    copy: () => copyEntry(rows[state.cursor.index], parts),
    'next-record': () => dispatch({ type: 'next-record', rows }),
    refresh: () => perform({ does: 'read' }),
    diagnose: diagnose(false),
    fix: diagnose(true),
    revalidate: () => perform({ does: 'refresh', record }),
    authority() {
      const fault = authorityFault(record);
      if (fault === undefined) dispatch({ type: 'choosing', on: true });
      else parts.notify(fault);
    },
    remove() {
      const question = removeQuestion(record, zone);
      dispatch({
        type: 'asked',
        dialog: { kind: 'confirm', question, command: { does: 'remove', record } },
      });
    },
  };
}

/** Hands what a row holds to the clipboard. */
export function copyEntry(row: EntryRow | undefined, parts: Pick<ConsoleParts, 'notify' | 'copy'>): void {
  const copied = row?.entry.copied;
  if (copied === undefined) parts.notify('This line holds nothing to copy.');
  else parts.notify(parts.copy(Buffer.from(copied.text), copied.what));
}
