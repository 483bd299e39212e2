import { Problem } from '../../../model/problem.ts';
import { editHostname, refreshHostname, resolveHostname } from '../../../services/hostnames/hostnames.ts';
import { command } from '../../parsing/command.ts';
import type * as declared from './declarations.ts';
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
    if (Object.keys(wishes).length === 0) {
      throw new Problem('usage', 'Nothing is to be changed: give what to change.', {
        hint: 'To restart validation: edgectl hostname refresh. Flags: edgectl hostname edit --help',
      });
    }
    const { session, zoneId } = await openZone(context, flags);
    const record = await resolveHostname(session, zoneId, args.HOSTNAME);
    const changed = await editHostname(session, zoneId, record, wishes);
    context.output.note(`Changed ${changed.hostname}.`);
    await answerRecord(context, changed);
  },
});

export const refreshCommand = command<typeof declared.hostnameRefresh>({
  async run(context, { args, flags }) {
    const { output } = context;
    const { session, zoneId } = await openZone(context, flags);
    for (const name of args.HOSTNAME) {
      const record = await resolveHostname(session, zoneId, name);
      const refreshed = await refreshHostname(session, zoneId, record);
      await output.result(`Restarted validation of ${refreshed.hostname}: ${stateOf(refreshed)}.`, refreshed);
    }
  },
});
