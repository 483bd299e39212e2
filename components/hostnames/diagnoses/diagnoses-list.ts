import { severities } from '../../../src/model/diagnosis/finding.ts';
import { isActive, type Task } from '../../../src/model/tasks/task.ts';
import type { FoundFault } from '../../../src/services/tasks/hostname-reading.ts';
import { onePage } from '../../kit/pages.ts';
import { severityRoles } from '../../kit/tones.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import { type DrawnColumns, declareColumns, drawColumns } from '../../ui/lists/declared-columns.ts';
import { ListController } from '../../ui/lists/list-controller.ts';
import type { RowKind } from '../../ui/lists/row-kind.ts';
import type { TagOrder } from '../../ui/lists/tag-menu.ts';
import type { Previewed } from '../../ui/preview/previewed.ts';
import { shortProgress } from '../../ui/tasks/words.ts';
import { type Entry, entryLines } from '../../ui/viewer/entries.ts';
import { whoLabels } from '../columns.ts';

const declaredColumns = declareColumns<FoundFault>()(
  {
    SEVERITY: ({ severity }) => severities.indexOf(severity),
    WHO: ({ who }) => whoLabels[who],
    FINDING: ({ cause }) => cause,
  },
  { heading: 'HOSTNAME', by: ({ hostname }) => hostname },
);

const kind: RowKind<FoundFault> = {
  getId: ({ hostname }) => hostname,
  getText: ({ hostname, cause }) => `${hostname} ${cause}`,
  order: 'as-listed',
  firstSort: 'SEVERITY',
  getTags: ({ severity, who }) => [severity, ...(who === 'nobody' ? [] : [`${whoLabels[who]} acts`])],
  sorts: declaredColumns.sorts,
};

/** Minimum number of milliseconds between two reads of a task's findings. */
const interval = 1000;

/** The findings of a task, updated while they are shown. */
export class DiagnosesList extends ListController<FoundFault> {
  readonly #parts: PaneParts;
  readonly #id: string;
  #read: { readonly at: number; readonly done: number } = { at: 0, done: -1 };

  constructor(parts: PaneParts, id: string) {
    const { list } = parts.tasks;
    super(parts, {
      kind,
      whole: true,
      refreshes: false,
      pages: () => onePage(list.readResults<FoundFault>(id)),
      rowChange: () => undefined,
      tasks: { isAbout: (task) => task.id === id, changes: () => true },
    });
    this.#parts = parts;
    this.#id = id;
  }

  /** The task's progress, for the header; empty after the task has ended. */
  get taskWords(): string {
    const { list } = this.#parts.tasks;
    const task = list.tasks.find(({ id }) => id === this.#id);
    return task === undefined ? '' : shortProgress(task, list.findPace(task.id));
  }

  protected override begin(): void {
    super.begin();
    this.onClose(this.#parts.tasks.list.subscribe(() => this.#follow()));
  }

  /** The task while it is active; undefined after it has ended. */
  get #running(): Task | undefined {
    return this.#parts.tasks.list.tasks.find((task) => task.id === this.#id && isActive(task));
  }

  #follow(): void {
    const { list } = this.#parts.tasks;
    const done = this.#running?.progress?.done;
    const now = this.#parts.world.now();
    if (
      done === undefined ||
      done === this.#read.done ||
      now - this.#read.at < interval ||
      !this.showing.visible
    )
      return;
    this.#read = { at: now, done };
    this.run({
      name: 'found',
      work: () => list.readResults<FoundFault>(this.#id),
      done: (rows) => this.#running && this.dispatch({ type: 'replaced', rows }),
      failed: () => undefined,
    });
  }
}

/** The columns to draw after the hostname. */
export const diagnosesColumns: DrawnColumns<FoundFault> = drawColumns(declaredColumns, {
  SEVERITY: {
    width: 8,
    importance: 4,
    cell: ({ severity }) => severity,
    role: ({ severity }) => severityRoles[severity],
  },
  WHO: { width: 10, importance: 3, cell: ({ who }) => whoLabels[who] },
  FINDING: {
    width: 20,
    maxWidth: 72,
    importance: 2,
    cell: ({ cause }) => cause,
  },
});

/** Returns the preview of a result: the first finding in full, and the number of other findings. */
export function faultPreview({ hostname, severity, who, cause, remedy, more }: FoundFault): Previewed {
  const actor = whoLabels[who];
  const entries: Entry[] = [
    { text: `${severity}: ${cause}`, role: severityRoles[severity] },
    ...(actor === '' ? [] : [{ text: `Who acts: ${actor}` }]),
    ...(remedy === '' ? [] : [{ text: remedy }]),
    ...(more === 0 ? [] : [{ text: `${more} more: press Enter to show them.`, role: 'dim' as const }]),
  ];
  return {
    id: `fault ${hostname}`,
    title: hostname,
    content: { counts: severity, lines: (surface) => entryLines(entries, surface) },
  };
}

const ranks: readonly string[] = severities;

/** The groups and the order of the tags in the menu that filters the list. */
export const faultTags: TagOrder = {
  getGroup: (tag) => (tag.endsWith(' acts') ? 'who' : 'severity'),
  getRank(tag) {
    const at = ranks.indexOf(tag);
    return at === -1 ? severities.length : at;
  },
};
