import type { Problem } from '../../src/model/problem.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { Change } from '../console/changes.ts';
import type { Place } from '../console/place.ts';
import { serviceOf } from '../console/service-of.ts';
import type { PaneParts } from '../console/use-console.ts';
import { reading } from '../keymap/busy.ts';
import type { HostnameDetailAction } from '../keymap/hostnames.ts';
import { type EntriesAction, EntriesController } from '../viewer/entries-controller.ts';
import {
  authorityFault,
  busyWith,
  carryOutCommand,
  changeOf,
  type Done,
  goneChange,
  removeDialog,
} from './commands.ts';
import {
  type DetailCommand,
  type DetailEvent,
  type HostnameDetail,
  openedDetail,
  reduceDetail,
} from './hostname-state.ts';
import { authorityMenu } from './menus.ts';
import { isNews, Watch } from './watch.ts';

export type HostnamePlace = Extract<Place, { pane: 'hostname' }>;

/** One custom hostname. While it is in progress it is read again and again. */
export class HostnameController extends EntriesController<DetailCommand, HostnameDetail, DetailEvent> {
  readonly #place: HostnamePlace;
  readonly #watch: Watch;

  constructor(place: HostnamePlace, parts: PaneParts) {
    super(reduceDetail, openedDetail(place.row), parts);
    this.#place = place;
    this.#watch = new Watch(parts, {
      zone: place.zone,
      rows: () => (this.isVisible ? [this.state.row] : []),
      found: ([change]) => this.#take(change?.row),
      run: this.run,
      way: 'r reads it again.',
    });
  }

  readonly perform = (command: DetailCommand): void => {
    this.dispatch({ type: 'begun', busy: command.does === 'read' ? reading : busyWith[command.does] });
    this.run({
      name: command.does,
      work: () => this.#carryOut(command),
      done: (done) => this.#settle(done),
      failed: (problem) => this.#fail(problem, command),
    });
  };

  /** What the keys of this pane alone do. */
  actions(): Readonly<Record<Exclude<HostnameDetailAction, EntriesAction>, () => void>> {
    const { zone } = this.#place;
    const { record } = this.state.row;
    const { hostname } = record;
    const diagnose = (fix: boolean) => () => this.parts.open({ pane: 'diagnosis', zone, hostname, fix });
    return {
      refresh: () => this.perform({ does: 'read' }),
      diagnose: diagnose(false),
      fix: diagnose(true),
      revalidate: () => this.perform({ does: 'refresh', record }),
      authority: () => {
        const fault = authorityFault(record);
        if (fault === undefined) this.dispatch({ type: 'asked', dialog: authorityMenu(record) });
        else this.parts.notify(fault);
      },
      remove: () => this.dispatch({ type: 'asked', dialog: removeDialog(record, zone) }),
    };
  }

  protected override begin(): void {
    this.until(this.parts.changes.listen((change) => this.#hear(change)));
    this.until(() => this.#watch.stop());
  }

  protected override follow(): void {
    this.#watch.follow();
  }

  get #id(): string {
    return this.#place.row.record.id;
  }

  /** Whoever changes it tells it: this pane itself, or the diagnosis of it. */
  #hear(change: Change): void {
    if (change.changed !== 'hostname' || change.id !== this.#id || change.row === undefined) return;
    this.dispatch({ type: 'row', row: change.row });
    this.#watch.restart();
  }

  async #carryOut(command: DetailCommand): Promise<Done> {
    const { zone } = this.#place;
    const service = serviceOf(this.parts, 'hostnames');
    if (command.does !== 'read') return carryOutCommand(command, zone, service);
    return { change: changeOf(zone, await service.read(zone.id, this.#id)) };
  }

  #settle({ change, notice }: Done): void {
    this.dispatch({ type: 'settled' });
    if (notice !== undefined) this.parts.notify(notice);
    this.parts.changes.tell(change);
    if (change.row === undefined) this.parts.back();
  }

  #fail(problem: Problem, command: DetailCommand): void {
    if (command.does === 'read' && problem.code === 'not-found') this.#tellGone();
    this.dispatch({ type: 'failed', problem, command });
  }

  /** Takes what was read while it is watched. */
  #take(row: HostnameRow | undefined): boolean {
    const isNew = isNews(this.state.row, row);
    if (row === undefined) {
      this.parts.notify(`${escapeText(this.#place.row.record.hostname)} is gone.`);
      this.#tellGone();
      this.parts.back();
    } else if (isNew) this.parts.changes.tell(changeOf(this.#place.zone, row));
    return isNew;
  }

  #tellGone(): void {
    this.parts.changes.tell(goneChange(this.#place.zone, this.#id));
  }
}
