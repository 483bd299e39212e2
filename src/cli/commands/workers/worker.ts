import type { WorkerChange } from '../../../model/workers/changes.ts';
import type { Session } from '../../../services/session/session.ts';
import { workerName } from '../../../services/workers/deploy-project.ts';
import {
  type Deployment,
  deploymentChanges,
  deployVersion,
  listDeployments,
  planRollback,
  type RollbackPlan,
  readChangedSecrets,
} from '../../../services/workers/deployments.ts';
import {
  describeBinding,
  describeLoss,
  readWorkerFacts,
  type WorkerFacts,
} from '../../../services/workers/facts.ts';
import { deleteWorker, listWorkers } from '../../../services/workers/workers.ts';
import { commandLine } from '../../../text/shell.ts';
import { answerTable } from '../../output/answer-table.ts';
import { type Context, command } from '../../parsing/command.ts';
import { formatCount } from '../objects/report.ts';
import type * as declared from './worker-declarations.ts';

export const listCommand = command<typeof declared.workerList>({
  async run(context) {
    const workers = await listWorkers(await context.session());
    if (context.output.json) await context.output.answerJson(workers);
    else {
      const rows = workers.map(({ name, modifiedOn = '' }) => [name, modifiedOn]);
      await answerTable(context, ['NAME', 'CHANGED'], rows);
      context.output.note(`${formatCount(workers.length, 'worker')}.`);
    }
  },
});

export const getCommand = command<typeof declared.workerGet>({
  async run({ session: open, output }, { args }) {
    const session = await open();
    const name = await workerName(session, args.WORKER);
    const { deployments, bindings: all, ...facts } = await readWorkerFacts(session, name);
    const bindings = all.filter(({ type }) => type !== 'secret_text');
    const shown = { name, running: deployments[0], bindings, ...facts };
    if (output.json) await output.answerJson(shown);
    else for (const [what, value] of factRows(shown)) await output.line(`${what.padEnd(labelWidth)}${value}`);
  },
});

/** Width of the label column. */
const labelWidth = 17;

type Shown = Omit<WorkerFacts, 'deployments'> & { name: string; running: Deployment | undefined };

function factRows(shown: Shown): (readonly [string, string])[] {
  const { name, running, compatibilityDate = 'no date', compatibilityFlags, bindings, secrets } = shown;
  const shares = running?.versions.map(({ id, percentage }) =>
    percentage === 100 ? id : `${id} ${percentage}%`,
  );
  const runs = running && `${shares?.join(', ')} since ${running.createdOn} by ${running.source}`;
  return [
    ['name', name],
    ['runs', runs ?? 'nothing'],
    ['compatible with', [compatibilityDate, ...compatibilityFlags].join(', ')],
    ...bindings.map((binding) => ['binding', describeBinding(binding)] as const),
    ...secrets.map((secret) => ['secret', secret] as const),
  ];
}

export const deleteCommand = command<typeof declared.workerDelete>({
  async run(context, { args }) {
    const session = await context.session();
    const facts = await readWorkerFacts(session, args.WORKER);
    const what = `"${args.WORKER}"${describeLoss(facts)}`;
    await context.ask.confirm(
      `Delete worker ${what} on ${session.label}? The worker stops serving requests immediately. This cannot be undone.`,
      `Worker ${what} would be deleted.`,
    );
    await deleteWorker(session, args.WORKER);
    const { secrets } = facts;
    await context.output.result(`Deleted worker "${args.WORKER}".`, {
      name: args.WORKER,
      secrets,
      deleted: true,
    });
  },
});

export const deploymentsCommand = command<typeof declared.workerDeployments>({
  async run(context, { args }) {
    const session = await context.session();
    const name = await workerName(session, args.WORKER);
    const listed = await listDeployments(session, name);
    const changes = await deploymentChanges(session, name, listed);
    const deployments = listed.map((deployment, index) => {
      const changed = changes[index];
      return changed === undefined ? deployment : { ...deployment, changes: changed };
    });
    if (context.output.json) await context.output.answerJson(deployments);
    else {
      await answerTable(
        context,
        ['SINCE', 'VERSION', 'SHARE', 'BY', 'STATE', 'CHANGES', 'MESSAGE'],
        deployments.flatMap(versionRows),
      );
      context.output.note(`${formatCount(deployments.length, 'deployment')}.`);
    }
  },
});

type ComparedDeployment = Deployment & { readonly changes?: readonly WorkerChange[] };

function versionRows(deployment: ComparedDeployment, index: number): string[][] {
  const { createdOn, source, versions, changes = [], message = '' } = deployment;
  const state = index === 0 ? 'runs' : '';
  const changed = changes.map(formatShortChange).join(', ');
  return versions.map(({ id, percentage }) => [
    createdOn,
    id,
    `${percentage}%`,
    source,
    state,
    changed,
    message,
  ]);
}

const signs = { added: '+', changed: '~', removed: '-', kept: '=' } as const;

/** Formats a change in a few words: `+ secret API_KEY`, `~ code`. */
function formatShortChange({ change, what, name }: WorkerChange): string {
  return `${signs[change]} ${what === name || name.startsWith('text of') ? name : `${what} ${name}`}`;
}

export const rollbackCommand = command<typeof declared.workerRollback>({
  async run(context, { args, flags }) {
    const session = await context.session();
    const { WORKER: name } = args;
    const plan = await planRollback(session, name, args.VERSION);
    const { versionId, beforeId, changes, rolledBackAt } = plan;
    if (rolledBackAt !== undefined && args.VERSION === undefined)
      await confirmUndoneVersion(context, name, plan, rolledBackAt);
    await confirmRestoredChanges(context, name, plan, session.label);
    const secrets = await rollBack(context, session, plan, { name, message: flags.message });
    await context.output.result(`Rolled worker "${name}" back to version ${versionId} from ${beforeId}.`, {
      name,
      versionId,
      beforeId,
      changes,
      secrets,
      ...(rolledBackAt !== undefined && { rolledBackAt }),
    });
  },
});

/** Asks before redeploying a version that a rollback replaced, if the user did not name that version. */
async function confirmUndoneVersion(
  { ask, output }: Context,
  name: string,
  { versionId, olderId }: RollbackPlan,
  rolledBackAt: string,
): Promise<void> {
  const line = (version: string) => commandLine(['worker', 'rollback', name, version]);
  const older = olderId === undefined ? '' : ` To roll back further: ${line(olderId)}`;
  const lost = `Version ${versionId} was replaced by a rollback at ${rolledBackAt}, and would run again.${older}`;
  await ask.confirm([lost, `Run version ${versionId} of worker "${name}" again?`], lost);
  if (ask.isAnswered) output.warn(lost.replace('would run', 'runs'));
}

/** Asks before bindings are reverted, or secrets are added or removed. */
async function confirmRestoredChanges(
  { ask }: Context,
  name: string,
  { versionId, changes }: RollbackPlan,
  label: string,
): Promise<void> {
  const lost = changes.filter(({ what }) => what === 'binding' || what === 'secret');
  if (lost.length === 0) return;
  const lines = [
    `A rollback to version ${versionId} would change worker "${name}":`,
    ...lost.map((change) => `  ${formatChange(change)}`),
  ];
  await ask.confirm([...lines, `Roll back worker "${name}" on ${label}?`], `${lines.join('\n')}\n`);
}

function formatChange(change: WorkerChange): string {
  const values = [change.before, change.after].filter((value) => value !== undefined).join(' -> ');
  return `${formatShortChange(change)}${values === '' ? '' : `: ${values}`}`;
}

interface Rollback {
  readonly name: string;
  readonly message: string | undefined;
}

/**
 * Deploys the version. If the platform reports secrets that would revert to older values, asks for confirmation, and returns their names.
 * Secrets that the version lacks are not asked about, because an earlier question covers them.
 */
async function rollBack(
  { ask, output }: Context,
  session: Session,
  { versionId, changes }: RollbackPlan,
  { name, message }: Rollback,
): Promise<readonly string[]> {
  const removed = changes.flatMap(({ change, what, name: secret }) =>
    what === 'secret' && change === 'removed' ? [secret] : [],
  );
  const deploy = async (force: boolean) => {
    await deployVersion(session, name, versionId, { message, force });
    if (removed.length > 0 && ask.isAnswered)
      output.warn(
        `Version ${versionId} does not have the ${formatSecrets(removed)}, so worker "${name}" no longer has ${removed.length === 1 ? 'it' : 'them'}.`,
      );
  };
  try {
    await deploy(false);
    return [];
  } catch (error) {
    const changed = readChangedSecrets(error);
    if (changed === undefined) throw error;
    const secrets = changed.filter((secret) => !removed.includes(secret));
    if (secrets.length > 0 || changed.length === 0) {
      const what = formatSecrets(secrets);
      const lost = `Worker "${name}" would get the ${what} of version ${versionId}, with the older value.`;
      await ask.confirm(`${lost} Roll back anyway?`, lost);
      if (ask.isAnswered) output.warn(`Version ${versionId} restores the older value of the ${what}.`);
    }
    await deploy(true);
    return secrets;
  }
}

function formatSecrets(secrets: readonly string[]): string {
  return `${secrets.length === 1 ? 'secret' : 'secrets'} ${secrets.join(', ')}`;
}
