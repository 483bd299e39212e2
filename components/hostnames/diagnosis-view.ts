import { ifKnown } from '../../src/model/diagnosis/facts.ts';
import { toVerdict } from '../../src/model/diagnosis/verdict.ts';
import { toOutcome } from '../../src/model/hostnames/list.ts';
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

/** Maximum number of times in a row that a diagnosis is repeated because it read an older record than the poll that caused it. */
const maxRepeats = 5;

/**
 * The diagnosis of a custom hostname. A diagnosis runs when the pane opens, after each fix, and whenever polling finds that a hostname in
 * progress has changed.
 */
export class DiagnosisController extends ViewController<Diagnosed> {
  readonly diagnose: DiagnosisWork;
  readonly #diagnoseBecause: (causedBy: Diagnosed['causedBy']) => DiagnosisWork;
  readonly #watch: Watch;
  /** The hostname as last read by the watch, and the diagnosis that was shown at that time. */
  #watched: { readonly row: HostnameRow | undefined; readonly beside: Diagnosed['found'] } | undefined;
  /** Number of consecutive diagnoses that were repeated because they read an older record. */
  #repeats = 0;

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

  /**
   * The hostname as last read, by the watch or for the diagnosis. If the diagnosis was caused by a row that is in progress, but read a
   * record that is not, returns that row, because the record can be older than the row.
   */
  get #row(): HostnameRow | undefined {
    if (this.#isWatched) return this.#watched?.row;
    const rows = [findRow(this.content), this.content.causedBy?.row];
    return rows.find((row) => row !== undefined && toOutcome(row.record) === 'waiting') ?? rows[0];
  }

  /** Whether the watch has read the hostname since the diagnosis. */
  get #isWatched(): boolean {
    return this.#watched !== undefined && this.#watched.beside === this.content.found;
  }

  /** Resumes polling the hostname, even after a failed read. */
  readonly restartWatch = (): void => this.#watch.restart();

  /**
   * Handles a row that the watch has read: if the record has changed, diagnoses again. Returns whether the record has changed. A record that
   * caused the current diagnosis is not new, because the diagnosis can show an older record: the platform is eventually consistent. Such a
   * diagnosis is repeated, at most `maxRepeats` times, because the watch ends when the record is no longer in progress.
   */
  #take(row: HostnameRow | undefined): boolean {
    const { causedBy, found } = this.content;
    const before = [
      findRow(this.content),
      ...(causedBy === undefined ? [] : [causedBy.row]),
      ...(this.#isWatched ? [this.#watched?.row] : []),
    ];
    const isOther = (one: HostnameRow | undefined) => isNews(recordIn(one), recordIn(row));
    const isNew = before.every(isOther);
    const isStale = causedBy !== undefined && !isOther(causedBy.row) && isOther(findRow(this.content));
    // After a diagnosis that failed, the watch reads the same row again.
    const isRead = this.#isWatched && !isOther(this.#watched?.row);
    this.#watched = { row, beside: found };
    if (isNew) this.#repeats = 0;
    const repeats = isStale && !isRead && this.#repeats < maxRepeats;
    if (repeats) this.#repeats++;
    if (isNew || repeats) this.perform(this.#diagnoseBecause({ row }));
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
