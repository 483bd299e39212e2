import { workerName } from '../../../services/workers/deploy-project.ts';
import { type Deployment, listDeployments, rollBack } from '../../../services/workers/deployments.ts';
import {
  bindingWords,
  lossWords,
  readWorkerFacts,
  type WorkerFacts,
} from '../../../services/workers/facts.ts';
import { deleteWorker, listWorkers } from '../../../services/workers/workers.ts';
import { answerTable } from '../../output/answer-table.ts';
import { command } from '../../parsing/command.ts';
import { countOf } from '../objects/report.ts';
import type * as declared from './worker-declarations.ts';

export const listCommand = command<typeof declared.workerList>({
  async run(context) {
    const workers = await listWorkers(await context.session());
    if (context.output.json) await context.output.answerJson(workers);
    else {
      const rows = workers.map(({ name, modifiedOn = '' }) => [name, modifiedOn]);
      await answerTable(context, ['NAME', 'CHANGED'], rows);
      context.output.note(`${countOf(workers.length, 'worker')}.`);
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

/** Columns before a value. */
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
    ...bindings.map((binding) => ['binding', bindingWords(binding)] as const),
    ...secrets.map((secret) => ['secret', secret] as const),
  ];
}

export const deleteCommand = command<typeof declared.workerDelete>({
  async run(context, { args }) {
    const session = await context.session();
    const facts = await readWorkerFacts(session, args.WORKER);
    const what = `"${args.WORKER}"${lossWords(facts)}`;
    await context.ask.confirm(
      `Delete worker ${what} on ${session.label}? It answers no more at once, and this cannot be undone.`,
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
    const deployments = await listDeployments(session, name);
    if (context.output.json) await context.output.answerJson(deployments);
    else {
      await answerTable(
        context,
        ['SINCE', 'VERSION', 'SHARE', 'BY', 'STATE'],
        deployments.flatMap(versionRows),
      );
      context.output.note(`${countOf(deployments.length, 'deployment')}.`);
    }
  },
});

function versionRows({ createdOn, source, versions }: Deployment, index: number): string[][] {
  const state = index === 0 ? 'runs' : '';
  return versions.map(({ id, percentage }) => [createdOn, id, `${percentage}%`, source, state]);
}

export const rollbackCommand = command<typeof declared.workerRollback>({
  async run(context, { args, flags }) {
    const session = await context.session();
    const { versionId, beforeId } = await rollBack(session, args.WORKER, args.VERSION, flags.message);
    await context.output.result(
      `Worker "${args.WORKER}" runs version ${versionId}, in the place of ${beforeId}.`,
      { name: args.WORKER, versionId, beforeId },
    );
  },
});
