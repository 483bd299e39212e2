import { type Dispatch, useEffect, useReducer } from 'react';
import type { WorkerFacts } from '../../src/services/workers/facts.ts';
import { escapeText } from '../../src/text/escape.ts';
import { type ConsoleParts, useConsole } from '../console/use-console.ts';
import { useRun } from '../console/use-run.ts';
import { useService } from '../console/use-service.ts';
import type { WorkerAction } from '../keymap/workers.ts';
import { isMove, type Move } from '../lists/cursor.ts';
import type { WorkerService } from './service.ts';
import {
  noWorker,
  readSecretForm,
  reduceWorker,
  removeSecretDialog,
  secretForm,
  selectedRow,
  type WorkerCommand,
  type WorkerEvent,
  type WorkerState,
} from './state.ts';

interface Worker {
  readonly state: WorkerState;
  dispatch: Dispatch<WorkerEvent>;
  act(action: WorkerAction): void;
  perform(command: WorkerCommand): void;
  save(): void;
}

/** The state of a worker's pane and what its actions do. `height` is the number of rows on the screen. */
export function useWorker(name: string, height: number): Worker {
  const parts = useConsole();
  const workers = useService('workers');
  const [state, dispatch] = useReducer(reduceWorker, { name }, noWorker);
  const run = useRun();
  const perform = (command: WorkerCommand) => {
    dispatch({ type: 'begun', command });
    run({
      name: command.does === 'read' ? 'read' : 'write',
      work: (signal) => carryOut(command, name, workers, signal),
      done(facts) {
        if (command.does !== 'read') parts.notify(endWords(command));
        dispatch({ type: 'read', facts });
      },
      failed: (problem) => dispatch({ type: 'failed', problem, command }),
    });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the pane opens
  useEffect(() => perform({ does: 'read' }), []);
  const save = () => {
    const read = readSecretForm(state);
    if (read === undefined) return;
    if ('errors' in read) dispatch({ type: 'form', event: { type: 'refused', errors: read.errors } });
    else if ('asks' in read) dispatch({ type: 'asked', dialog: read.asks });
    else perform(read.command);
  };
  const act = (action: WorkerAction) => {
    if (isMove(action)) dispatch({ type: 'moved', move: action, height });
    else actionsOf(state, dispatch, perform, parts)[action]();
  };
  return { state, dispatch, act, perform, save };
}

/** Carries a command out, and reads the worker: a secret that changes makes a new deployment. */
async function carryOut(
  command: WorkerCommand,
  worker: string,
  workers: WorkerService,
  signal: AbortSignal,
): Promise<WorkerFacts> {
  if (command.does === 'put') await workers.putSecret(worker, command.name, command.text);
  if (command.does === 'remove') await workers.removeSecret(worker, command.name);
  return workers.read(worker, signal);
}

function endWords({ does, name }: Exclude<WorkerCommand, { does: 'read' }>): string {
  return `${does === 'put' ? 'Set' : 'Deleted'} the secret ${escapeText(name)}.`;
}

function actionsOf(
  state: WorkerState,
  dispatch: Dispatch<WorkerEvent>,
  perform: (command: WorkerCommand) => void,
  parts: ConsoleParts,
): Record<Exclude<WorkerAction, Move>, () => void> {
  const { worker } = state;
  const row = selectedRow(state);
  const onSecret = (act: (name: string) => void) => () => {
    if (row?.kind === 'secret') act(row.name);
    else parts.notify('Only secrets are changed here: edgectl deploy changes the rest.');
  };
  return {
    create: () => dispatch({ type: 'asked', dialog: secretForm(worker, undefined) }),
    edit: onSecret((name) => dispatch({ type: 'asked', dialog: secretForm(worker, name) })),
    remove: onSecret((name) => dispatch({ type: 'asked', dialog: removeSecretDialog(worker, name) })),
    refresh: () => perform({ does: 'read' }),
    copy: () => row && parts.notify(parts.copy(Buffer.from(row.name), escapeText(row.name))),
    back: () => parts.back(),
  };
}
