import { planFixes, type Step, stepText } from '../../src/model/diagnosis/fix-plan.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { DiagnosedHostname } from '../../src/services/diagnosis/diagnosis.ts';
import type { StepOutcome } from '../../src/services/diagnosis/fix.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { Dialog } from '../forms/dialog.ts';
import type { Busy } from '../keymap/busy.ts';
import { atStart } from '../lists/cursor.ts';
import { type EntriesEvent, type EntriesState, reduceEntries } from '../viewer/entries-state.ts';

/** What the pane asks the services for. */
export type DiagnosisCommand =
  | { readonly does: 'examine' }
  | { readonly does: 'fix'; readonly steps: readonly Step[] };

export interface DiagnosisState extends EntriesState<DiagnosisCommand> {
  readonly zone: Zone;
  /** What was found; undefined until it is known. */
  readonly found?: DiagnosedHostname | undefined;
  /** What has been carried out since the pane was opened, of the last plan. */
  readonly outcomes: readonly StepOutcome[];
}

export type DiagnosisEvent =
  | { readonly type: 'examined'; readonly found: DiagnosedHostname }
  | { readonly type: 'done'; readonly outcomes: readonly StepOutcome[] }
  | EntriesEvent<DiagnosisCommand>;

export const busyWith: Readonly<Record<DiagnosisCommand['does'], Busy>> = {
  examine: { kind: 'reading', words: 'diagnosing' },
  fix: { kind: 'writing', words: 'carrying out' },
};

/** The state of a pane that has just been opened. */
export function openedDiagnosis(zone: Zone): DiagnosisState {
  return { zone, outcomes: [], cursor: atStart, busy: busyWith.examine };
}

/** The state after an event. */
export function reduceDiagnosis(state: DiagnosisState, event: DiagnosisEvent): DiagnosisState {
  switch (event.type) {
    case 'examined':
      return reduceEntries({ ...state, found: event.found }, { type: 'settled' });
    case 'done':
      return { ...state, outcomes: event.outcomes, cursor: atStart };
    default:
      return reduceEntries(state, event);
  }
}

/** Asks for all steps of what edgectl can do itself; undefined where there is none. */
export function fixDialog({
  zone,
  found,
}: DiagnosisState): Dialog<DiagnosisCommand, never, never> | undefined {
  const steps = found === undefined ? [] : planFixes([found]);
  if (steps.length === 0) return undefined;
  const these = steps.length === 1 ? 'this step' : `these ${steps.length} steps`;
  const question = {
    question: `Carry out ${these} in the zone ${escapeText(zone.name)}?`,
    lost: steps.map((step) => `- ${escapeText(stepText(step))}`),
    yes: 'carry it out',
  };
  return { kind: 'confirm', question, command: { does: 'fix', steps } };
}
