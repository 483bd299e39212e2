import { type Dispatch, useEffect, useReducer } from 'react';
import type { KeyEntry, Namespace } from '../../src/model/kv/kv.ts';
import type { Problem } from '../../src/model/problem.ts';
import { escapeText } from '../../src/text/escape.ts';
import { type ConsoleParts, useConsole } from '../console/use-console.ts';
import { useRun } from '../console/use-run.ts';
import type { KeysAction } from '../keymap/kv.ts';
import { isMarkAction, type MarkAction } from '../keymap/marks.ts';
import { isMove, type Move } from '../lists/cursor.ts';
import { hiddenMarks, markCount, markedNames, stepBack } from '../lists/marks.ts';
import { needsPage, pageLimit, selectedRow } from '../lists/paged-list.ts';
import { useListing } from '../lists/use-listing.ts';
import { useKeyTaskEnd } from '../tasks/ends.ts';
import { newKeyForm } from './key-forms.ts';
import {
  copyKeysForm,
  expireMarkedForm,
  exportForm,
  importForm,
  type MarkedDialog,
  readMarkedForm,
  removeMarkedDialog,
  replaceFileDialog,
} from './key-marked.ts';
import { isMarkedCommand, type KeysCommand, keyFormOf, markedFormOf } from './keys-dialog.ts';
import { type KeysEvent, type KeysState, noKeys, reduceKeys } from './keys-state.ts';
import { readKeyDialog, removeDialog, useKeyCommands } from './use-key-commands.ts';
import { useMarkedKeys } from './use-marked-keys.ts';

interface Keys {
  readonly state: KeysState;
  dispatch: Dispatch<KeysEvent>;
  act(action: KeysAction): void;
  perform(command: KeysCommand): void;
  save(): void;
}

/** The state of the keys pane and what its actions do. `height` is the number of rows on the screen. */
export function useKeys(namespace: Namespace, height: number, visible: boolean): Keys {
  const parts = useConsole();
  const [state, dispatch] = useReducer(reduceKeys, namespace, noKeys);
  usePages(state, dispatch, height);
  useKeyTaskEnd({ namespaceId: namespace.id, visible }, ({ work }) => {
    if (work.does !== 'export-keys') dispatch({ type: 'outdated' });
  });
  const failed = (problem: Problem, command: KeysCommand) => dispatch({ type: 'failed', problem, command });
  const carryOut = useKeyCommands(namespace, keyFormOf(state.dialog), {
    asked: (dialog) => dispatch({ type: 'asked', dialog }),
    changed: (name, entry) => dispatch({ type: 'changed', name, entry }),
    unchanged: () => dispatch({ type: 'kept' }),
    failed,
  });
  const marked = markedFormOf(state.dialog);
  const begin = useMarkedKeys(namespace, {
    started: (command) => dispatch({ type: 'started', command }),
    exists: (command) => dispatch({ type: 'asked', dialog: replaceFileDialog(command, marked) }),
    refused: (errors) => dispatch({ type: 'refused', errors }),
    failed,
  });
  const perform = (command: KeysCommand) => {
    if (command.does === 'list') return dispatch({ type: 'listing' });
    dispatch({ type: 'begun', command });
    if (isMarkedCommand(command)) begin(command);
    else carryOut(command);
  };
  const save = () => {
    const now = parts.world.now();
    const read =
      marked === undefined
        ? readKeyDialog(keyFormOf(state.dialog), now)
        : readMarkedForm(marked, namespace, now);
    if (read === undefined) return;
    if ('errors' in read) dispatch({ type: 'refused', errors: read.errors });
    else perform('command' in read ? read.command : read);
  };
  const act = (action: KeysAction) => {
    if (isMove(action)) dispatch({ type: 'moved', move: action, height });
    else if (isMarkAction(action)) dispatch({ type: 'marked', how: action, height });
    else actionsOf(state, dispatch, perform, parts)[action]();
  };
  return { state, dispatch, act, perform, save };
}

/** Reads the list from its beginning whenever it is begun anew, and page by page as far as it is needed. */
function usePages({ namespace, list }: KeysState, dispatch: Dispatch<KeysEvent>, height: number): void {
  const { kv } = useConsole().services;
  const listing = useListing<KeyEntry>();
  const run = useRun();
  const { prefix, generation, pages } = list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a generation has one namespace and one prefix
  useEffect(() => {
    listing.restart((signal) => kv.listKeys(namespace.id, { prefix, limit: pageLimit, signal }));
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
      failed: (problem) => dispatch({ type: 'failed', problem, command: { does: 'list' } }),
    });
  }, [wanted, generation, pages]);
}

type KeyAction = 'open' | 'edit' | 'edit-outside' | 'expire' | 'remove' | 'copy';
type ManyAction = 'export' | 'copy-keys' | 'expire' | 'remove';
type Act<Action extends string> = Record<Action, () => void>;

function actionsOf(
  state: KeysState,
  dispatch: Dispatch<KeysEvent>,
  perform: (command: KeysCommand) => void,
  parts: ConsoleParts,
): Act<Exclude<KeysAction, Move | MarkAction>> {
  const create = { kind: 'form', purpose: 'create', subject: undefined, form: newKeyForm() } as const;
  const { list, namespace } = state;
  const selected = selectedRow(list);
  const onKey = (action: KeyAction) => () =>
    selected && keyActionsOf(selected, namespace, dispatch, perform, parts)[action]();
  const onMany = (action: ManyAction) => () => dispatch({ type: 'asked', dialog: dialogOf(action, state) });
  const hasMarks = markCount(list) > 0;
  return {
    back: () => (stepBack(list) === undefined ? parts.back() : dispatch({ type: 'stepped-back' })),
    create: () => dispatch({ type: 'asked', dialog: create }),
    import: () => dispatch({ type: 'asked', dialog: importForm(namespace) }),
    filter: () => dispatch({ type: 'filtered', text: list.contains }),
    more: () => dispatch({ type: 'more' }),
    refresh: () => perform({ does: 'list' }),
    open: onKey('open'),
    edit: onKey('edit'),
    'edit-outside': onKey('edit-outside'),
    expire: hasMarks ? onMany('expire') : onKey('expire'),
    remove: hasMarks ? onMany('remove') : onKey('remove'),
    export: onMany('export'),
    'copy-keys': onMany('copy-keys'),
    copy: onKey('copy'),
  };
}

function dialogOf(action: ManyAction, { list, namespace }: KeysState): MarkedDialog {
  const names = markedNames(list);
  const hidden = hiddenMarks(list);
  switch (action) {
    case 'remove':
      return removeMarkedDialog(names, hidden, namespace);
    case 'expire':
      return expireMarkedForm(names, hidden);
    case 'export':
      return exportForm(names, hidden, namespace);
    case 'copy-keys':
      return copyKeysForm(names, hidden, namespace);
  }
}

function keyActionsOf(
  entry: KeyEntry,
  namespace: Namespace,
  dispatch: Dispatch<KeysEvent>,
  perform: (command: KeysCommand) => void,
  parts: ConsoleParts,
): Act<KeyAction> {
  const key = entry.name;
  const changed = (now: KeyEntry | undefined) => dispatch({ type: 'changed', name: key, entry: now });
  return {
    open: () => parts.open({ pane: 'value', namespace, entry, changed }),
    edit: () => perform({ does: 'edit', key, purpose: 'edit' }),
    expire: () => perform({ does: 'edit', key, purpose: 'expire' }),
    'edit-outside': () => perform({ does: 'edit-outside', key }),
    remove: () => dispatch({ type: 'asked', dialog: removeDialog(key, namespace) }),
    copy: () => parts.notify(parts.copy(Buffer.from(key), `the name ${escapeText(key)}`)),
  };
}
