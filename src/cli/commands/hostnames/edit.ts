import type { CustomHostname } from '../../../model/hostnames/hostname.ts';
import { Problem } from '../../../model/problem.ts';
import type { HostnameInput } from '../../../services/hostnames/body.ts';
import { aloneInZone } from '../../../services/hostnames/fleet/alone.ts';
import {
  type ChangingSteps,
  changingSteps,
  restartingSteps,
} from '../../../services/hostnames/fleet/steps.ts';
import { wrongFile } from '../../../services/hostnames/fleet/wanted.ts';
import { editHostname, refreshHostname, resolveHostname } from '../../../services/hostnames/hostnames.ts';
import type { Session } from '../../../services/session/session.ts';
import type { HostnameUpdate } from '../../../services/undo/hostnames.ts';
import { commandLine } from '../../../text/shell.ts';
import { keepZoneFlags } from '../../output/remedy-texts.ts';
import { type Context, type ContextOf, command } from '../../parsing/command.ts';
import { openUndoRecorder, type UndoFlags, type UndoRecorder } from '../undo/undo-recorder.ts';
import type * as declared from './declarations.ts';
import { choosesMany, doMany, type ManyFlags } from './fleet/many.ts';
import { parseHostnameInputs } from './hostname-inputs.ts';
import { answerRecord } from './list.ts';
import { toState } from './watch.ts';
import { openZone } from './zone-choice.ts';

export const editCommand = command<typeof declared.hostnameEdit>({
  async run(context, { args, flags }) {
    if (flags.wildcard && flags['no-wildcard']) {
      throw new Problem('usage', '--wildcard and --no-wildcard cannot be used together.');
    }
    const input = { ...parseHostnameInputs(flags), ...(flags['no-wildcard'] && { wildcard: false }) };
    const choice = { ...flags, having: flags['with-metadata'], havingFlag: '--with-metadata' };
    const isMany = choosesMany('hostname edit', args.HOSTNAME, choice);
    // With a file, no attribute is required on the command line, because the lines of the file can set attributes.
    if (Object.keys(input).length === 0 && flags.file === undefined) {
      throw new Problem('usage', 'Nothing to change: specify at least one attribute.', {
        hint: `To restart validation: ${refreshLine(context, args.HOSTNAME)}   Flags: edgectl hostname edit --help`,
      });
    }
    const [name, ...others] = args.HOSTNAME;
    if (!isMany && name !== undefined && others.length === 0) return editOne(context, flags, name, input);
    return doMany(context, choice, {
      words: 'hostname edit',
      verb: 'Change',
      missingIs: 'failed',
      names: args.HOSTNAME,
      input,
      steps: (hostnames) => rightSteps(changingSteps(hostnames, input)),
    });
  },
});

function refreshLine({ world }: Context, names: readonly string[]): string {
  return commandLine([...keepZoneFlags(world.argv), 'hostname', 'refresh', ...names]);
}

interface OneFlags extends UndoFlags {
  readonly zone: string | undefined;
}

type Change = (
  session: Session,
  zoneId: string,
  record: CustomHostname,
) => Promise<{ readonly record: CustomHostname; readonly undo?: string }>;

async function editOne(
  context: Context,
  flags: OneFlags,
  name: string,
  input: HostnameInput,
): Promise<number> {
  const { session, zoneId } = await openZone(context, flags);
  const edit = await editing(await openUndoRecorder(context, flags, 'by default'), input);
  const before = await resolveHostname(session, zoneId, name);
  const { record, undo } = await edit(session, zoneId, before);
  context.output.note(`Changed ${record.hostname}.`);
  await answerRecord(context, record, { before, undo });
  return 0;
}

async function editing(keeping: UndoRecorder | undefined, input: HostnameInput): Promise<Change> {
  if (keeping === undefined) return async (...at) => ({ record: await editHostname(...at, input) });
  const { editHostnameWithUndo } = await import('../../../services/undo/hostnames.ts');
  return async (...at) => formatChanges(keeping, await editHostnameWithUndo(...at, input));
}

async function refreshing(keeping: UndoRecorder | undefined): Promise<Change> {
  if (keeping === undefined) return async (...at) => ({ record: await refreshHostname(...at) });
  const { refreshHostnameWithUndo } = await import('../../../services/undo/hostnames.ts');
  return async (...at) => formatChanges(keeping, await refreshHostnameWithUndo(...at));
}

function formatChanges(
  keeping: UndoRecorder,
  { record, entry }: HostnameUpdate,
): Awaited<ReturnType<Change>> {
  return { record, ...keeping.report(entry) };
}

function rightSteps({ steps, wrong }: ChangingSteps): ChangingSteps['steps'] {
  if (wrong.length === 0) return steps;
  const hint = 'Omit the invalid attributes, or change their values.';
  throw wrongFile('The request', wrong, { nothing: 'nothing was changed', hint });
}

export const refreshCommand = command<typeof declared.hostnameRefresh>({
  async run(context, { args, flags }) {
    const choice = { ...flags, having: flags.metadata, havingFlag: '--metadata' };
    if (choosesMany('hostname refresh', args.HOSTNAME, choice)) return restartMany(context, choice);
    const { session, zoneId } = await openZone(context, flags);
    const isOne = args.HOSTNAME.length === 1;
    // If several hostnames change, nothing is saved for undo.
    const refresh = await refreshing(
      isOne ? await openUndoRecorder(context, flags, 'by default') : undefined,
    );
    const refreshAll = async (): Promise<void> => {
      for (const name of args.HOSTNAME) {
        const record = await resolveHostname(session, zoneId, name);
        const refreshed = await refresh(session, zoneId, record);
        await answerRefreshed(context, refreshed, isOne);
      }
    };
    await (isOne ? refreshAll() : aloneInZone(session, zoneId, refreshAll));
    return 0;
  },
});

/** Prints a single refreshed hostname as its record, and several hostnames as one line each. */
async function answerRefreshed(
  { output }: ContextOf<typeof declared.hostnameRefresh>,
  { record: refreshed, undo }: Awaited<ReturnType<Change>>,
  isAlone: boolean,
): Promise<void> {
  const { id, hostname, status, ssl } = refreshed;
  if (!output.json) await output.line(`Restarted validation of ${hostname}: ${toState(refreshed)}.`);
  else if (isAlone) await output.answerJson({ ...refreshed, ...(undo !== undefined && { undo }) });
  else await output.answerJsonLine({ hostname, result: 'refreshed', id, status, certificate: ssl?.status });
}

function restartMany(context: Context, choice: ManyFlags): Promise<number> {
  return doMany(context, choice, {
    words: 'hostname refresh',
    verb: 'Restart the validation of',
    missingIs: 'failed',
    names: [],
    steps: restartingSteps,
  });
}
