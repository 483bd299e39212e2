import { type Dispatch, useEffect, useReducer } from 'react';
import type { Namespace } from '../../src/model/kv/kv.ts';
import type { Run } from '../console/runs.ts';
import type { KvService } from '../console/services.ts';
import { type ConsoleParts, useConsole } from '../console/use-console.ts';
import { useRun } from '../console/use-run.ts';
import type { NamespacesAction } from '../keymap/kv.ts';
import { isMove, type Move } from '../lists/cursor.ts';
import {
  leftWords,
  type NamespacesCommand,
  type NamespacesEvent,
  type NamespacesState,
  namespaceDialog,
  noNamespaces,
  readNamespaceForm,
  reduceNamespaces,
  selectedNamespace,
} from './namespaces-state.ts';

interface Namespaces {
  readonly state: NamespacesState;
  /** What is being written, in words. */
  readonly busy: string | undefined;
  dispatch: Dispatch<NamespacesEvent>;
  act(action: NamespacesAction): void;
  perform(command: NamespacesCommand): void;
  save(): void;
}

/** The state of the namespaces pane and what its actions do. `height` is the number of rows on the screen. */
export function useNamespaces(height: number): Namespaces {
  const parts = useConsole();
  const [state, dispatch] = useReducer(reduceNamespaces, noNamespaces);
  const run = useRun();
  const perform = (command: NamespacesCommand) => {
    dispatch({ type: command.does === 'list' ? 'listing' : 'begun' });
    run(taskOf(command, parts, dispatch));
  };
  const lookUp = (namespace: Namespace) =>
    run({
      name: 'bindings',
      work: () => parts.services.kv.bindingsOf(namespace.id),
      done: (bindings) => dispatch({ type: 'bound', namespace, bindings }),
      failed: () => undefined,
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the pane opens
  useEffect(() => perform({ does: 'list' }), []);
  const save = () => {
    const read = readNamespaceForm(state.dialog);
    if (read === undefined) return;
    if ('errors' in read) dispatch({ type: 'form', event: { type: 'refused', errors: read.errors } });
    else perform(read.command);
  };
  const act = (action: NamespacesAction) => {
    if (isMove(action)) dispatch({ type: 'moved', move: action, height });
    else actionsOf(state, dispatch, { perform, lookUp }, parts)[action]();
  };
  const busy = state.dialog?.kind === 'form' && state.dialog.form.saving ? 'saving' : undefined;
  return { state, busy, dispatch, act, perform, save };
}

function actionsOf(
  state: NamespacesState,
  dispatch: Dispatch<NamespacesEvent>,
  { perform, lookUp }: { perform(command: NamespacesCommand): void; lookUp(namespace: Namespace): void },
  parts: ConsoleParts,
): Record<Exclude<NamespacesAction, Move>, () => void> {
  const selected = selectedNamespace(state);
  const ask = (purpose: 'create' | 'rename' | 'remove') =>
    dispatch({ type: 'asked', dialog: namespaceDialog(purpose, selected) });
  return {
    open: () => selected && parts.open({ pane: 'keys', namespace: selected }),
    create: () => ask('create'),
    rename: () => ask('rename'),
    remove: () => {
      ask('remove');
      if (selected !== undefined) lookUp(selected);
    },
    filter: () => dispatch({ type: 'filtered', text: state.contains }),
    refresh: () => perform({ does: 'list' }),
    copy: () => selected && parts.notify(parts.copy(Buffer.from(selected.id), 'the id')),
    back: () => (state.contains === '' ? parts.back() : dispatch({ type: 'unfiltered' })),
  };
}

function taskOf(
  command: NamespacesCommand,
  { services: { kv }, notify }: ConsoleParts,
  dispatch: Dispatch<NamespacesEvent>,
): Run<NamespacesEvent> {
  return {
    name: command.does === 'list' ? 'list' : 'write',
    work: (signal) => carryOut(command, kv, signal, dispatch),
    done(event) {
      dispatch(event);
      const left = event.type === 'removed' ? leftWords(event.namespace, event.left) : undefined;
      if (left !== undefined) notify(left);
    },
    failed: (problem) => dispatch({ type: 'failed', problem, command }),
  };
}

async function carryOut(
  command: NamespacesCommand,
  kv: KvService,
  signal: AbortSignal,
  dispatch: Dispatch<NamespacesEvent>,
): Promise<NamespacesEvent> {
  switch (command.does) {
    case 'list':
      return listAll(kv, signal, dispatch);
    case 'create':
      return { type: 'created', namespace: await kv.createNamespace(command.title) };
    case 'rename': {
      await kv.renameNamespace(command.namespace.id, command.title);
      return { type: 'renamed', namespace: { ...command.namespace, title: command.title } };
    }
    case 'remove':
      await kv.deleteNamespace(command.namespace.id);
      return {
        type: 'removed',
        namespace: command.namespace,
        left: await kv.bindingsOf(command.namespace.id),
      };
  }
}

async function listAll(
  kv: KvService,
  signal: AbortSignal,
  dispatch: Dispatch<NamespacesEvent>,
): Promise<NamespacesEvent> {
  const namespaces: Namespace[] = [];
  for await (const page of kv.listNamespaces(signal)) {
    signal.throwIfAborted();
    namespaces.push(...page);
    dispatch({ type: 'listed', namespaces: [...namespaces], complete: false });
  }
  return { type: 'listed', namespaces, complete: true };
}
