import { isPlatformChange } from '../../src/model/tasks/task.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { concernsHostnames } from '../kit/changes.ts';
import { firstVisibleRow } from '../kit/keys/cursor.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import type { ListSource } from '../ui/lists/list-source.ts';
import { findRow, type RowChange, shownLength, shownRow } from '../ui/lists/paged-list.ts';
import { hostnameKind } from './row-order.ts';
import { isNews, Watch } from './watch.ts';

/** Hostnames per page of a listing. */
const pageSize = 50;

/** The list of a zone's custom hostnames. Polls the visible hostnames that are in progress. */
export class HostnameList extends ListController<HostnameRow> {
  readonly #parts: PaneParts;
  readonly #zone: Zone;
  readonly #watch: Watch;
  #watchedReload = 0;

  /** `readZone` is called for each listing, and reads the facts about the whole zone. */
  constructor(parts: PaneParts, zone: Zone, readZone: () => void) {
    super(parts, hostnameSource(parts, zone, readZone));
    this.#parts = parts;
    this.#zone = zone;
    this.#watch = new Watch(parts, {
      zone,
      rows: () => this.#rowsOnScreen(),
      found: (changes) => this.#renew(changes),
      run: this.run,
      way: 'Press r to reload the list.',
    });
  }

  protected override begin(): void {
    super.begin();
    this.onClose(
      this.#parts.changes.listen((change) => {
        if (change.changed === 'hostname' && change.zoneId === this.#zone.id) this.#watch.restart();
      }),
    );
    this.onClose(this.#watch.open());
  }

  protected override follow(): void {
    super.follow();
    const { reloads } = this.list;
    const isNew = reloads !== this.#watchedReload;
    this.#watchedReload = reloads;
    if (isNew) this.#watch.restart();
    else this.#watch.follow();
  }

  #rowsOnScreen(): readonly (HostnameRow | undefined)[] {
    const { list } = this;
    const { height, visible } = this.showing;
    if (!visible) return [];
    const top = firstVisibleRow(list.cursor, shownLength(list), height);
    return Array.from({ length: height }, (_, line) => shownRow(list, top + line));
  }

  /** Updates changed rows, and returns whether any row differs. Ignores rows that are no longer listed. */
  #renew(changes: readonly RowChange<HostnameRow>[]): boolean {
    const rows = changes.filter(({ id, row }) => {
      const before = findRow(this.list, id);
      return before !== undefined && isNews(before, row);
    });
    if (rows.length > 0) this.dispatch({ type: 'renewed', rows });
    return rows.length > 0;
  }
}

function hostnameSource(parts: PaneParts, zone: Zone, readZone: () => void): ListSource<HostnameRow> {
  const service = requireService(parts, 'hostnames');
  return {
    place: { kind: 'hostnames' },
    kind: hostnameKind,
    whole: true,
    serverFilter: 'contains',
    pageSize,
    // The overview of the zone requires three requests.
    extraRequests: 3,
    pages(contains, signal, { reportTotal }) {
      readZone();
      return service.list(zone.id, { contains: contains.trim(), onTotal: reportTotal }, signal);
    },
    tasks: {
      isAbout: ({ work }) => 'zone' in work && work.zone.id === zone.id,
      changes: ({ work }) => isPlatformChange(work),
    },
    rowChange: (change) =>
      change.changed === 'hostname' && change.zoneId === zone.id
        ? { id: change.id, row: change.row }
        : undefined,
    isOutdatedBy: (change) => concernsHostnames(change, zone.id),
  };
}
