import { planFixes, type Step, stepText } from '../../src/model/diagnosis/fix-plan.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { DiagnosedHostname } from '../../src/services/diagnosis/diagnosis.ts';
import type { StepOutcome } from '../../src/services/diagnosis/fix.ts';
import { hostnameDiagnose, hostnameFix } from '../../src/services/equivalents/hostnames.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import type { PaneAction } from '../kit/keys/action.ts';
import { cannotWriteSelected, moveShortcuts, noSelection } from '../kit/keys/conditions.ts';
import type { Situation } from '../kit/keys/shortcut.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { Dialog } from '../ui/forms/dialog.ts';
import type { TextResult, ViewWork } from '../ui/viewer/view-source.ts';

/** The diagnosis of a hostname, and the steps of a fix. */
export interface Diagnosed {
  /** The diagnosed hostname; undefined until the diagnosis is complete. */
  readonly found?: DiagnosedHostname | undefined;
  /**
   * The watch's read that caused this diagnosis (without a row if the hostname was deleted); undefined if something else caused the
   * diagnosis.
   */
  readonly causedBy?: { readonly row: HostnameRow | undefined } | undefined;
  /** Results of the steps of all fixes since the pane was opened. */
  readonly outcomes: readonly StepOutcome[];
}

export type DiagnosisWork = ViewWork<Diagnosed>;

type DiagnosisDialog = Dialog<DiagnosisWork>;

/** The input that an action needs to diagnose and fix a hostname. */
export interface Diagnosing {
  readonly zone: Zone;
  readonly parts: PaneParts;
  /** Diagnoses the hostname again. */
  readonly diagnose: DiagnosisWork;
}

interface Here extends Diagnosing {
  readonly hostname: string;
  readonly found: Diagnosed['found'];
  /** Resumes polling the hostname, even after a failed read. */
  restartWatch(): void;
}

/** Returns why the hostname cannot be fixed now; false if it can be fixed. */
const fixes = (situation: Situation) =>
  cannotWriteSelected(situation) || (situation.fixable === false && 'edgectl cannot fix this itself');

const nothingToFix = 'edgectl cannot fix this itself.';

/** The actions on the diagnosis of a hostname. */
export const diagnosisActions: ReadonlyArray<PaneAction<Here, TextResult<Diagnosed>>> = [
  {
    does: 'fix',
    press: ['f'],
    label: 'fix',
    about: 'Apply the available fixes, after one confirmation',
    unless: fixes,
    run(here) {
      const dialog = fixDialog(here.zone, here.found, (steps) => fixing(steps, here));
      if (dialog !== undefined) return { dialog };
      here.parts.notify(nothingToFix, 'told');
      return undefined;
    },
    equivalents: ({ zone, hostname }) => [hostnameFix(zone.id, hostname)],
  },
  {
    does: 'next',
    press: ['tab'],
    label: 'next fix',
    about: 'Go to the next command or record of a fix',
  },
  {
    does: 'copy',
    press: ['y'],
    label: 'copy',
    about: 'Copy the content of the selected line',
    unless: noSelection,
  },
  {
    does: 'refresh',
    press: ['r'],
    label: 'reload',
    about: 'Diagnose again, with fresh facts',
    run({ restartWatch, diagnose }) {
      restartWatch();
      return diagnose;
    },
    equivalents: ({ zone, hostname }) => [{ ...hostnameDiagnose(zone.id, hostname), place: 'first' }],
  },
  { does: 'back', press: ['esc', 'left', 'h'], label: 'back', about: 'Back' },
  ...moveShortcuts,
];

/** Asks the user to confirm all steps of a new diagnosis, or reports that edgectl cannot fix the hostname. */
export function offerFix(found: DiagnosedHostname, diagnosing: Diagnosing) {
  const dialog = fixDialog(diagnosing.zone, found, (steps) => fixing(steps, diagnosing));
  return dialog === undefined ? { notice: nothingToFix } : { dialog };
}

/** Returns the question that confirms all steps that edgectl can carry out; undefined if edgectl can carry out no step. */
export function fixDialog(
  zone: Zone,
  found: Pick<DiagnosedHostname, 'facts' | 'diagnosis'> | undefined,
  fix: (steps: readonly Step[]) => DiagnosisWork,
): DiagnosisDialog | undefined {
  const steps = found === undefined ? [] : planFixes([found]);
  if (steps.length === 0) return undefined;
  const these = steps.length === 1 ? 'this step' : `these ${steps.length} steps`;
  const question = {
    question: `Apply ${these} in the zone ${zone.name}?`,
    lost: steps.map((step) => `- ${stepText(step)}`),
    danger: 'change' as const,
    yes: steps.length === 1 ? 'apply it' : 'apply them',
  };
  return { kind: 'confirm', question, command: fix(steps) };
}

/** Returns the work that carries out the steps, then diagnoses the hostname again. */
function fixing(steps: readonly Step[], { zone, parts, diagnose }: Diagnosing): DiagnosisWork {
  return {
    busy: { kind: 'writing', words: 'carrying out' },
    async run(signal) {
      const outcomes = await requireService(parts, 'hostnames').carryOut(zone.id, steps, signal);
      return {
        content: (before) => ({ ...before, outcomes }),
        change: { changed: 'zone', zoneId: zone.id },
        afresh: true,
        next: diagnose,
      };
    },
  };
}
