import { isProblem, Problem } from '../../../model/problem.ts';
import type { Session } from '../../../services/session/session.ts';
import {
  chooseWorkers,
  eachWorker,
  readWorkerFilter,
  type WorkersReport,
} from '../../../services/workers/each-worker.ts';
import * as secrets from '../../../services/workers/secrets.ts';
import { failureJson } from '../../../text/problem.ts';
import { commandLine } from '../../../text/shell.ts';
import { openProgress } from '../../output/progress.ts';
import type { Context } from '../../parsing/command.ts';
import { formatCount } from '../objects/report.ts';
import { readSecret } from './secret-input.ts';

export interface SecretFlags {
  /** A filter with the syntax of list filters; undefined selects all workers. */
  readonly workers: string | undefined;
  readonly quiet: boolean;
}

/** A change to a secret on many workers. */
interface Change {
  readonly name: string;
  /** Description: "Set secret TOKEN". */
  readonly what: string;
  /** The result for each changed worker, in lines and in JSON. */
  readonly does: 'set' | 'deleted';
  readonly phase: string;
  /** A sentence that states the loss that the change causes. */
  readonly loss: string;
  change(worker: string): Promise<void>;
}

/** Maximum number of names shown before a question and in a sentence. */
const maxShownNames = { preview: 50, sentence: 3 };

/** Sets a secret on all selected workers; its value is read once. Returns exit code 0 if all changes succeeded, otherwise throws. */
export async function putOnMany(context: Context, name: string, flags: SecretFlags): Promise<number> {
  const filter = flags.workers === undefined ? undefined : readWorkerFilter(flags.workers);
  const session = await context.session();
  const whose = filter === undefined ? 'all workers' : `the workers "${flags.workers}"`;
  const question = `Value of the secret ${name} for ${whose} on ${session.label} (not shown): `;
  const those = flags.workers === undefined ? ['--all-workers'] : ['--workers', flags.workers];
  const command = ['secret', 'put', name, ...those];
  const { text, trimmed } = await readSecret(context.world, { question, what: 'secret', command });
  secrets.checkNotEmpty(name, text);
  if (trimmed) context.output.note('Removed the newline at the end of standard input.');
  const names = requireWorkers(session, flags, await chooseWorkers(session, filter));
  return changeMany(context, session, names, flags, {
    name,
    what: `Set secret ${name}`,
    does: 'set',
    phase: 'setting',
    loss: 'The current values cannot be restored.',
    change: (worker) => secrets.putSecret(session, worker, name, text),
  });
}

/** Deletes a secret from all selected workers that have it. Returns exit code 0 if all changes succeeded, otherwise throws. */
export async function deleteOnMany(context: Context, name: string, flags: SecretFlags): Promise<number> {
  secrets.checkSecretName(name);
  const filter = flags.workers === undefined ? undefined : readWorkerFilter(flags.workers);
  const session = await context.session();
  const names = requireWorkers(session, flags, await chooseWorkers(session, filter));
  const having = await filterBySecret(context, session, names, name, flags.quiet);
  return changeMany(context, session, having, flags, {
    name,
    what: `Delete secret ${name}`,
    does: 'deleted',
    phase: 'deleting',
    loss: 'The values cannot be restored.',
    change: (worker) => secrets.removeSecret(session, worker, name).catch(ignoreNotFound),
  });
}

/** Ignores the error for a secret that someone else has deleted meanwhile. Rethrows any other error. */
function ignoreNotFound(error: unknown): void {
  if (!isProblem(error) || error.code !== 'not-found') throw error;
}

/**
 * Returns the selected names. Fails with not-found if no workers match, because a mistyped filter must not look like success.
 */
function requireWorkers({ label }: Session, { workers: typed }: SecretFlags, names: readonly string[]) {
  if (names.length > 0) return names;
  const found = typed === undefined ? 'No workers found' : `No workers match the filter "${typed}"`;
  throw new Problem('not-found', `${found} on ${label}; nothing was changed.`, {
    hint: 'To list the workers: edgectl worker list',
  });
}

/**
 * Returns the workers that have the secret. Fails if a worker cannot be read, so nothing is changed before all these workers are known.
 */
async function filterBySecret(
  { world, output }: Context,
  session: Session,
  names: readonly string[],
  name: string,
  quiet: boolean,
): Promise<readonly string[]> {
  const having: string[] = [];
  const reporter = openProgress(world, output, quiet);
  const checkWorker = async (worker: string): Promise<void> => {
    const all = await secrets.listSecrets(session, worker);
    if (all.some((one) => one.name === name)) having.push(worker);
  };
  const checking = eachWorker(session, { names, phase: 'checking', reporter, change: checkWorker });
  const { failed, stopped } = await checking.finally(() => reporter.end());
  const problem = stopped ?? failed[0]?.problem;
  if (problem !== undefined) throw problem;
  if (having.length === 0)
    output.note(
      `Secret ${name} not found (checked ${formatCount(names.length, 'worker')}); nothing was changed.`,
    );
  return having;
}

/** Lists the workers, asks the user to confirm their number, and changes them one by one. */
async function changeMany(
  context: Context,
  session: Session,
  names: readonly string[],
  { quiet }: SecretFlags,
  change: Change,
): Promise<number> {
  const { world, output } = context;
  if (names.length > 0) {
    const workers = formatCount(names.length, 'worker');
    output.note(`${workers} on ${session.label}: ${listNames(names, maxShownNames.preview)}.`, {
      workers: names,
    });
    await context.ask.confirmTyped(
      `${change.what} ${change.does === 'set' ? 'for' : 'from'} ${workers} on ${session.label}? ${change.loss} To confirm, type ${names.length}:`,
      `Secret ${change.name} of ${workers} (${listNames(names, maxShownNames.sentence)}) would be ${change.does}.`,
      `${names.length}`,
    );
  }
  const verb = change.does === 'set' ? 'set' : 'delete';
  context.dryRun?.end(
    session.label,
    names.map((worker) => ({ does: verb, what: `secret ${change.name} of ${worker}` })),
  );
  const reporter = openProgress(world, output, quiet);
  const onDone = async (worker: string, problem: Problem | undefined): Promise<void> => {
    if (output.json) return;
    await output.line(
      problem ? `failed   ${worker}  ${problem.message}` : `${change.does.padEnd(7)}  ${worker}`,
    );
  };
  const run = { names, phase: change.phase, reporter, change: change.change, onDone };
  const report = await eachWorker(session, run).finally(() => reporter.end());
  await reportWorker(context, report, change);
  return conclude(context, report, change);
}

async function reportWorker(
  { output }: Context,
  report: WorkersReport,
  { name, does }: Change,
): Promise<void> {
  const { done, failed, notStarted } = report;
  const failures = failed.map(({ worker, problem }) => ({
    worker,
    error: failureJson(problem, output.words),
  }));
  if (output.json) await output.answerJson({ name, [does]: done, failed: failures, left: notStarted });
  else if (done.length > 0)
    output.note(
      `${does === 'set' ? 'Set' : 'Deleted'} secret ${name} ${does === 'set' ? 'for' : 'from'} ${formatCount(done.length, 'worker')}.`,
    );
}

/**
 * Returns 0 if all changes succeeded. Otherwise throws: `partly-done` if some changes succeeded, `refused` if none did, `interrupted` after
 * Ctrl-C, or the failure itself if only one worker was to be changed.
 */
function conclude({ world }: Context, report: WorkersReport, { what }: Change): number {
  const { done, failed, notStarted, stopped } = report;
  const [first] = failed;
  if (first === undefined && stopped === undefined) return 0;
  if (done.length === 0 && stopped !== undefined) throw stopped;
  if (first !== undefined && done.length + notStarted.length === 0 && failed.length === 1)
    throw first.problem;
  const failing = failed.map(({ worker }) => worker);
  const parts = [
    ...(failing.length > 0 ? [`failed on ${listNames(failing, maxShownNames.preview)}`] : []),
    ...(notStarted.length > 0 ? [`not started on ${listNames(notStarted, maxShownNames.preview)}`] : []),
    ...(done.length > 0 ? [`done on ${formatCount(done.length, 'worker')}`] : []),
  ];
  const code = stopped?.code === 'interrupted' ? stopped.code : done.length === 0 ? 'refused' : 'partly-done';
  throw new Problem(code, `${what}: ${parts.join(', ')}.`, {
    hint: `Running the command again is safe: ${commandLine(world.argv)}`,
    cause: stopped ?? first?.problem,
  });
}

function listNames(names: readonly string[], maxNames: number): string {
  const more = names.length - maxNames;
  return `${names.slice(0, maxNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
