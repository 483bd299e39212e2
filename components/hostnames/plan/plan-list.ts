import { countSteps, type StepKind, stepOrder } from '../../../src/model/hostnames/fleet/plan.ts';
import { isActive, type Task } from '../../../src/model/tasks/task.ts';
import type { PlannedStep, TaskPlan } from '../../../src/services/tasks/planning.ts';
import { stepSummary } from '../../../src/text/fleet/steps.ts';
import type { OpenPane } from '../../kit/open-pane.ts';
import { onePage } from '../../kit/pages.ts';
import type { Role } from '../../kit/theme.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import { type DrawnColumns, declareColumns, drawColumns } from '../../ui/lists/declared-columns.ts';
import { ListController } from '../../ui/lists/list-controller.ts';
import type { RowKind } from '../../ui/lists/row-kind.ts';
import type { TagOrder } from '../../ui/lists/tag-menu.ts';
import type { Previewed } from '../../ui/preview/previewed.ts';
import { shortProgress } from '../../ui/tasks/words.ts';
import { type Entry, entryLines } from '../../ui/viewer/entries.ts';

export type OpenPlan = Extract<OpenPane, { pane: 'plan' }>;

const kinds: readonly StepKind[] = [...stepOrder, 'leave'];

const declaredColumns = declareColumns<PlannedStep>()(
  { STEP: ({ does }) => kinds.indexOf(does), WHY: ({ reason }) => reason },
  { heading: 'HOSTNAME', by: ({ hostname }) => hostname },
);

const kind: RowKind<PlannedStep> = {
  getId: ({ hostname }) => hostname,
  getText: ({ hostname }) => hostname,
  // Steps that change something come first, in the order in which they are applied.
  order: 'as-listed',
  getTags: ({ does }) => [does],
  sorts: declaredColumns.sorts,
};

/** The list of the steps that reconcile the hostnames of a zone with a file. */
export class PlanList extends ListController<PlannedStep> {
  readonly #plan: Plan;
  readonly #tasks: PaneParts['tasks']['list'];

  constructor(opened: OpenPlan, parts: PaneParts) {
    const plan = new Plan(opened, parts);
    super(parts, {
      kind,
      whole: true,
      refreshes: false,
      pages: () => onePage(plan.read()),
      rowChange: () => undefined,
      tasks: { isAbout: ({ id }) => id === opened.id, changes: () => true },
    });
    this.#plan = plan;
    this.#tasks = parts.tasks.list;
  }

  protected override begin(): void {
    super.begin();
    // Redraws the progress while the plan is being computed.
    const draw = () => this.#plan.isMaking && this.dispatch({ type: 'replaced', rows: [] });
    this.onClose(this.#tasks.subscribe(draw));
  }

  /** The totals of the plan, or its progress, for the header. */
  get words(): readonly string[] {
    return this.#plan.words;
  }

  /** The text for a list without rows: the task is still computing the plan, has failed or was removed, or the plan has no hostnames. */
  get missing(): string {
    return this.#plan.missing;
  }

  /** The plan; undefined until the plan is complete. */
  get plan(): TaskPlan | undefined {
    return this.#plan.found;
  }
}

/** The plan for a file, read from the plan's task. */
class Plan {
  readonly #opened: OpenPlan;
  readonly #parts: PaneParts;
  #found: TaskPlan | undefined;

  constructor(opened: OpenPlan, parts: PaneParts) {
    this.#opened = opened;
    this.#parts = parts;
  }

  /** The plan; undefined until the plan is complete. */
  get found(): TaskPlan | undefined {
    return this.#found;
  }

  get words(): readonly string[] {
    if (this.#found !== undefined) return [stepSummary(countSteps(this.#found.steps))];
    const task = this.#task;
    if (task === undefined) return [];
    return [shortProgress(task, this.#parts.tasks.list.findPace(task.id)) || task.state];
  }

  get isMaking(): boolean {
    const task = this.#task;
    return task !== undefined && isActive(task);
  }

  get missing(): string {
    const task = this.#task;
    if (task === undefined) return 'The planning task was removed.';
    if (isActive(task))
      return 'The file is being compared with the zone; the comparison continues if you switch panes.';
    if (task.state !== 'done') return 'No plan: press 5 to see why the task failed, and to resume it.';
    return 'The zone has no hostnames, and the file contains none.';
  }

  get #task(): Task | undefined {
    return this.#parts.tasks.list.tasks.find(({ id }) => id === this.#opened.id);
  }

  async read(): Promise<readonly PlannedStep[]> {
    const [plan] = await this.#parts.tasks.list.readResults<TaskPlan>(this.#opened.id);
    this.#found = plan;
    return plan?.steps ?? [];
  }
}

export const planRoles: Readonly<Record<StepKind, Role>> = {
  create: 'added',
  change: 'changed',
  refresh: 'pending',
  delete: 'removed',
  leave: 'dim',
};

/** The columns to draw after the hostname. */
export const planColumns: DrawnColumns<PlannedStep> = drawColumns(declaredColumns, {
  STEP: {
    width: 7,
    importance: 2,
    cell: ({ does }) => does,
    role: ({ does }) => planRoles[does],
  },
  WHY: {
    width: 24,
    maxWidth: 72,
    importance: 1,
    cell: ({ reason }) => reason,
    role: ({ does }) => (does === 'leave' ? 'dim' : 'plain'),
  },
});

/** Returns the preview of a step: its reason, its line in the file, and its changes. */
export function stepPreview(step: PlannedStep): Previewed {
  const { does, hostname, line, reason, differences } = step;
  const entries: Entry[] = [
    { text: `${does}: ${reason}`, role: planRoles[does] },
    ...(line === undefined ? [] : [{ text: `Line ${line} of the file`, role: 'dim' as const }]),
    ...differences.flatMap(({ field, from = '-', to = '-' }): Entry[] => [
      { text: '' },
      { text: field, role: 'title' },
      { text: `now:    ${from}`, indent: 2 },
      { text: `wanted: ${to}`, indent: 2, role: 'added' },
    ]),
  ];
  return {
    id: `step ${hostname}`,
    title: hostname,
    content: { counts: does, lines: (surface) => entryLines(entries, surface) },
  };
}

const ranks: readonly string[] = kinds;

/** The order of the step kinds in the menu that filters the list. */
export const stepTags: TagOrder = {
  getGroup: () => 'step',
  getRank: (tag) => ranks.indexOf(tag),
};
