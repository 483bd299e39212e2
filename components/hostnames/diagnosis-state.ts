import { planFixes, type Step, stepText } from '../../src/model/diagnosis/fix-plan.ts';
import type { Problem } from '../../src/model/problem.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { DiagnosedHostname } from '../../src/services/diagnosis/diagnosis.ts';
import type { StepOutcome } from '../../src/services/diagnosis/fix.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { Dialog } from '../forms/dialog.ts';
import type { Busy } from '../keymap/busy.ts';
import { atStart, type Cursor, type Move, moveCursor, putCursor } from '../lists/cursor.ts';
import { type EntryRow, nextStop } from '../viewer/entries.ts';

/** What the pane asks the services for. */
export type DiagnosisCommand =
  | { readonly does: 'examine' }
  | { readonly does: 'fix'; readonly steps: readonly Step[] };

export type DiagnosisDialog = Dialog<DiagnosisCommand, never, undefined>;

export interface DiagnosisState {
  readonly zone: Zone;
  /** What was found; undefined until it is known. */
  readonly found?: DiagnosedHostname | undefined;
  /** What has been carried out since the pane was opened, of the last plan. */
  readonly outcomes: readonly StepOutcome[];
  /** Whether the remedies are to be offered as soon as the diagnosis is there. */
  readonly offersFix: boolean;
  readonly cursor: Cursor;
  /** What is being done at the moment, in words. */
  readonly busy?: Busy | undefined;
  readonly dialog?: DiagnosisDialog | undefined;
}

export type DiagnosisEvent =
  | { readonly type: 'moved'; readonly move: Move; readonly length: number; readonly height: number }
  | { readonly type: 'next-remedy'; readonly rows: readonly EntryRow[] }
  | { readonly type: 'asked' | 'closed' }
  | { readonly type: 'begun'; readonly command: DiagnosisCommand }
  | { readonly type: 'examined'; readonly found: DiagnosedHostname }
  | { readonly type: 'done'; readonly outcomes: readonly StepOutcome[] }
  | { readonly type: 'failed'; readonly problem: Problem; readonly command: DiagnosisCommand };

/** The state of a pane that has just been opened. */
export function openedDiagnosis(zone: Zone, offersFix: boolean): DiagnosisState {
  return { zone, outcomes: [], offersFix, cursor: atStart, busy: { kind: 'reading', words: 'diagnosing' } };
}

/** The state after an event. */
export function reduceDiagnosis(state: DiagnosisState, event: DiagnosisEvent): DiagnosisState {
  switch (event.type) {
    case 'moved':
      return { ...state, cursor: moveCursor(state.cursor, event.move, event.length, event.height) };
    case 'next-remedy': {
      const index = nextStop(event.rows, state.cursor.index);
      return { ...state, cursor: putCursor(state.cursor, index, event.rows.length) };
    }
    case 'asked':
      return ask(state);
    case 'closed':
      return { ...state, dialog: undefined };
    case 'begun': {
      const busy: Busy =
        event.command.does === 'examine'
          ? { kind: 'reading', words: 'diagnosing' }
          : { kind: 'writing', words: 'carrying out' };
      return { ...state, busy, dialog: undefined };
    }
    case 'examined': {
      const next = { ...state, found: event.found, busy: undefined, offersFix: false };
      return state.offersFix ? ask(next) : next;
    }
    case 'done':
      return { ...state, outcomes: event.outcomes, cursor: atStart };
    case 'failed': {
      const { problem, command } = event;
      return { ...state, busy: undefined, dialog: { kind: 'problem', problem, command } };
    }
  }
}

/** What edgectl can do itself about what was found. */
export function stepsFor({ found }: DiagnosisState): readonly Step[] {
  return found === undefined ? [] : planFixes([found]);
}

/** Asks once for all steps of the plan; without a step nothing is asked. */
function ask(state: DiagnosisState): DiagnosisState {
  const steps = stepsFor(state);
  if (steps.length === 0) return state;
  const these = steps.length === 1 ? 'this step' : `these ${steps.length} steps`;
  const question = {
    question: `Carry out ${these} in the zone ${escapeText(state.zone.name)}?`,
    lost: steps.map((step) => `- ${escapeText(stepText(step))}`),
    yes: 'carry it out',
  };
  return { ...state, dialog: { kind: 'confirm', question, command: { does: 'fix', steps } } };
}
