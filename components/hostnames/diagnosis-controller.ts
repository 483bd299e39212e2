import { ifKnown } from '../../src/model/diagnosis/facts.ts';
import type { Problem } from '../../src/model/problem.ts';
import type { DiagnosedHostname } from '../../src/services/diagnosis/diagnosis.ts';
import type { Place } from '../console/place.ts';
import { serviceOf } from '../console/service-of.ts';
import type { PaneParts } from '../console/use-console.ts';
import type { DiagnosisAction } from '../keymap/hostnames.ts';
import { type EntriesAction, EntriesController } from '../viewer/entries-controller.ts';
import { changeOf } from './commands.ts';
import {
  busyWith,
  type DiagnosisCommand,
  type DiagnosisEvent,
  type DiagnosisState,
  fixDialog,
  openedDiagnosis,
  reduceDiagnosis,
} from './diagnosis-state.ts';

export type DiagnosisPlace = Extract<Place, { pane: 'diagnosis' }>;

const nothingToDo = 'There is nothing that edgectl can do itself.';

/** The diagnosis of a custom hostname, made when the pane opens and again after each fix. */
export class DiagnosisController extends EntriesController<DiagnosisCommand, DiagnosisState, DiagnosisEvent> {
  readonly #place: DiagnosisPlace;

  constructor(place: DiagnosisPlace, parts: PaneParts) {
    super(reduceDiagnosis, openedDiagnosis(place.zone), parts);
    this.#place = place;
  }

  readonly perform = (command: DiagnosisCommand): void => {
    const { zone, hostname } = this.#place;
    const service = serviceOf(this.parts, 'hostnames');
    const failed = (problem: Problem) => this.dispatch({ type: 'failed', problem, command });
    this.dispatch({ type: 'begun', busy: busyWith[command.does] });
    if (command.does === 'examine') {
      const work = () => service.examine(zone.id, hostname);
      this.run({ name: 'diagnose', work, done: (found) => this.#show(found), failed });
      return;
    }
    this.run({
      name: 'fix',
      work: () => service.carryOut(zone.id, command.steps),
      done: (outcomes) => {
        this.dispatch({ type: 'done', outcomes });
        this.perform({ does: 'examine' });
      },
      failed,
    });
  };

  /** What the keys of this pane alone do. */
  actions(): Readonly<Record<Exclude<DiagnosisAction, EntriesAction>, () => void>> {
    return { refresh: () => this.perform({ does: 'examine' }), fix: () => this.#offerFix() };
  }

  protected override begin(): void {
    this.perform({ does: 'examine' });
  }

  #show(found: DiagnosedHostname): void {
    const isFirst = this.state.found === undefined;
    const record = ifKnown(found.facts.record);
    const { movedSeenAt } = found.facts.history;
    if (record) this.parts.changes.tell(changeOf(this.#place.zone, { record, movedSeenAt }));
    this.dispatch({ type: 'examined', found });
    if (isFirst && this.#place.fix) this.#offerFix();
  }

  /** Asks once for all steps of the plan. */
  #offerFix(): void {
    const dialog = fixDialog(this.state);
    if (dialog === undefined) this.parts.notify(nothingToDo);
    else this.dispatch({ type: 'asked', dialog });
  }
}
