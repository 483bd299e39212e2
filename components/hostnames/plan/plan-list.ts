import { countSteps, type StepKind, stepOrder } from '../../../src/model/hostnames/fleet/plan.ts';
import { isActive, type Task } from '../../../src/model/tasks/task.ts';
import type { PlannedStep, TaskPlan } from '../../../src/services/tasks/planning.ts';
import { escapeText } from '../../../src/text/escape.ts';
import { stepSummary } from '../../../src/text/fleet/steps.ts';
import { groupDigits } from '../../../src/text/size.ts';
import { reading, starting } from '../../kit/keys/busy.ts';
import type { OpenPane } from '../../kit/open-pane.ts';
import { onePage } from '../../kit/pages.ts';
import { serviceOf } from '../../kit/service-of.ts';
import type { Role } from '../../kit/theme.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import { sampleLine } from '../../ui/forms/dialog-lines.ts';
import { formValues, openForm } from '../../ui/forms/form-state.ts';
import { type DrawnColumns, declareColumns, drawColumns } from '../../ui/lists/declared-columns.ts';
import type { OwnActions } from '../../ui/lists/list-action.ts';
import { ListController } from '../../ui/lists/list-controller.ts';
import type { DialogOf, ListOutcome } from '../../ui/lists/list-source.ts';
import type { RowKind } from '../../ui/lists/row-kind.ts';
import { tagMenu } from '../../ui/lists/tag-menu.ts';
import type { Previewed } from '../../ui/preview/previewed.ts';
import { shortProgress } from '../../ui/tasks/words.ts';
import { type Entry, entryLines } from '../../ui/viewer/entries.ts';
import type { PlanAction } from '../keymap.ts';

export type OpenPlan = Extract<OpenPane, { pane: 'plan' }>;

/** The list of the steps of a plan. */
interface PlanParts {
  readonly row: PlannedStep;
  readonly command: { readonly does: 'show'; readonly id: string } | { readonly does: 'carry-out' };
  readonly purpose: 'carry-out';
  readonly subject: { readonly deletes: number };
}

const kinds: readonly StepKind[] = [...stepOrder, 'leave'];

const declaredColumns = declareColumns<PlannedStep>()(
  { STEP: ({ does }) => kinds.indexOf(does), WHY: ({ reason }) => reason },
  { heading: 'HOSTNAME', by: ({ hostname }) => hostname },
);

const kind: RowKind<PlannedStep> = {
  idOf: ({ hostname }) => hostname,
  textOf: ({ hostname }) => hostname,
  // Those that change something first, in the order in which they are taken.
  order: 'as-listed',
  tagsOf: ({ does }) => [does],
  sorts: declaredColumns.sorts,
};

/** What a file would make of the hostnames of a zone, as a task plans it, and what carries exactly that out. */
export class PlanList extends ListController<PlanParts> {
  readonly #plan: Plan;
  readonly #tasks: PaneParts['tasks']['list'];

  constructor(opened: OpenPlan, parts: PaneParts) {
    const plan = new Plan(opened, parts);
    super(parts, {
      kind,
      whole: true,
      pages: () => onePage(plan.read()),
      busyWith: { show: reading, 'carry-out': starting },
      carryOut: (command, signal) => plan.carryOut(command, signal),
      readForm({ subject, form }) {
        const deletes = subject?.deletes ?? 0;
        if ((formValues(form)['number'] ?? '').trim() === String(deletes))
          return { command: { does: 'carry-out' } };
        return { errors: { number: `This is not the number of deletes, ${deletes}.` } };
      },
      rowOf: () => undefined,
      tasks: { isAbout: ({ id }) => id === opened.id, changes: () => true },
    });
    this.#plan = plan;
    this.#tasks = parts.tasks.list;
  }

  protected override begin(): void {
    super.begin();
    // Drawn again with how far it is.
    const draw = () => this.#plan.isMaking && this.dispatch({ type: 'replaced', rows: [] });
    this.until(this.#tasks.subscribe(draw));
  }

  /** What the plan comes to, or how far it is, for the header. */
  get words(): readonly string[] {
    return this.#plan.words;
  }

  /** Why there is no plan: it is being made, or its task has come to none. */
  get missing(): string {
    return this.#plan.missing;
  }

  /** Asks whether the plan is to be carried out; or says why it cannot be. */
  question(): Asked {
    return this.#plan.question();
  }
}

type Asked = DialogOf<PlanParts> | { readonly refusal: string };

class Plan {
  readonly #opened: OpenPlan;
  readonly #parts: PaneParts;
  #plan: TaskPlan | undefined;

  constructor(opened: OpenPlan, parts: PaneParts) {
    this.#opened = opened;
    this.#parts = parts;
  }

  get words(): readonly string[] {
    if (this.#plan !== undefined) return [stepSummary(countSteps(this.#plan.steps))];
    const task = this.#task;
    if (task === undefined) return [];
    return [shortProgress(task, this.#parts.tasks.list.paceOf(task.id)) || task.state];
  }

  get isMaking(): boolean {
    const task = this.#task;
    return task !== undefined && isActive(task);
  }

  get missing(): string {
    const task = this.#task;
    if (task === undefined) return 'The task that planned was removed.';
    if (isActive(task)) return 'The file is being compared with the zone, also while you look elsewhere.';
    if (task.state !== 'done') return 'There is no plan: 5 shows the task and why, where it can be resumed.';
    return 'The zone has no hostnames, and the file names none.';
  }

  get #task(): Task | undefined {
    return this.#parts.tasks.list.tasks.find(({ id }) => id === this.#opened.id);
  }

  async read(): Promise<readonly PlannedStep[]> {
    const [plan] = await this.#parts.tasks.list.listOf<TaskPlan>(this.#opened.id);
    this.#plan = plan;
    return plan?.steps ?? [];
  }

  question(): Asked {
    if (this.#plan === undefined) return { refusal: 'The plan is not there yet.' };
    const steps = this.#plan.steps.filter(({ does }) => does !== 'leave');
    if (steps.length === 0) return { refusal: 'There is nothing to do.' };
    const deletes = countSteps(steps).delete;
    const { limit, zone } = this.#opened;
    if (limit !== undefined && deletes > limit)
      return { refusal: `It deletes ${groupDigits(deletes)}, more than the limit of ${groupDigits(limit)}.` };
    return carryOutDialog(steps, escapeText(zone.name));
  }

  async carryOut(command: PlanParts['command'], signal: AbortSignal): Promise<ListOutcome<PlanParts>> {
    const { zone, path } = this.#opened;
    if (command.does === 'show') {
      const hostnames = serviceOf(this.#parts, 'hostnames');
      const [row, { ahead }] = await Promise.all([
        hostnames.read(zone.id, command.id, signal),
        hostnames.readOverview(zone.id, signal),
      ]);
      return { opens: { pane: 'hostname', zone, row, ahead } };
    }
    if (this.#plan === undefined) return {};
    const { hash } = this.#plan;
    await this.#parts.tasks.start({ does: 'reconcile-hostnames', zone, path, hash }, []);
    this.#parts.back();
    return { notice: 'Carrying out the plan: 5 shows the task.' };
  }
}

function carryOutDialog(steps: readonly PlannedStep[], zone: string): DialogOf<PlanParts> {
  const title = `Carry out in ${zone}: ${stepSummary(countSteps(steps))}`;
  const deletes = steps.filter(({ does }) => does === 'delete').map(({ hostname }) => hostname);
  if (deletes.length === 0) {
    const lost = [sampleLine(steps.map(({ hostname }) => hostname)), unchanged];
    return {
      kind: 'confirm',
      question: { question: `${title}?`, lost, yes: 'carry it out' },
      command: { does: 'carry-out' },
    };
  }
  const note = `Type ${deletes.length}, the number of hostnames that it deletes with their certificates.`;
  const form = openForm(
    title,
    [{ name: 'number', label: 'Number', value: '', note }],
    [sampleLine(deletes, 'It deletes '), unchanged],
  );
  return {
    kind: 'form',
    purpose: 'carry-out',
    subject: { deletes: deletes.length },
    form: { ...form, submit: 'carry out', asks: true },
  };
}

const unchanged =
  'It is carried out only if file and zone are as they were when it was made. Nothing of it is kept for undo.';

const roles: Readonly<Record<StepKind, Role>> = {
  create: 'good',
  change: 'warning',
  refresh: 'badge',
  delete: 'fault',
  leave: 'dim',
};

/** The columns behind the hostname, for a list of this width. */
export function planColumns(width: number): DrawnColumns<PlannedStep> {
  return drawColumns(declaredColumns, {
    STEP: {
      width: 7,
      importance: 2,
      cell: ({ does }) => does,
      role: ({ does }) => roles[does],
    },
    WHY: {
      width: Math.max(24, width - 24 - 9 - 2 - 8),
      importance: 1,
      cell: ({ reason }) => escapeText(reason, { ascii: true }),
      role: ({ does }) => (does === 'leave' ? 'dim' : 'plain'),
    },
  });
}

/** A step with what it changes. */
export function stepPreview(step: PlannedStep): Previewed {
  const { does, hostname, line, reason, differences } = step;
  const entries: Entry[] = [
    { text: `${does}: ${reason}`, role: roles[does] },
    ...(line === undefined ? [] : [{ text: `Line ${line} of the file`, role: 'dim' as const }]),
    ...differences.flatMap(({ field, from = '-', to = '-' }): Entry[] => [
      { text: '' },
      { text: field, role: 'title' },
      { text: `now:    ${from}`, indent: 2 },
      { text: `wanted: ${to}`, indent: 2, role: 'good' },
    ]),
  ];
  return {
    id: `step ${hostname}`,
    title: hostname,
    content: { counts: does, lines: (surface) => entryLines(entries, surface) },
  };
}

/** Actions of the pane's keys. */
export function planActions(list: PlanList, parts: PaneParts): OwnActions<PlanAction> {
  const step = list.selected;
  return {
    import() {
      const asked = list.question();
      if ('refusal' in asked) parts.notify(asked.refusal, 'refused');
      else list.ask(asked);
    },
    open() {
      if (step === undefined) return;
      if (step.id === undefined) parts.notify('It is not there yet.', 'told');
      else list.perform({ does: 'show', id: step.id });
    },
    copy: () => step && parts.notify(parts.copy(Buffer.from(step.hostname), 'the hostname')),
    status: () => list.ask(tagMenu(list.list, tags)),
  };
}

const ranks: readonly string[] = kinds;

const tags = {
  groupOf: () => 'step',
  rankOf: (tag: string) => ranks.indexOf(tag),
};
