import { ifKnown } from '../../src/model/diagnosis/facts.ts';
import { planFixes, type Step, stepText } from '../../src/model/diagnosis/fix-plan.ts';
import { verdictOf } from '../../src/model/diagnosis/verdict.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { DiagnosedHostname } from '../../src/services/diagnosis/diagnosis.ts';
import type { StepOutcome } from '../../src/services/diagnosis/fix.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { escapeText } from '../../src/text/escape.ts';
import { concernsHostnames } from '../kit/changes.ts';
import type { Busy } from '../kit/keys/busy.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import { serviceOf } from '../kit/service-of.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { Dialog } from '../ui/forms/dialog.ts';
import { entryLines } from '../ui/viewer/entries.ts';
import { type OwnViewActions, ViewController } from '../ui/viewer/view-controller.ts';
import type { ViewOutcome } from '../ui/viewer/view-source.ts';
import { changeOf } from './commands.ts';
import { diagnosisEntries } from './diagnosis-entries.ts';
import type { DiagnosisAction } from './keymap.ts';
import { isNews, Watch } from './watch.ts';

export type OpenDiagnosis = Extract<OpenPane, { pane: 'diagnosis' }>;

/** Commands of the pane to the service. */
type DiagnosisCommand =
  | { readonly does: 'diagnose' }
  | { readonly does: 'fix'; readonly steps: readonly Step[] };

/** The diagnosis of a hostname, and the steps of a fix. */
interface Diagnosed {
  /** Undefined until the diagnosis is there. */
  readonly found?: DiagnosedHostname | undefined;
  /** Results of the steps of the last fix since the pane was opened. */
  readonly outcomes: readonly StepOutcome[];
}

/** The viewer of a diagnosis. */
interface DiagnosisParts {
  readonly content: Diagnosed;
  readonly command: DiagnosisCommand;
  readonly purpose: never;
  readonly subject: never;
}

const busyWith: Readonly<Record<DiagnosisCommand['does'], Busy>> = {
  diagnose: { kind: 'reading', words: 'diagnosing' },
  fix: { kind: 'writing', words: 'carrying out' },
};

/**
 * The diagnosis of a custom hostname, made when the pane opens, again after each fix, and whenever the platform says
 * something else of a hostname in progress.
 */
export class DiagnosisController extends ViewController<DiagnosisParts> {
  readonly #watch: Watch;
  /** The hostname as the watch has read it last, and the diagnosis that stood then. */
  #watched: { readonly row: HostnameRow | undefined; readonly beside: Diagnosed['found'] } | undefined;

  constructor(opened: OpenDiagnosis, parts: PaneParts) {
    let offersFix = opened.fix;
    super(parts, {
      content: { outcomes: [] },
      selects: true,
      first: { does: 'diagnose' },
      linesOf: ({ found, outcomes }, surface) =>
        found && entryLines(diagnosisEntries(found.diagnosis, outcomes), surface),
      busyWith,
      follows: (change, { found }) => {
        if (concernsHostnames(change, opened.zone.id)) return { does: 'diagnose' };
        if (change.changed !== 'hostname' || change.zoneId !== opened.zone.id) return undefined;
        const { record } = change.row ?? {};
        const isOther =
          record?.hostname === opened.hostname && isNews(rowOf({ found, outcomes: [] }), change.row);
        return isOther ? { does: 'diagnose' } : undefined;
      },
      async carryOut(command, signal) {
        const outcome = await carryOut(command, opened, parts, signal);
        const { found } = outcome;
        if (found === undefined || !offersFix) return outcome;
        offersFix = false;
        return { ...outcome, ...offer(opened.zone, found) };
      },
    });
    this.#watch = new Watch(parts, {
      zone: opened.zone,
      rows: () => (this.isVisible && !this.#isTaken ? [this.#row] : []),
      found: ([change]) => this.#take(change?.row),
      run: this.run,
      way: 'r diagnoses again.',
    });
  }

  protected override begin(): void {
    super.begin();
    this.until(() => this.#watch.stop());
  }

  protected override follow(): void {
    super.follow();
    this.#watch.follow();
  }

  /** Whether a question stands before it, or work is under way. */
  get #isTaken(): boolean {
    return this.state.dialog !== undefined || this.state.busy !== undefined;
  }

  /** As it was read last, by the watch or for the diagnosis. */
  get #row(): HostnameRow | undefined {
    const { found } = this.content;
    return this.#watched?.beside === found ? this.#watched?.row : rowOf(this.content);
  }

  /** Diagnoses again at the reader's wish, and looks again for what is in progress, also after a look that failed. */
  reload(): void {
    this.#watch.restart();
    this.perform({ does: 'diagnose' });
  }

  /** Says whether it was news: then what was found is old. */
  #take(row: HostnameRow | undefined): boolean {
    const before = [rowOf(this.content), ...(this.#watched ? [this.#watched.row] : [])];
    const isNew = before.every((one) => isNews(recordIn(one), recordIn(row)));
    this.#watched = { row, beside: this.content.found };
    if (isNew) this.perform({ does: 'diagnose' });
    return isNew;
  }
}

/** What a watch knows of a row beside the record is no news. */
const recordIn = (row: HostnameRow | undefined) => row && { record: row.record };

function rowOf({ found }: Diagnosed): HostnameRow | undefined {
  const record = found && ifKnown(found.facts.record);
  if (!record) return undefined;
  const { facts, diagnosis, isPassing = false } = found;
  const { now: readAt, history, earlier } = facts;
  const verdict = isPassing ? earlier : verdictOf(facts, diagnosis);
  return { record, readAt, movedSeenAt: history.movedSeenAt, verdict };
}

/** The result of a command, with the diagnosis that it made. */
interface Outcome extends ViewOutcome<DiagnosisParts> {
  readonly found?: DiagnosedHostname;
}

async function carryOut(
  command: DiagnosisCommand,
  { zone, hostname }: OpenDiagnosis,
  parts: PaneParts,
  signal: AbortSignal,
): Promise<Outcome> {
  const service = serviceOf(parts, 'hostnames');
  if (command.does === 'fix') {
    const outcomes = await service.carryOut(zone.id, command.steps, signal);
    return {
      content: (before) => ({ ...before, outcomes }),
      change: { changed: 'zone', zoneId: zone.id },
      afresh: true,
      next: { does: 'diagnose' },
    };
  }
  const found = await service.diagnose(zone.id, hostname, signal);
  const row = rowOf({ found, outcomes: [] });
  return {
    found,
    content: (before) => ({ ...before, found }),
    change: row && changeOf(zone, row),
  };
}

/** Asks once for all steps of the plan, or says that there is none. */
function offer(zone: Zone, found: DiagnosedHostname | undefined) {
  const dialog = fixDialog(zone, found);
  return dialog === undefined ? { notice: 'There is nothing that edgectl can do itself.' } : { dialog };
}

/** Asks for all steps of what edgectl can do itself; undefined where there is none. */
export function fixDialog(
  zone: Zone,
  found: Pick<DiagnosedHostname, 'facts' | 'diagnosis'> | undefined,
): Dialog<DiagnosisCommand, never, never> | undefined {
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

/** Actions of the pane's keys. */
export function diagnosisActions(
  view: DiagnosisController,
  { zone }: OpenDiagnosis,
  parts: PaneParts,
): OwnViewActions<DiagnosisAction> {
  return {
    refresh: () => view.reload(),
    fix() {
      const { dialog, notice } = offer(zone, view.content.found);
      if (dialog !== undefined) view.ask(dialog);
      else parts.notify(notice, 'told');
    },
  };
}
