import type { Problem } from '../../src/model/problem.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { HostnameService } from '../../src/services/console/hostnames.ts';
import type { ZoneMenu } from '../../src/services/zones/choice.ts';
import { Controller } from '../kit/controller.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { gaugeChange } from './zone-line.ts';
import { noZone, reduceZone, type ZoneEvent, type ZoneState, zoneMenu } from './zone-state.ts';

/** Finds the zone whose hostnames are listed, or asks the user to choose a zone, and reads the facts about the whole zone. */
export class ZoneController extends Controller<ZoneState, ZoneEvent> {
  readonly #parts: PaneParts;
  readonly #service: HostnameService;
  #isVisible = true;
  #tick: NodeJS.Timeout | undefined;

  constructor(parts: PaneParts) {
    super(reduceZone, noZone, parts.notes);
    this.#parts = parts;
    this.#service = requireService(parts, 'hostnames');
  }

  /** Called when the pane is shown or hidden. The issuance gauge is updated only while the pane is visible. */
  show(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.follow();
  }

  /** Finds the session's zone. If there are several zones, opens a menu. */
  readonly find = (): void => {
    this.#read(
      (signal) => this.#service.findZone(signal),
      (found) => ('zone' in found ? this.dispatch({ type: 'taken', zone: found.zone }) : this.#offer(found)),
      this.find,
    );
  };

  /** Opens a menu of the zones. */
  readonly offer = (): void =>
    this.#read((signal) => this.#service.listZones(signal), this.#offerOther, this.offer);

  readonly #take = (zone: Zone): void => {
    this.#service.takeZone(zone);
    this.dispatch({ type: 'taken', zone });
  };

  #read<T>(work: (signal: AbortSignal) => Promise<T>, done: (found: T) => void, again: () => void): void {
    this.dispatch({ type: 'begun', busy: { kind: 'reading', words: 'reading the zones' } });
    const failed = (problem: Problem) => this.dispatch({ type: 'failed', problem, command: again });
    this.run({ name: 'zone', work, done, failed });
  }

  /** Reads the quota, the fallback origin and the issuance window. If a read fails, the line does not change. */
  readonly read = (): void => {
    const { zone } = this.state;
    if (zone === undefined) return;
    // Issuance is read separately, because edgectl knows its value without a request to the platform.
    this.run({
      name: 'issuance',
      work: () => this.#service.readIssuance(zone.id),
      done: (issuance) => this.dispatch({ type: 'issuance', issuance }),
      failed: () => undefined,
    });
    this.run({
      name: 'overview',
      work: (signal) => this.#service.readOverview(zone.id, signal),
      done: (overview) => this.dispatch({ type: 'overview', overview }),
      failed: () => undefined,
    });
  };

  protected override begin(): void {
    this.onClose(
      this.#parts.changes.listen((change) => {
        if (change.changed === 'hostname' && change.zoneId === this.state.zone?.id) this.read();
      }),
    );
    this.onClose(() => clearTimeout(this.#tick));
    this.find();
  }

  /** Sets a timer that redraws the line when the gauge changes next. */
  protected override follow(): void {
    clearTimeout(this.#tick);
    const { issuance } = this.state;
    if (!this.#isVisible || issuance === undefined) return;
    const wait = gaugeChange(issuance, this.#parts.world.now());
    if (wait !== undefined) this.#tick = setTimeout(() => this.dispatch({ type: 'ticked' }), wait);
  }

  #offer(menu: ZoneMenu): void {
    this.dispatch({ type: 'asked', dialog: zoneMenu(menu, this.#take) });
  }

  readonly #offerOther = (menu: ZoneMenu): void => {
    if (menu.zones.length > 1) {
      this.#offer(menu);
      return;
    }
    this.dispatch({ type: 'settled' });
    this.#parts.notify('The credentials cannot access any other zone.', 'refused');
  };
}
