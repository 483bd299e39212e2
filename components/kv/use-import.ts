import { type Dispatch, useEffect, useReducer } from 'react';
import type { Progress } from '../../src/model/progress.ts';
import type { KeyEffect } from '../../src/services/kv/bulk/preview.ts';
import type { Place } from '../console/place.ts';
import { useConsole } from '../console/use-console.ts';
import { useRun } from '../console/use-run.ts';
import type { ImportAction } from '../keymap/import.ts';
import { isMove } from '../lists/cursor.ts';
import {
  type ImportCommand,
  type ImportEvent,
  type ImportState,
  noImport,
  readingWords,
  reduceImport,
} from './import-state.ts';
import { entriesOf } from './key-marked.ts';

export type ImportPlace = Extract<Place, { pane: 'import' }>;

interface Import {
  readonly state: ImportState;
  dispatch: Dispatch<ImportEvent>;
  act(action: ImportAction): void;
  perform(command: ImportCommand): void;
}

/** The preview of a file and what its actions do. `height` is the number of rows on the screen. */
export function useImport(place: ImportPlace, height: number): Import {
  const { namespace, path } = place;
  const parts = useConsole();
  const run = useRun();
  const [state, dispatch] = useReducer(reduceImport, noImport);
  useReading(place, state.generation, dispatch);
  const perform = (command: ImportCommand) => {
    if (command.does === 'read') return dispatch({ type: 'reading' });
    dispatch({ type: 'starting' });
    const { skipInvalid, fingerprint } = command;
    const entries = state.create + state.change + state.same;
    run({
      name: 'start',
      work: () => parts.tasks.start({ does: 'import-keys', namespace, path, skipInvalid, fingerprint }, []),
      done: () => {
        parts.back();
        parts.notify(`Importing ${entriesOf(entries)}: 5 shows the task.`);
      },
      failed: (problem) => dispatch({ type: 'failed', problem, command }),
    });
  };
  const start = (skipInvalid: boolean) => {
    const { checked } = state;
    if (checked !== undefined) perform({ does: 'import', skipInvalid, fingerprint: checked.fingerprint });
  };
  const acts = {
    import: () => start(false),
    'import-valid': () => start(true),
    refresh: () => perform({ does: 'read' }),
    back: () => parts.back(),
  };
  const act = (action: ImportAction) =>
    isMove(action) ? dispatch({ type: 'moved', move: action, height }) : acts[action]();
  return { state, dispatch, act, perform };
}

/** Effects that are told at once: each telling draws the pane anew. */
const toldAtOnce = 1000;

/** Reads the file whenever it is to be read, until the pane is left. */
function useReading(
  { namespace, path }: ImportPlace,
  generation: number,
  dispatch: Dispatch<ImportEvent>,
): void {
  const { kv } = useConsole().services;
  const run = useRun();
  const read = async (signal: AbortSignal) => {
    const progress = (progress: Progress) =>
      dispatch({ type: 'told', generation, words: readingWords(progress) });
    let effects: KeyEffect[] = [];
    const tell = () => {
      signal.throwIfAborted();
      dispatch({ type: 'found', generation, found: { step: 'compared', effects } });
      effects = [];
    };
    for await (const found of kv.previewImport(namespace.id, path, { signal, progress })) {
      if (found.step === 'checked') dispatch({ type: 'found', generation, found });
      else effects.push(...found.effects);
      if (effects.length >= toldAtOnce) tell();
    }
    tell();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a place has one file
  useEffect(() => {
    run({
      name: 'read',
      work: read,
      done: () => dispatch({ type: 'compared-all', generation }),
      failed: (problem) => dispatch({ type: 'failed', problem, command: { does: 'read' } }),
    });
  }, [generation]);
}
