import { ifKnown } from '../../src/model/diagnosis/facts.ts';
import { toVerdict } from '../../src/model/diagnosis/verdict.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { concernsHostnames } from '../kit/changes.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { entryLines } from '../ui/viewer/entries.ts';
import { ViewController } from '../ui/viewer/view-controller.ts';
import { type Diagnosed, type DiagnosisWork, offerFix } from './diagnosis-actions.ts';
import { diagnosisEntries } from './diagnosis-entries.ts';
import { toChange } from './hostname-change.ts';
import { isNews, Watch } from './watch.ts';

export type OpenDiagnosis = Extract<OpenPane, { pane: 'diagnosis' }>;

/**
 * The diagnosis of a custom hostname: made when the pane opens, after each fix, and whenever polling a hostname in progress finds a change.
 */
export class DiagnosisController extends ViewController<Diagnosed> {
  readonly diagnose: DiagnosisWork;
  readonly #diagnoseBecause: (causedBy: Diagnosed['causedBy']) => DiagnosisWork;
  readonly #watch: Watch;
  /** The hostname as last read by the watch, and the diagnosis that was shown at that time. */
  #watched: { readonly row: HostnameRow | undefined; readonly beside: Diagnosed['found'] } | undefined;

  constructor(opened: OpenDiagnosis, parts: PaneParts) {
    const { zone } = opened;
    let offersFix = opened.fix;
    const diagnoseBecause = (causedBy: Diagnosed['causedBy']): DiagnosisWork => ({
      busy: { kind: 'reading', words: 'diagnosing' },
      async run(signal) {
        const found = await requireService(parts, 'hostnames').diagnose(zone.id, opened.hostname, signal);
        const row = findRow({ found, outcomes: [] });
        const offer = offersFix ? offerFix(found, { zone, parts, diagnose }) : {};
        offersFix = false;
        return {
          content: (before) => ({ ...before, found, causedBy }),
          change: row && toChange(zone, row),
          ...offer,
        };
      },
    });
    const diagnose = diagnoseBecause(undefined);
    super(parts, {
      content: { outcomes: [] },
      selects: true,
      first: diagnose,
      createLines: ({ found, outcomes }, surface) =>
        found && entryLines(diagnosisEntries(found.diagnosis, outcomes), surface),
      follows: (change, { found }) => {
        if (concernsHostnames(change, zone.id)) return diagnose;
        if (change.changed !== 'hostname' || change.zoneId !== zone.id) return undefined;
        const { record } = change.row ?? {};
        const isOther =
          record?.hostname === opened.hostname && isNews(findRow({ found, outcomes: [] }), change.row);
        return isOther ? diagnose : undefined;
      },
    });
    this.diagnose = diagnose;
    this.#diagnoseBecause = diagnoseBecause;
    this.#watch = new Watch(parts, {
      zone,
      rows: () => (this.isVisible && !this.#isTaken ? [this.#row] : []),
      found: ([change]) => this.#take(change?.row),
      run: this.run,
      way: 'Press r to diagnose again.',
    });
  }

  protected override begin(): void {
    super.begin();
    this.onClose(() => this.#watch.stop());
  }

  protected override follow(): void {
    super.follow();
    this.#watch.follow();
  }

  /** Whether a dialog is open, or work is running. */
  get #isTaken(): boolean {
    const { dialog, busy, writes } = this.state;
    return (dialog ?? busy ?? writes) !== undefined;
  }

  /** The hostname as last read, by the watch or for the diagnosis. */
  get #row(): HostnameRow | undefined {
    return this.#isWatched ? this.#watched?.row : findRow(this.content);
  }

  /** Whether the watch has read the hostname since the diagnosis. */
  get #isWatched(): boolean {
    return this.#watched !== undefined && this.#watched.beside === this.content.found;
  }

  /** Resumes polling the hostname, even after a failed read. */
  readonly restartWatch = (): void => this.#watch.restart();

  /**
   * Handles a row that the watch has read: if the record has changed, diagnoses again. Returns whether the record has changed. A record that
   * caused the current diagnosis is not new, because the diagnosis can show an older record: the platform is eventually consistent.
   */
  #take(row: HostnameRow | undefined): boolean {
    const { causedBy, found } = this.content;
    const before = [
      findRow(this.content),
      ...(causedBy === undefined ? [] : [causedBy.row]),
      ...(this.#isWatched ? [this.#watched?.row] : []),
    ];
    const isNew = before.every((one) => isNews(recordIn(one), recordIn(row)));
    this.#watched = { row, beside: found };
    if (isNew) this.perform(this.#diagnoseBecause({ row }));
    return isNew;
  }
}

/** Returns only the record of a row, because no other change of the row requires a new diagnosis. */
const recordIn = (row: HostnameRow | undefined) => row && { record: row.record };

function findRow({ found }: Diagnosed): HostnameRow | undefined {
  const record = found && ifKnown(found.facts.record);
  if (!record) return undefined;
  const { facts, diagnosis, isPassing = false } = found;
  const { now: readAt, history, earlier } = facts;
  const verdict = isPassing ? earlier : toVerdict(facts, diagnosis);
  return { record, readAt, movedSeenAt: history.movedSeenAt, verdict };
}
