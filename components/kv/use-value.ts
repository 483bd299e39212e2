import { type Dispatch, useEffect, useMemo, useReducer } from 'react';
import type { Problem } from '../../src/model/problem.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { Place } from '../console/place.ts';
import { type ConsoleParts, useConsole } from '../console/use-console.ts';
import { useRun } from '../console/use-run.ts';
import { formOf } from '../forms/dialog-state.ts';
import type { ValueAction } from '../keymap/kv.ts';
import { isMove, type Move } from '../lists/cursor.ts';
import { findInView } from '../viewer/find-in-view.ts';
import { scroll } from '../viewer/scroll.ts';
import type { Source } from '../viewer/source.ts';
import type { KeySubject } from './key-commands.ts';
import { readKeyForm } from './key-forms.ts';
import { carryOutKey, type KeyOutcome, removeDialog } from './key-work.ts';
import {
  busyWith,
  noValue,
  reduceValue,
  searchText,
  sourceOf,
  type ValueCommand,
  type ValueEvent,
  type ValueState,
  type ValueView,
} from './value-state.ts';

export type ValuePlace = Extract<Place, { pane: 'value' }>;

interface Value {
  readonly state: ValueState;
  readonly source: Source | undefined;
  dispatch: Dispatch<ValueEvent>;
  act(action: ValueAction): void;
  perform(command: ValueCommand): void;
  search(from: number): void;
  save(): void;
}

/** The state of the value pane and what its actions do. `height` is the number of lines on the screen. */
export function useValue(place: ValuePlace, height: number): Value {
  const parts = useConsole();
  const [state, dispatch] = useReducer(reduceValue, place.entry, noValue);
  const { value, view, entry } = state;
  const { columns, redact } = parts;
  const source = useMemo(
    () => sourceOf({ value, view, entry }, { columns, redact }),
    [value, view, entry, columns, redact],
  );
  const perform = useValueCommands(place, dispatch);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the pane opens
  useEffect(() => perform({ does: 'read' }), []);
  const search = (from: number) => findInView(source, searchText(state), from, dispatch, parts.notify);
  const save = () => {
    const open = formOf(state.dialog);
    if (open === undefined) return;
    const read = readKeyForm(open.purpose, open.subject, open.form, parts.world.now());
    if ('errors' in read) dispatch({ type: 'refused', errors: read.errors });
    else perform(read);
  };
  const act = (action: ValueAction) => {
    if (!isMove(action)) actionsOf({ place, state, dispatch, perform, search, parts })[action]();
    else if (source) dispatch({ type: 'scrolled', anchor: scroll(source, state.anchor, action, height) });
  };
  return { state, source, dispatch, act, perform, search, save };
}

function useValueCommands(place: ValuePlace, dispatch: Dispatch<ValueEvent>) {
  const parts = useConsole();
  const run = useRun();
  return (command: ValueCommand) => {
    dispatch({ type: 'begun', busy: busyWith[command.does] });
    const failed = (problem: Problem) => dispatch({ type: 'failed', problem, command });
    if (command.does === 'read') {
      const work = (signal: AbortSignal) =>
        parts.services.kv.readKey(place.namespace.id, place.entry.name, signal);
      run({ name: 'read', work, done: (subject) => showRead(subject, place, dispatch, parts), failed });
    } else {
      const work = (signal: AbortSignal) => carryOutKey(command, place.namespace, parts, signal);
      run({ name: command.does, work, done: (outcome) => settle(outcome, dispatch, parts), failed });
    }
  };
}

function showRead(
  subject: KeySubject | undefined,
  { namespace, entry }: ValuePlace,
  dispatch: Dispatch<ValueEvent>,
  { changes }: ConsoleParts,
): void {
  if (subject === undefined) {
    changes.tell({ changed: 'key', namespaceId: namespace.id, name: entry.name, entry: undefined });
  }
  dispatch({ type: 'read', subject });
}

function settle(
  { dialog, notice, change, value }: KeyOutcome,
  dispatch: Dispatch<ValueEvent>,
  parts: ConsoleParts,
): void {
  if (notice !== undefined) parts.notify(notice);
  if (dialog !== undefined) dispatch({ type: 'asked', dialog });
  else if (change === undefined) dispatch({ type: 'settled' });
  else {
    parts.changes.tell(change);
    if (change.entry === undefined || value === undefined) parts.back();
    else dispatch({ type: 'stored', entry: change.entry, value });
  }
}

interface Pane {
  readonly place: ValuePlace;
  readonly state: ValueState;
  readonly dispatch: Dispatch<ValueEvent>;
  readonly perform: (command: ValueCommand) => void;
  readonly search: (from: number) => void;
  readonly parts: ConsoleParts;
}

function actionsOf(pane: Pane): Record<Exclude<ValueAction, Move>, () => void> {
  const { place, state, dispatch, perform, parts } = pane;
  const key = state.entry.name;
  const view = (next: ValueView | 'next') => () => dispatch({ type: 'viewed', view: next });
  return {
    back: () => parts.back(),
    'next-view': view('next'),
    text: view('text'),
    json: view('json'),
    hex: view('hex'),
    metadata: view('metadata'),
    search: () => dispatch({ type: 'searching', text: searchText(state) }),
    'next-match': () => pane.search((state.search?.offset ?? -1) + 1),
    edit: () => perform({ does: 'edit', key, purpose: 'edit' }),
    expire: () => perform({ does: 'edit', key, purpose: 'expire' }),
    'edit-outside': () => perform({ does: 'edit-outside', key }),
    remove: () => dispatch({ type: 'asked', dialog: removeDialog(key, place.namespace) }),
    refresh: () => perform({ does: 'read' }),
    copy: () => state.value instanceof Uint8Array && parts.notify(parts.copy(state.value, 'the value')),
    'copy-name': () => parts.notify(parts.copy(Buffer.from(key), `the name ${escapeText(key)}`)),
  };
}
