import { type Dispatch, useEffect, useMemo, useReducer } from 'react';
import { escapeText } from '../../src/text/escape.ts';
import type { Place } from '../console/place.ts';
import { type ConsoleParts, useConsole } from '../console/use-console.ts';
import { useRun } from '../console/use-run.ts';
import type { ValueAction } from '../keymap/kv.ts';
import { isMove, type Move } from '../lists/cursor.ts';
import { findInView } from '../viewer/find-in-view.ts';
import { scroll } from '../viewer/value-scroll.ts';
import { formOf, readKeyDialog, removeDialog, useKeyCommands } from './use-key-commands.ts';
import type { Source } from './value-source.ts';
import {
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
  const perform = useValueCommands(place, state, dispatch);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the pane opens
  useEffect(() => perform({ does: 'read' }), []);
  const search = (from: number) => findInView(source, searchText(state), from, dispatch, parts.notify);
  const save = () => {
    const read = readKeyDialog(formOf(state.dialog), parts.world.now());
    if (read === undefined) return;
    if ('errors' in read) dispatch({ type: 'form', event: { type: 'refused', errors: read.errors } });
    else perform(read);
  };
  const act = (action: ValueAction) => {
    if (!isMove(action)) actionsOf({ place, state, dispatch, perform, search, parts })[action]();
    else if (source) dispatch({ type: 'scrolled', anchor: scroll(source, state.anchor, action, height) });
  };
  return { state, source, dispatch, act, perform, search, save };
}

function useValueCommands(place: ValuePlace, state: ValueState, dispatch: Dispatch<ValueEvent>) {
  const parts = useConsole();
  const run = useRun();
  const { namespace } = place;
  const carryOut = useKeyCommands(namespace, formOf(state.dialog), {
    asked: (dialog) => dispatch({ type: 'asked', dialog }),
    changed(_name, entry, value) {
      place.changed(entry);
      if (entry === undefined || value === undefined) parts.back();
      else dispatch({ type: 'stored', entry, value });
    },
    unchanged: () => dispatch({ type: 'closed' }),
    failed: (problem, command) => dispatch({ type: 'failed', problem, command }),
  });
  return (command: ValueCommand) => {
    dispatch({ type: 'begun', command });
    if (command.does !== 'read') carryOut(command);
    else
      run({
        name: 'read',
        work: (signal) => parts.services.kv.readKey(namespace.id, place.entry.name, signal),
        done(subject) {
          if (subject === undefined) place.changed(undefined);
          dispatch({ type: 'read', subject });
        },
        failed: (problem) => dispatch({ type: 'failed', problem, command }),
      });
  };
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
