import { countSteps } from '../../../../model/hostnames/fleet/plan.ts';
import { defaultIssuanceRate } from '../../../../model/hostnames/issuance.ts';
import { Problem } from '../../../../model/problem.ts';
import { aloneInZone } from '../../../../services/hostnames/fleet/alone.ts';
import { openPlanFiles, type SavedPlan } from '../../../../services/hostnames/fleet/plan-files.ts';
import {
  changing,
  type FleetPlan,
  type PlanCost,
  planCost,
} from '../../../../services/hostnames/fleet/planning.ts';
import {
  beginPlan,
  endPlan,
  keepPlan,
  planFile,
  refuseOtherFile,
  refuseOtherZone,
  refuseWrongLines,
  remainingSteps,
} from '../../../../services/hostnames/fleet/reconcile.ts';
import { readWantedFile, type WantedFile } from '../../../../services/hostnames/fleet/wanted.ts';
import { stepCells, stepColumns, stepJson, stepSummary } from '../../../../text/fleet/steps.ts';
import { commandLine } from '../../../../text/shell.ts';
import { tableLines } from '../../../../text/table.ts';
import { checkDeleteLimit } from '../../../delete-limit.ts';
import { openProgress } from '../../../output/progress.ts';
import { type Context, command, type Input } from '../../../parsing/command.ts';
import { formatCount } from '../../objects/report.ts';
import { type OpenZone, openZone } from '../zone-choice.ts';
import { confirmSteps, previewSteps } from './confirm-steps.ts';
import type * as declared from './declarations.ts';
import { runSteps } from './run-steps.ts';

type Flags = Input<typeof declared.hostnameReconcile>['flags'];

export const reconcileCommand = command<typeof declared.hostnameReconcile>({
  async run(context, { flags }) {
    checkFlags(flags);
    const saved =
      flags.apply === undefined ? undefined : await openPlanFiles(context.world).find(flags.apply);
    if (saved?.finished !== undefined) return tellDone(context, saved);
    // A saved plan requires no limit, because its hash covers each of its steps.
    checkDeleteLimit(
      flags,
      !flags.plan && saved === undefined && flags.prune,
      'Add --limit N, or run the command with --plan to get a hash, and then with --apply HASH --yes.',
    );
    const file = await readWanted(context, flags, saved);
    const zone = await openZone(context, flags);
    if (flags.plan) return planOnly(context, zone, file, flags);
    return aloneInZone(zone.session, zone.zoneId, () =>
      saved === undefined
        ? planAndApply(context, zone, file, flags)
        : applySavedPlan(context, zone, { flags, file, saved }),
    );
  },
});

async function planOnly(context: Context, zone: OpenZone, file: WantedFile, flags: Flags): Promise<number> {
  const plan = await makePlan(context, zone, file, flags.prune, flags.quiet);
  // An empty plan is saved too, so that a script can apply its hash.
  await keepPlan(zone.session, plan, file, flags);
  return answerPlan(context, plan, file, flags);
}

async function planAndApply(
  context: Context,
  zone: OpenZone,
  file: WantedFile,
  flags: Flags,
): Promise<number> {
  const plan = await makePlan(context, zone, file, flags.prune, flags.quiet);
  if (changing(plan.steps).length === 0) return tellNothing(context, plan);
  if (!context.output.json) previewSteps(context.output, changing(plan.steps));
  // The plan is saved after the confirmation: if the user declines, a saved plan with the same hash must keep its limit.
  await confirmPlan(context, zone, plan, flags.limit);
  const saved = await keepPlan(zone.session, plan, file, flags);
  return carryOutPlan(context, zone, { plan, saved, flags });
}

async function confirmPlan(
  context: Context,
  { session }: OpenZone,
  { hash, steps }: FleetPlan,
  limit: number | undefined,
): Promise<void> {
  await confirmSteps(context, session, { steps: changing(steps), limit, of: `Plan ${hash.slice(0, 12)}` });
}

function checkFlags({ file, apply, plan, prune }: Flags): void {
  if (apply === undefined && file === undefined)
    throw new Problem('usage', 'No file given: specify the file of wanted hostnames with --file.', {
      hint: 'To write the current hostnames to a file: edgectl hostname export -o wanted.csv',
    });
  if (apply === undefined) return;
  const other = plan ? '--plan' : prune ? '--prune' : undefined;
  if (other === undefined) return;
  throw new Problem('usage', `--apply uses the flags of the plan: omit ${other}.`);
}

/** Reads the file of desired hostnames; a saved plan requires an unchanged file. */
async function readWanted(
  { world }: Context,
  flags: Flags,
  saved: SavedPlan | undefined,
): Promise<WantedFile> {
  const name = flags.file ?? saved?.path;
  if (name === undefined)
    throw new Problem(
      'usage',
      'The plan was created from standard input: provide the same input again with --file.',
    );
  const file = await readWantedFile(world, name);
  refuseWrongLines(file);
  if (saved !== undefined) refuseOtherFile(saved, file);
  return file;
}

async function makePlan(
  { world, output }: Context,
  { session, zoneId }: OpenZone,
  file: WantedFile,
  prune: boolean,
  quiet: boolean,
): Promise<FleetPlan> {
  const display = openProgress(world, output, quiet);
  try {
    return await planFile(session, { zoneId, file, prune, reporter: display });
  } finally {
    display.end();
  }
}

async function tellNothing({ output }: Context, plan: FleetPlan): Promise<number> {
  const counts = countSteps(plan.steps);
  output.note(`No action needed: ${stepSummary(counts)}.`, { counts });
  if (output.json) await output.answerJson({ hash: plan.hash, done: true });
  return 0;
}

/** Reports that an earlier command has completed the plan. */
async function tellDone({ output }: Context, { hash, finished = 0 }: SavedPlan): Promise<number> {
  const at = new Date(finished).toISOString();
  output.note(`Plan ${hash.slice(0, 12)} was already applied, at ${at}; nothing was changed.`, { at });
  if (output.json) await output.answerJson({ hash, done: true });
  return 0;
}

async function showSteps({ world, output }: Context, plan: FleetPlan): Promise<void> {
  const steps = changing(plan.steps);
  if (steps.length === 0) return;
  const width = output.isTerminal ? world.stdout.columns : undefined;
  await output.listing(`${tableLines(stepColumns, steps.map(stepCells), { width }).join('\n')}\n`);
}

async function answerPlan(
  context: Context,
  plan: FleetPlan,
  file: WantedFile,
  { prune, limit, rate = defaultIssuanceRate }: Flags,
): Promise<number> {
  const { output } = context;
  const { hash, zoneId, steps } = plan;
  const counts = countSteps(steps);
  const cost = planCost(steps, rate);
  if (output.json) {
    const head = { hash, zoneId, file: file.name, prune, limit, counts, ...cost };
    await output.answerJson({ ...head, steps: steps.map(stepJson) });
    return 0;
  }
  await showSteps(context, plan);
  output.note(`Plan ${hash.slice(0, 12)}: ${stepSummary(counts)}.`);
  if (changing(steps).length === 0) return 0;
  output.note(`The plan requires ${describeCost(cost)}, and is saved for a day.`);
  output.note(`To apply it: ${applyLine(context.world.argv, hash, file.path)}`);
  if (limit !== undefined && counts.delete > limit)
    output.warn(
      `The plan deletes ${formatCount(counts.delete, 'hostname')}, which exceeds --limit ${limit}.`,
      { limit },
    );
  return 0;
}

function describeCost({ requests, minutes }: PlanCost): string {
  const asked = requests === 1 ? '1 request' : `${requests} requests`;
  if (minutes === 0) return asked;
  return `${asked} and at least ${minutes === 1 ? '1 minute' : `${minutes} minutes`}`;
}

async function applySavedPlan(
  context: Context,
  zone: OpenZone,
  {
    flags,
    file,
    saved: found,
  }: { readonly flags: Flags; readonly file: WantedFile; readonly saved: SavedPlan },
): Promise<number> {
  // Another command may have applied the plan, or started to apply it, before this command acquired the lock.
  const saved = await openPlanFiles(context.world).find(found.hash);
  if (saved.finished !== undefined) return tellDone(context, saved);
  refuseOtherZone(saved, zone.session, zone.zoneId);
  const again = await makePlan(context, zone, file, saved.prune, flags.quiet);
  const steps = remainingSteps(saved, again);
  if (steps.length === 0) {
    await endPlan(zone.session, saved);
    return tellNothing(context, again);
  }
  await confirmPlan(context, zone, { ...again, hash: saved.hash }, flags.limit ?? saved.limit);
  return carryOutPlan(context, zone, { plan: again, saved, flags });
}

interface Application {
  readonly plan: FleetPlan;
  readonly saved: SavedPlan;
  readonly flags: Flags;
}

async function carryOutPlan(
  context: Context,
  zone: OpenZone,
  { plan, saved, flags }: Application,
): Promise<number> {
  const steps = changing(plan.steps);
  await beginPlan(zone.session, saved);
  const code = await runSteps(context, zone, {
    operation: 'hostname reconcile',
    steps,
    rate: flags.rate,
    quiet: flags.quiet,
    resume: `To resume: ${applyLine(context.world.argv, saved.hash, saved.path)}`,
  });
  await endPlan(zone.session, saved);
  return code;
}

/** Flags that are omitted from the command that applies a plan, and whether they take a value. */
const savedPlanFlags: ReadonlyMap<string, boolean> = new Map([
  ['--file', true],
  ['--apply', true],
  ['--plan', false],
  ['--prune', false],
]);

/** Formats the command that applies a plan. The other arguments (zone, profile and platform) are unchanged. */
function applyLine(argv: readonly string[], hash: string, path: string | undefined): string {
  const rest: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    const [name = ''] = word.split('=', 1);
    const takesValue = savedPlanFlags.get(name);
    if (takesValue === undefined) rest.push(word);
    else if (takesValue && name === word) at += 1;
  }
  const input = path === undefined ? ['--file', '-'] : [];
  return commandLine([...rest, '--apply', hash.slice(0, 12), ...input]);
}
