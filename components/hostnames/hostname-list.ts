import type { CustomHostname } from '../../src/model/hostnames/hostname.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { serviceOf } from '../console/service-of.ts';
import type { PaneParts } from '../console/use-console.ts';
import type { HostnamesAction } from '../keymap/hostnames.ts';
import { topOf } from '../lists/cursor.ts';
import type { OwnActions } from '../lists/list-action.ts';
import { ListController } from '../lists/list-controller.ts';
import type { ListOutcome, ListSource } from '../lists/list-source.ts';
import { findRow, type RowChange, shownLength, shownRow } from '../lists/paged-list.ts';
import {
  authorityFault,
  busyWith,
  carryOutCommand,
  type HostnameCommand,
  removeDialog,
  restartDialog,
} from './commands.ts';
import { newHostnameForm, readHostnameForm } from './form.ts';
import { authorityMenu } from './menus.ts';
import { hostnameKind } from './row-order.ts';
import { tagMenu } from './tags.ts';
import { isNews, Watch } from './watch.ts';
import type { ZoneController } from './zone-controller.ts';

/** The list of custom hostnames. */
export interface HostnameParts {
  readonly row: HostnameRow;
  readonly command: HostnameCommand;
  readonly purpose: 'create';
  readonly subject: undefined;
}

/** Hostnames in one page of a listing. */
const pageSize = 50;

/** The custom hostnames of a zone. Those in progress on the screen are read again and again. */
export class HostnameList extends ListController<HostnameParts> {
  readonly #parts: PaneParts;
  readonly #zone: Zone;
  readonly #watch: Watch;
  #watchedGeneration = 0;

  /** `readZone` reads what concerns the whole zone. */
  constructor(parts: PaneParts, zone: Zone, readZone: () => void) {
    super(parts, hostnameSource(parts, zone, readZone));
    this.#parts = parts;
    this.#zone = zone;
    this.#watch = new Watch(parts, {
      zone,
      rows: () => this.#rowsOnScreen(),
      found: (changes) => this.#renew(changes),
      run: this.run,
      way: 'r reads the list again.',
    });
  }

  protected override begin(): void {
    super.begin();
    this.until(
      this.#parts.changes.listen((change) => {
        if (change.changed === 'hostname' && change.zoneId === this.#zone.id) this.#watch.restart();
      }),
    );
    this.until(() => this.#watch.stop());
  }

  protected override follow(): void {
    super.follow();
    const { generation } = this.list;
    const isNew = generation !== this.#watchedGeneration;
    this.#watchedGeneration = generation;
    if (isNew) this.#watch.restart();
    else this.#watch.follow();
  }

  #rowsOnScreen(): readonly (HostnameRow | undefined)[] {
    const { list } = this;
    const { height, visible } = this.showing;
    if (!visible) return [];
    const top = topOf(list.cursor, shownLength(list), height);
    return Array.from({ length: height }, (_, line) => shownRow(list, top + line));
  }

  /** Takes changed rows and says whether any differs; rows that are no longer listed do not count. */
  #renew(changes: readonly RowChange<HostnameRow>[]): boolean {
    const rows = changes.filter(({ id, row }) => {
      const before = findRow(this.list, id);
      return before !== undefined && isNews(before, row);
    });
    if (rows.length > 0) this.dispatch({ type: 'renewed', rows });
    return rows.length > 0;
  }
}

function hostnameSource(parts: PaneParts, zone: Zone, readZone: () => void): ListSource<HostnameParts> {
  const service = serviceOf(parts, 'hostnames');
  return {
    place: { kind: 'hostnames' },
    kind: hostnameKind,
    whole: true,
    asks: 'contains',
    pageSize,
    pages(contains, signal, { tellTotal }) {
      readZone();
      return service.list(zone.id, { contains: contains.trim(), tellTotal }, signal);
    },
    busyWith,
    carryOut: (command, signal) => carryOut(command, { parts, zone, readZone, signal }),
    readForm({ form }) {
      const read = readHostnameForm(form);
      return 'errors' in read ? read : { command: { does: 'create', wanted: read.wanted } };
    },
    rowOf: (change) =>
      change.changed === 'hostname' && change.zoneId === zone.id
        ? { id: change.id, row: change.row }
        : undefined,
  };
}

/** A refused creation counts in the gauge as well. */
async function carryOut(
  command: HostnameCommand,
  {
    parts,
    zone,
    readZone,
    signal,
  }: { parts: PaneParts; zone: Zone; readZone: () => void; signal: AbortSignal },
): Promise<ListOutcome<HostnameParts>> {
  const isNew = command.does === 'create';
  try {
    return {
      ...(await carryOutCommand(command, zone, serviceOf(parts, 'hostnames'), signal)),
      unfilter: isNew,
    };
  } catch (error) {
    if (isNew) readZone();
    throw error;
  }
}

/** Actions of the pane's keys. */
export function hostnameActions(
  list: HostnameList,
  zone: Zone,
  { of, parts }: { readonly of: ZoneController; readonly parts: PaneParts },
): OwnActions<HostnamesAction> {
  const row = list.selected;
  const on = (act: (record: CustomHostname) => void) => () => row && act(row.record);
  const diagnose = (fix: boolean) =>
    on(({ hostname }) => parts.open({ pane: 'diagnosis', zone, hostname, fix }));
  const create = { kind: 'form', purpose: 'create', subject: undefined, form: newHostnameForm() } as const;
  const ahead = of.state.overview?.ahead ?? 0;
  return {
    open: () => row && parts.open({ pane: 'hostname', zone, row, ahead }),
    create: () => list.ask(create),
    diagnose: diagnose(false),
    fix: diagnose(true),
    revalidate: on((record) => list.ask(restartDialog(record, zone))),
    authority: on((record) => {
      const fault = authorityFault(record);
      if (fault === undefined) list.ask(authorityMenu(record));
      else parts.notify(fault, 'refused');
    }),
    remove: on((record) => list.ask(removeDialog(record, zone, parts.services.undo?.keeps === true))),
    copy: on(({ hostname }) => parts.notify(parts.copy(Buffer.from(hostname), 'the hostname'))),
    status: () => list.ask(tagMenu(list.list)),
    zone: () => of.perform({ does: 'offer' }),
  };
}
