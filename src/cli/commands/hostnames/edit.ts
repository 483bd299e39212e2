import type { CustomHostname } from '../../../model/hostnames/hostname.ts';
import { Problem } from '../../../model/problem.ts';
import type { HostnameWishes } from '../../../services/hostnames/body.ts';
import { aloneInZone } from '../../../services/hostnames/fleet/alone.ts';
import {
  type ChangingSteps,
  changingSteps,
  restartingSteps,
} from '../../../services/hostnames/fleet/steps.ts';
import { wrongFile } from '../../../services/hostnames/fleet/wrong-file.ts';
import { editHostname, refreshHostname, resolveHostname } from '../../../services/hostnames/hostnames.ts';
import type { KeptChange } from '../../../services/undo/hostnames.ts';
import { type Context, type ContextOf, command } from '../../parsing/command.ts';
import { type Keeping, keepsFor } from '../undo/keeping.ts';
import type * as declared from './fleet/declarations.ts';
import { choosesMany, doMany, type ManyFlags } from './fleet/many.ts';
import { answerRecord } from './list.ts';
import { stateOf } from './watch.ts';
import { wishesOf } from './wishes.ts';
import { openZone } from './zone-choice.ts';

export const editCommand = command<typeof declared.hostnameEdit>({
  async run(context, { args, flags }) {
    if (flags.wildcard && flags['no-wildcard']) {
      throw new Problem('usage', 'Both --wildcard and --no-wildcard are given.');
    }
    const wishes = { ...wishesOf(flags), ...(flags['no-wildcard'] && { wildcard: false }) };
    const choice = { ...flags, having: flags['with-metadata'], havingFlag: '--with-metadata' };
    const isMany = choosesMany('hostname edit', args.HOSTNAME, choice);
    // The lines of a file can say it instead.
    if (Object.keys(wishes).length === 0 && flags.file === undefined) {
      throw new Problem('usage', 'Nothing is to be changed: give what to change.', {
        hint: 'To restart validation: edgectl hostname refresh. Flags: edgectl hostname edit --help',
      });
    }
    const [name, ...others] = args.HOSTNAME;
    if (!isMany && name !== undefined && others.length === 0) return editOne(context, flags, name, wishes);
    return doMany(context, choice, {
      words: 'hostname edit',
      verb: 'Change',
      missingIs: 'failed',
      names: args.HOSTNAME,
      wishes,
      steps: (hostnames) => rightSteps(changingSteps(hostnames, wishes)),
    });
  },
});

interface OneFlags {
  readonly zone: string | undefined;
  readonly undo: boolean;
}

async function editOne(
  context: Context,
  flags: OneFlags,
  name: string,
  wishes: HostnameWishes,
): Promise<number> {
  const { session, zoneId } = await openZone(context, flags);
  const keeping = await keepsFor(context, flags.undo);
  const record = await resolveHostname(session, zoneId, name);
  const edit = keeping === undefined ? editHostname : await editKeeping(keeping);
  const changed = await edit(session, zoneId, record, wishes);
  context.output.note(`Changed ${changed.hostname}.`);
  await answerRecord(context, changed);
  return 0;
}

async function editKeeping(keeping: Keeping): Promise<typeof editHostname> {
  const { editHostnameKeeping } = await import('../../../services/undo/hostnames.ts');
  return async (...wanted) => saidOf(keeping, await editHostnameKeeping(...wanted));
}

async function refreshKeeping(keeping: Keeping): Promise<typeof refreshHostname> {
  const { refreshHostnameKeeping } = await import('../../../services/undo/hostnames.ts');
  return async (...wanted) => saidOf(keeping, await refreshHostnameKeeping(...wanted));
}

function saidOf(keeping: Keeping, { record, entry }: KeptChange): CustomHostname {
  keeping.said(entry);
  return record;
}

function rightSteps({ steps, wrong }: ChangingSteps): ChangingSteps['steps'] {
  if (wrong.length === 0) return steps;
  const hint = 'Leave them out, or change them otherwise.';
  throw wrongFile('What is asked', wrong, { nothing: 'nothing was changed', hint });
}

export const refreshCommand = command<typeof declared.hostnameRefresh>({
  async run(context, { args, flags }) {
    const choice = { ...flags, having: flags.metadata, havingFlag: '--metadata' };
    if (choosesMany('hostname refresh', args.HOSTNAME, choice)) return restartMany(context, choice);
    const { session, zoneId } = await openZone(context, flags);
    const isOne = args.HOSTNAME.length === 1;
    // Several at once are never kept.
    const keeping = isOne ? await keepsFor(context, flags.undo) : undefined;
    const refresh = keeping === undefined ? refreshHostname : await refreshKeeping(keeping);
    const refreshAll = async (): Promise<void> => {
      for (const name of args.HOSTNAME) {
        const record = await resolveHostname(session, zoneId, name);
        const refreshed = await refresh(session, zoneId, record);
        await answerRefreshed(context, refreshed, args.HOSTNAME.length === 1);
      }
    };
    await (isOne ? refreshAll() : aloneInZone(session, zoneId, refreshAll));
    return 0;
  },
});

/** One alone is answered as its record, several as a line each. */
async function answerRefreshed(
  { output }: ContextOf<typeof declared.hostnameRefresh>,
  refreshed: CustomHostname,
  isAlone: boolean,
): Promise<void> {
  const { id, hostname, status, ssl } = refreshed;
  if (!output.json) await output.line(`Restarted validation of ${hostname}: ${stateOf(refreshed)}.`);
  else if (isAlone) await output.answerJson(refreshed);
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
