import { type Dispatch, useEffect, useMemo, useReducer } from 'react';
import { ifKnown } from '../../src/model/diagnosis/facts.ts';
import type { Problem } from '../../src/model/problem.ts';
import type { DiagnosedHostname } from '../../src/services/diagnosis/diagnosis.ts';
import type { Place } from '../console/place.ts';
import { useConsole } from '../console/use-console.ts';
import { useRun } from '../console/use-run.ts';
import { useService } from '../console/use-service.ts';
import type { DiagnosisAction } from '../keymap/hostnames.ts';
import { isMove } from '../lists/cursor.ts';
import { type EntryRow, entryRows } from '../viewer/entries.ts';
import { diagnosisEntries } from './diagnosis-entries.ts';
import {
  type DiagnosisCommand,
  type DiagnosisEvent,
  type DiagnosisState,
  openedDiagnosis,
  reduceDiagnosis,
  stepsFor,
} from './diagnosis-state.ts';
import { copyEntry } from './use-hostname.ts';

export type DiagnosisPlace = Extract<Place, { pane: 'diagnosis' }>;

interface Diagnosing {
  readonly state: DiagnosisState;
  /** The whole text in rows of the screen's width. */
  readonly rows: readonly EntryRow[];
  dispatch: Dispatch<DiagnosisEvent>;
  act(action: DiagnosisAction): void;
  perform(command: DiagnosisCommand): void;
}

/** The state of the diagnosis pane and what its actions do. `height` is the number of rows on the screen. */
export function useDiagnosis(place: DiagnosisPlace, height: number): Diagnosing {
  const parts = useConsole();
  const [state, dispatch] = useReducer(reduceDiagnosis, place, ({ zone, fix }) => openedDiagnosis(zone, fix));
  const { found, outcomes } = state;
  const { columns, redact } = parts;
  const rows = useMemo(
    () =>
      found === undefined ? [] : entryRows(diagnosisEntries(found.diagnosis, outcomes), { columns, redact }),
    [found, outcomes, columns, redact],
  );
  const perform = useDiagnosisCommands(place, dispatch);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the pane opens
  useEffect(() => perform({ does: 'examine' }), []);
  const nothing = found !== undefined && stepsFor(state).length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, of the first diagnosis
  useEffect(() => {
    if (place.fix && nothing) parts.notify(nothingToDo);
  }, [nothing]);
  const act = (action: DiagnosisAction) => {
    if (isMove(action)) return dispatch({ type: 'moved', move: action, length: rows.length, height });
    const actions = {
      back: () => parts.back(),
      copy: () => copyEntry(rows[state.cursor.index], parts),
      'next-remedy': () => dispatch({ type: 'next-remedy', rows }),
      refresh: () => perform({ does: 'examine' }),
      fix: () => (nothing ? parts.notify(nothingToDo) : dispatch({ type: 'asked' })),
    };
    actions[action]();
  };
  return { state, rows, dispatch, act, perform };
}

const nothingToDo = 'There is nothing that edgectl can do itself.';

function useDiagnosisCommands(place: DiagnosisPlace, dispatch: Dispatch<DiagnosisEvent>) {
  const service = useService('hostnames');
  const run = useRun();
  const examine = () => service.examine(place.zone.id, place.hostname);
  const show = (found: DiagnosedHostname) => {
    const record = ifKnown(found.facts.record);
    const { movedSeenAt } = found.facts.history;
    if (record) place.changed(record.id, { record, movedSeenAt });
    dispatch({ type: 'examined', found });
  };
  const perform = (command: DiagnosisCommand) => {
    const failed = (problem: Problem) => dispatch({ type: 'failed', problem, command });
    dispatch({ type: 'begun', command });
    if (command.does === 'examine') return run({ name: 'diagnose', work: examine, done: show, failed });
    run({
      name: 'fix',
      work: () => service.carryOut(place.zone.id, command.steps),
      done(outcomes) {
        dispatch({ type: 'done', outcomes });
        perform({ does: 'examine' });
      },
      failed,
    });
  };
  return perform;
}
