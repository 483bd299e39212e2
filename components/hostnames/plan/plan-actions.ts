import { countSteps } from '../../../src/model/hostnames/fleet/plan.ts';
import { hostnamePlan, hostnameReconcile } from '../../../src/services/equivalents/hostnames.ts';
import type { PlannedStep, TaskPlan } from '../../../src/services/tasks/planning.ts';
import { stepSummary } from '../../../src/text/fleet/steps.ts';
import { formatHostnameCount } from '../../../src/text/hostname.ts';
import { groupDigits } from '../../../src/text/size.ts';
import type { PaneAction } from '../../kit/keys/action.ts';
import { reading, starting } from '../../kit/keys/busy.ts';
import { cannotWrite, moveShortcuts, noSelection } from '../../kit/keys/conditions.ts';
import { filterShortcuts } from '../../kit/keys/finding.ts';
import { requireService } from '../../kit/require-service.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import { type ActionResult, formDialog, type PaneOutcome, type Work } from '../../ui/forms/dialog.ts';
import { sampleLine } from '../../ui/forms/dialog-lines.ts';
import { openForm } from '../../ui/forms/form-state.ts';
import type { ListResult } from '../../ui/lists/list-state.ts';
import type { PagedList } from '../../ui/lists/paged-list.ts';
import { backToHostnames, copyName, showOnly } from '../hostname-rows.ts';
import { type OpenPlan, stepTags } from './plan-list.ts';

/** The input of the actions: the list of steps, the selected step, its hostname, and the parts of the pane. */
interface Here {
  readonly list: PagedList<PlannedStep>;
  readonly step: PlannedStep | undefined;
  readonly hostname: string | undefined;
  /** The plan; undefined until the plan is complete. */
  readonly plan: TaskPlan | undefined;
  readonly opened: OpenPlan;
  readonly parts: PaneParts;
}

/** The actions on a plan. */
export const planActions: ReadonlyArray<PaneAction<Here, ListResult>> = [
  {
    does: 'import',
    press: ['i'],
    label: 'apply',
    about: 'Apply exactly this plan, as a task, after confirmation',
    unless: cannotWrite,
    run: askToCarryOut,
    equivalents: ({ opened }) => [hostnameReconcile(opened.zone.id, opened)],
  },
  {
    does: 'open',
    press: ['enter', 'right', 'l'],
    label: 'detail',
    about: 'Show the hostname as it is now',
    unless: noSelection,
    run: show,
  },
  showOnly<PlannedStep>('step', stepTags),
  ...filterShortcuts,
  copyName,
  {
    does: 'refresh',
    press: ['r'],
    label: 'reload',
    about: 'Reload the plan',
    equivalents: ({ opened }) => [{ ...hostnamePlan(opened.zone.id, opened), place: 'first' }],
  },
  backToHostnames,
  ...moveShortcuts,
];

function show({ step, opened: { zone }, parts }: Here): ActionResult {
  if (step === undefined) return undefined;
  const { id } = step;
  if (id === undefined) {
    parts.notify('The hostname does not exist yet.', 'told');
    return undefined;
  }
  return {
    busy: reading,
    async run(signal) {
      const hostnames = requireService(parts, 'hostnames');
      const [row, { ahead }] = await Promise.all([
        hostnames.read(zone.id, id, signal),
        hostnames.readOverview(zone.id, signal),
      ]);
      return { opens: { pane: 'hostname', zone, row, ahead } };
    },
  };
}

/** Asks the user to confirm the plan, or reports why the plan cannot be applied. */
function askToCarryOut({ plan, opened, parts }: Here): PaneOutcome {
  if (plan === undefined) return { refusal: 'The plan is not ready yet.' };
  const steps = plan.steps.filter(({ does }) => does !== 'leave');
  if (steps.length === 0) return { refusal: 'No changes are needed.' };
  const deletes = countSteps(steps).delete;
  const { limit, zone } = opened;
  if (limit !== undefined && deletes > limit)
    return {
      refusal: `The plan deletes ${formatHostnameCount(deletes)}, more than the limit of ${groupDigits(limit)}.`,
    };
  return carryOutDialog(steps, zone.name, carryingOut(plan, opened, parts));
}

function carryingOut({ hash }: TaskPlan, { zone, path }: OpenPlan, parts: PaneParts): Work {
  return {
    busy: starting,
    async run() {
      await parts.tasks.start({ does: 'reconcile-hostnames', zone, path, hash }, []);
      return { notice: 'Applying the plan: press 5 to see the task.', closesPane: true };
    },
  };
}

function carryOutDialog(steps: readonly PlannedStep[], zone: string, carryOut: Work): PaneOutcome {
  const title = `Apply to ${zone}: ${stepSummary(countSteps(steps))}`;
  const deletes = steps.filter(({ does }) => does === 'delete').map(({ hostname }) => hostname);
  if (deletes.length === 0) {
    const lost = [sampleLine(steps.map(({ hostname }) => hostname)), unchanged];
    const question = { question: `${title}?`, lost, danger: 'change', yes: 'apply the plan' } as const;
    return { dialog: { kind: 'confirm', question, command: carryOut } };
  }
  const note = `Type ${deletes.length}, the number of hostnames to delete with their certificates.`;
  const form = openForm(
    title,
    [{ name: 'number', label: 'Number', value: '', note }],
    [sampleLine(deletes, 'Deleted: '), unchanged],
  );
  const dialog = formDialog({ ...form, submit: 'apply', danger: 'permanent' }, ({ number = '' }) =>
    number.trim() === String(deletes.length)
      ? { work: carryOut }
      : { errors: { number: `Wrong number: type ${deletes.length}.` } },
  );
  return { dialog };
}

const unchanged =
  'The plan is applied only if the file and the zone have not changed since the plan was created. This cannot be undone.';
