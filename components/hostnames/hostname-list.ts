import { ifKnown } from '../../src/model/diagnosis/facts.ts';
import type { DefaultValues } from '../../src/model/hostnames/fleet/differences.ts';
import { changesPlatform } from '../../src/model/tasks/task.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { concernsHostnames } from '../kit/changes.ts';
import { reading, saving, starting } from '../kit/keys/busy.ts';
import { topOf } from '../kit/keys/cursor.ts';
import { serviceOf } from '../kit/service-of.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { FormDialog } from '../ui/forms/dialog.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import type { FormRead, ListOutcome, ListSource } from '../ui/lists/list-source.ts';
import { findRow, type RowChange, shownLength, shownRow } from '../ui/lists/paged-list.ts';
import { busyWith, carryOutCommand, type HostnameCommand } from './commands.ts';
import { type HostnameEdit, readEditCommand } from './edit-form.ts';
import { readHostnameForm } from './form.ts';
import type { HostnameParts } from './list-parts.ts';
import { editMarkedDialog } from './marked.ts';
import { readMarkedForm } from './marked-form.ts';
import { beginMarked } from './marked-work.ts';
import { hostnameKind } from './row-order.ts';
import { isNews, Watch } from './watch.ts';
import { carryOutSettings, readSettingsForm } from './zone-settings.ts';

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
    busyWith: { ...busyWith, ...busyWithMany },
    carryOut: (command, signal) => carryOut(command, { parts, zone, readZone, signal }),
    readForm,
    tasks: {
      isAbout: ({ work }) => 'zone' in work && work.zone.id === zone.id,
      changes: ({ work }) => changesPlatform(work),
    },
    rowOf: (change) =>
      change.changed === 'hostname' && change.zoneId === zone.id
        ? { id: change.id, row: change.row }
        : undefined,
    isOutdatedBy: (change) => concernsHostnames(change, zone.id),
  };
}

const busyWithMany = {
  'remove-marked': starting,
  'refresh-marked': starting,
  'edit-marked': starting,
  'diagnose-marked': starting,
  'preview-edit': reading,
  export: starting,
  import: { kind: 'reading', words: 'opening' },
  'read-settings': reading,
  'ask-fallback': reading,
  'ask-no-fallback': reading,
  'ask-release': reading,
  'ask-pause': reading,
  'move-fallback': saving,
  'set-fallback': saving,
  hold: saving,
  release: saving,
} as const;

function readForm({
  purpose,
  subject,
  form,
}: FormDialog<HostnameParts['purpose'], HostnameParts['subject']>): FormRead<HostnameParts> {
  const records = subject?.records ?? [];
  switch (purpose) {
    case 'create': {
      const read = readHostnameForm(form);
      return 'errors' in read ? read : { command: { does: 'create', wanted: read.wanted } };
    }
    case 'edit':
      return readEditCommand(form, records);
    case 'fallback':
    case 'release':
      return readSettingsForm(purpose, form);
    default:
      return readMarkedForm(purpose, form, records);
  }
}

interface Means {
  readonly parts: PaneParts;
  readonly zone: Zone;
  readonly readZone: () => void;
  readonly signal: AbortSignal;
}

async function carryOut(
  command: HostnameParts['command'],
  means: Means,
): Promise<ListOutcome<HostnameParts>> {
  const { parts, zone } = means;
  switch (command.does) {
    case 'create':
    case 'refresh':
    case 'authority':
    case 'edit':
    case 'remove':
      return changeOne(command, means);
    case 'preview-edit':
      return editMarkedDialog(command.records, command.edit, zone, await defaultsOf(command.edit, means));
    case 'remove-marked':
    case 'refresh-marked':
    case 'edit-marked':
    case 'diagnose-marked':
    case 'export':
    case 'import':
      return beginMarked(command, zone, parts);
    default:
      return carryOutSettings(command, zone, serviceOf(parts, 'fleet'), means.signal);
  }
}

/** The values that a change leaves to the platform, as far as they can be read. */
async function defaultsOf({ origin }: HostnameEdit, { parts, zone, signal }: Means): Promise<DefaultValues> {
  if (origin !== '') return {};
  const { fallback } = await serviceOf(parts, 'hostnames').readOverview(zone.id, signal);
  return { origin: ifKnown(fallback)?.origin };
}

/** A refused creation counts in the gauge as well. */
async function changeOne(
  command: HostnameCommand,
  { parts, zone, readZone, signal }: Means,
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
