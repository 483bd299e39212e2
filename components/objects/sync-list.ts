import type { SyncStep } from '../../src/services/objects/sync.ts';
import { stepsToDo } from '../../src/services/tasks/sync.ts';
import { formatSize, groupDigits } from '../../src/text/size.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import { onePage } from '../kit/pages.ts';
import { requireService } from '../kit/require-service.ts';
import type { Role } from '../kit/theme.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { declareColumns, drawColumns } from '../ui/lists/declared-columns.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import type { RowKind } from '../ui/lists/row-kind.ts';
import type { TagOrder } from '../ui/lists/tag-menu.ts';

export type OpenSync = Extract<OpenPane, { pane: 'sync' }>;

/** A step of a sync, or an entry that the sync skips. */
export type SyncRow = SyncStep | { readonly action: 'skip'; readonly name: string; readonly why: string };

const actions: readonly SyncRow['action'][] = ['upload', 'download', 'delete', 'skip'];

const declaredColumns = declareColumns<SyncRow>()(
  {
    STEP: ({ action }) => actions.indexOf(action),
    SIZE: (row) => ('size' in row ? row.size : undefined),
    WHY: ({ why }) => why,
  },
  { heading: 'NAME', by: ({ name }) => name },
);

const roles: Readonly<Record<SyncRow['action'], Role>> = {
  upload: 'added',
  download: 'added',
  delete: 'removed',
  skip: 'dim',
};

const reasons: Readonly<Record<string, string>> = {
  new: 'only in the source',
  changed: 'different: will be overwritten',
  extra: 'only in the destination',
};

/** The columns to draw after the name. */
export const syncColumns = drawColumns(declaredColumns, {
  STEP: {
    width: 8,
    importance: 3,
    cell: ({ action }) => action,
    role: ({ action, why }) => (why === 'changed' ? 'changed' : roles[action]),
  },
  SIZE: {
    width: 9,
    importance: 1,
    align: 'right',
    cell: (row) => ('size' in row ? formatSize(row.size) : ''),
    role: () => 'dim',
  },
  WHY: {
    width: 24,
    maxWidth: 60,
    importance: 2,
    cell: ({ why }) => reasons[why] ?? why,
    role: () => 'plain',
  },
});

const kind: RowKind<SyncRow> = {
  getId: ({ action, name }) => `${action} ${name}`,
  getText: ({ name }) => name,
  order: 'as-listed',
  getTags: ({ action }) => [action],
  sorts: declaredColumns.sorts,
};

const ranks: readonly string[] = actions;

/** The order of the steps in the menu that filters the list. */
export const syncTags: TagOrder = {
  getGroup: () => 'step',
  getRank: (tag) => ranks.indexOf(tag),
};

/** The steps that would make a destination equal to its source, before anything is transferred. */
export class SyncList extends ListController<SyncRow> {
  readonly #plan: Plan;

  constructor(opened: OpenSync, parts: PaneParts) {
    const plan = new Plan(opened, parts);
    super(parts, {
      kind,
      whole: true,
      // The list is not refreshed automatically, because each read compares the contents of files.
      refreshes: false,
      pages: (_, signal) => onePage(plan.read(signal)),
      rowChange: () => undefined,
    });
    this.#plan = plan;
  }

  /** The planned steps; undefined until both sides have been compared. */
  get steps(): readonly SyncStep[] | undefined {
    return this.#plan.found?.steps;
  }

  /** The number of items that are equal on both sides, for the header; empty until both sides have been compared. */
  get words(): readonly string[] {
    const { found } = this.#plan;
    return found === undefined ? [] : [`${groupDigits(found.same)} the same`];
  }
}

/** Computes the plan of a sync by comparing both sides. */
class Plan {
  readonly #opened: OpenSync;
  readonly #parts: PaneParts;
  /** The plan; undefined until it is complete. */
  found: { readonly steps: readonly SyncStep[]; readonly same: number } | undefined;

  constructor(opened: OpenSync, parts: PaneParts) {
    this.#opened = opened;
    this.#parts = parts;
  }

  async read(signal: AbortSignal): Promise<readonly SyncRow[]> {
    const { bucket, prefix, path, direction, remove } = this.#opened;
    this.found = undefined;
    const sides = { folder: path, folderName: path, bucket, prefix };
    const sync = await requireService(this.#parts, 'objects').openSync(sides, direction, signal);
    this.found = { steps: stepsToDo(sync, remove), same: sync.same };
    const skipped = [
      ...sync.leftOut,
      ...sync.failures.map(({ name, problem }) => ({ name, why: problem.message })),
    ];
    return [...this.found.steps, ...skipped.map((row) => ({ ...row, action: 'skip' as const }))];
  }
}
