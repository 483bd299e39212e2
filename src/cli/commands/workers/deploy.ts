import { truncate } from '../../../model/long-text.ts';
import type { WorkerChange } from '../../../model/workers/changes.ts';
import { type DeployPlan, deploy, planDeploy } from '../../../services/workers/deploy.ts';
import { formatSize } from '../../../text/size.ts';
import { type Context, command } from '../../parsing/command.ts';
import type * as declared from './declarations.ts';

export const deployCommand = command<typeof declared.deploy>({
  async run(context, { args, flags }) {
    const session = await context.session();
    const { output } = context;
    const plan = await planDeploy(session, {
      entry: args.ENTRY,
      name: flags.name,
      compatibilityDate: flags['compatibility-date'],
    });
    for (const warning of plan.warnings) output.warn(warning);
    if (flags['dry-run']) return showPlan(context, plan, session.label);
    for (const line of planLines(plan, session.label)) output.note(line);
    await confirmForeign(context, plan, session.label);
    const deployed = await deploy(session, plan);
    const { name, url, versionId } = deployed;
    const where = url === undefined ? '' : ` at ${url}`;
    await output.result(`Deployed worker "${name}"${where} (version ${versionId}).`, {
      name,
      url: url ?? null,
      versionId,
    });
    if (!plan.isRouted) output.note('The worker has no workers.dev hostname (workers_dev = false).');
    else if (url === undefined)
      output.note('No server is running the worker. To serve it: edgectl sandbox start');
    return undefined;
  },
});

async function showPlan({ output }: Context, plan: DeployPlan, label: string): Promise<undefined> {
  const { changes, isNew, upload } = plan;
  const foreign = plan.foreign.map(({ name }) => name);
  if (output.json) await output.answerJson({ name: upload.name, dryRun: true, new: isNew, changes, foreign });
  else for (const line of planLines(plan, label)) await output.line(line);
  if (foreign.length > 0) output.note(`${formatForeign(plan)}. A deployment asks for confirmation first.`);
  output.note('Nothing was deployed.');
}

/** Asks before removing bindings that this project did not deploy from this machine. */
async function confirmForeign({ ask }: Context, plan: DeployPlan, label: string): Promise<void> {
  if (plan.foreign.length === 0) return;
  const what = formatForeign(plan);
  await ask.confirm(
    `Deploy worker "${plan.upload.name}" on ${label}? ${what}.`,
    `${what}. Worker "${plan.upload.name}" would be deployed.`,
  );
}

function formatForeign({ foreign }: DeployPlan): string {
  const bindings = foreign.map(({ name, before }) => `${name} (${truncate(before ?? '', maxShownLength)})`);
  const count = foreign.length === 1 ? 'a binding' : `${foreign.length} bindings`;
  return `The deployment removes ${count} that this project did not deploy from this machine: ${bindings.join(', ')}`;
}

/** Formats the changes of a deployment, one change per line. */
function planLines({ upload, isNew, changes }: DeployPlan, label: string): string[] {
  const size = upload.code.modules.reduce((sum, { content }) => sum + content.length, 0);
  const title = `${isNew ? 'New worker' : 'Worker'} "${upload.name}" on ${label}, ${formatSize(size)}:`;
  const lines = changes.map(formatChange);
  return [title, ...(lines.length === 0 ? ['  no changes'] : lines)];
}

const signs = { added: '+', changed: '~', removed: '-', kept: '=' } as const;

/** Maximum length of a value in a line; `--json` prints the full value. */
const maxShownLength = 80;

function formatValues(before: string | undefined, after: string | undefined): string {
  const both = [before, after].filter((one) => one !== undefined);
  const shown = both.map((one) => truncate(one, maxShownLength));
  const isAlike = shown.length === 2 && shown[0] === shown[1];
  return isAlike ? `${shown[0]} (the values differ after this point)` : shown.join(' -> ');
}

function formatChange({ change, what, name, before, after }: WorkerChange): string {
  const subject = what === 'compatibility date' ? what : `${what} ${name}`;
  const text = change === 'kept' ? 'kept' : formatValues(before, after);
  return `  ${signs[change]} ${subject}${text === '' ? '' : `: ${text}`}`;
}
