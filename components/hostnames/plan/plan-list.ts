import {
  countSteps,
  type FleetStep,
  type StepKind,
  stepOrder,
} from '../../../src/model/hostnames/fleet/plan.ts';
import type { Progress } from '../../../src/model/progress.ts';
import { changing } from '../../../src/services/hostnames/fleet/planning.ts';
import { escapeText } from '../../../src/text/escape.ts';
import { stepSummary } from '../../../src/text/fleet/steps.ts';
import { groupDigits } from '../../../src/text/size.ts';
import type { OpenPane } from '../../console/open-pane.ts';
import { serviceOf } from '../../console/service-of.ts';
import type { Role } from '../../console/theme.ts';
import type { PaneParts } from '../../console/use-console.ts';
import { hiddenLines, sampleLine } from '../../forms/dialog-lines.ts';
import { formValues, openForm } from '../../forms/form-state.ts';
import { reading, starting } from '../../keymap/busy.ts';
import type { PlanAction } from '../../keymap/hostnames.ts';
import { tagMenu } from '../../lists/actions/tag-menu.ts';
import type { Column } from '../../lists/columns.ts';
import type { OwnActions } from '../../lists/list-action.ts';
import { ListController } from '../../lists/list-controller.ts';
import type { DialogOf, ListOutcome } from '../../lists/list-source.ts';
import type { RowKind } from '../../lists/row-kind.ts';
import type { Previewed } from '../../preview/previewed.ts';
import { type Entry, entryLines } from '../../viewer/entries.ts';
import type { PlannedFile } from '../fleet/service.ts';
import { whilePlanning } from './while-planning.ts';

export type OpenPlan = Extract<OpenPane, { pane: 'plan' }>;

/** The list of the steps of a plan. */
interface PlanParts {
  readonly row: FleetStep;
  readonly command: { readonly does: 'show'; readonly id: string } | { readonly does: 'carry-out' };
  readonly purpose: 'carry-out';
  readonly subject: { readonly deletes: number };
}

const kinds: readonly StepKind[] = [...stepOrder, 'leave'];

const kind: RowKind<FleetStep> = {
  idOf: ({ hostname }) => hostname,
  textOf: ({ hostname }) => hostname,
  // Those that change something first, in the order in which they are taken.
  order: 'as-listed',
  tagsOf: ({ does }) => [does],
  sorts: [
    { heading: 'STEP', by: ({ does }) => kinds.indexOf(does) },
    { heading: 'WHY', by: ({ reason }) => reason },
    { heading: 'HOSTNAME', by: ({ hostname }) => hostname },
  ],
};

/** What a file would make of the hostnames of a zone, and what carries exactly that out. */
export class PlanList extends ListController<PlanParts> {
  readonly #plan: Plan;

  constructor(opened: OpenPlan, parts: PaneParts) {
    const plan = new Plan(opened, parts);
    super(parts, {
      kind,
      whole: true,
      pages: (_, signal) => plan.pages(signal),
      busyWith: { show: reading, 'carry-out': starting },
      carryOut: (command) => plan.carryOut(command),
      readForm({ subject, form }) {
        const deletes = subject?.deletes ?? 0;
        if ((formValues(form)['number'] ?? '').trim() === String(deletes))
          return { command: { does: 'carry-out' } };
        return { errors: { number: `This is not the number of deletes, ${deletes}.` } };
      },
      rowOf: () => undefined,
    });
    this.#plan = plan;
  }

  /** What the plan comes to, or how far it is, for the header. */
  get words(): readonly string[] {
    return this.#plan.words;
  }

  /** Asks whether the plan is to be carried out; undefined where there is nothing to do, or no plan yet. */
  question(): DialogOf<PlanParts> | undefined {
    return this.#plan.question();
  }
}

class Plan {
  readonly #opened: OpenPlan;
  readonly #parts: PaneParts;
  #planned: PlannedFile | undefined;
  #progress: Progress | undefined;

  constructor(opened: OpenPlan, parts: PaneParts) {
    this.#opened = opened;
    this.#parts = parts;
  }

  get words(): readonly string[] {
    if (this.#planned !== undefined) return [stepSummary(countSteps(this.#planned.plan.steps))];
    const { done, total } = this.#progress ?? {};
    if (done === undefined) return [];
    return [`compared ${groupDigits(done)}${total === undefined ? '' : ` of ${groupDigits(total)}`}`];
  }

  async *pages(signal: AbortSignal): AsyncGenerator<readonly FleetStep[]> {
    const { zone, path, prune } = this.#opened;
    const fleet = serviceOf(this.#parts, 'fleet');
    this.#planned = undefined;
    const planned = yield* whilePlanning<FleetStep, PlannedFile>((tell) =>
      fleet.plan(zone.id, { path, prune }, signal, (progress) => {
        this.#progress = progress;
        tell();
      }),
    );
    this.#planned = planned;
    yield planned.plan.steps;
  }

  question(): DialogOf<PlanParts> | undefined {
    const steps = changing(this.#planned?.plan.steps ?? []);
    if (steps.length === 0) return undefined;
    const counts = countSteps(steps);
    const zone = escapeText(this.#opened.zone.name);
    const title = `Carry out in ${zone}: ${stepSummary(counts)}`;
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
      [sampleLine(deletes, 'It deletes '), ...hiddenLines(0), unchanged],
    );
    return {
      kind: 'form',
      purpose: 'carry-out',
      subject: { deletes: deletes.length },
      form: { ...form, submit: 'carry out', asks: true },
    };
  }

  async carryOut(command: PlanParts['command']): Promise<ListOutcome<PlanParts>> {
    const { zone, path, prune } = this.#opened;
    if (command.does === 'show') {
      const hostnames = serviceOf(this.#parts, 'hostnames');
      const [row, { ahead }] = await Promise.all([
        hostnames.read(zone.id, command.id),
        hostnames.readOverview(zone.id),
      ]);
      return { opens: { pane: 'hostname', zone, row, ahead } };
    }
    if (this.#planned === undefined) return {};
    const { hash } = this.#planned.plan;
    await serviceOf(this.#parts, 'fleet').keep(this.#planned, prune);
    await this.#parts.tasks.start({ does: 'reconcile-hostnames', zone, path, hash }, []);
    this.#parts.back();
    return { notice: 'Carrying out the plan: 5 shows the task.' };
  }
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
export function planColumns(width: number): readonly Column<FleetStep>[] {
  return [
    {
      heading: 'STEP',
      width: 7,
      importance: 2,
      cell: ({ does }) => does,
      role: ({ does }) => roles[does],
    },
    {
      heading: 'WHY',
      width: Math.max(24, width - 24 - 9 - 2 - 8),
      importance: 1,
      cell: ({ reason }) => escapeText(reason, { ascii: true }),
      role: ({ does }) => (does === 'leave' ? 'dim' : 'plain'),
    },
  ];
}

/** A step with what it changes. */
export function stepPreview(step: FleetStep): Previewed {
  const { does, hostname, line, reason } = step;
  const changes = step.does === 'change' ? step.differences : [];
  const entries: Entry[] = [
    { text: `${does}: ${reason}`, role: roles[does] },
    ...(line === undefined ? [] : [{ text: `Line ${line} of the file`, role: 'dim' as const }]),
    ...changes.flatMap(({ field, from = '-', to = '-' }): Entry[] => [
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
      const dialog = list.question();
      if (dialog !== undefined) list.ask(dialog);
      else if (list.list.complete) parts.notify('There is nothing to do.', 'told');
      else parts.notify('The plan is not there yet.', 'refused');
    },
    open() {
      if (step === undefined) return;
      if (step.does === 'create') parts.notify('It is not there yet.', 'told');
      else list.perform({ does: 'show', id: step.record.id });
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
