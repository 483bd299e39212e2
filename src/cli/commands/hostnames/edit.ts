import { Problem } from '../../../model/problem.ts';
import { editHostname, refreshHostname, resolveHostname } from '../../../services/hostnames/hostnames.ts';
import { noteRefresh } from '../../../services/hostnames/refresh.ts';
import { command } from '../../parsing/command.ts';
import { wishesOf, wishFlags } from './flags.ts';
import { answerRecord } from './list.ts';
import { openZone, zoneFlags } from './place.ts';
import { stateOf } from './watch.ts';

export const editCommand = command({
  arguments: { HOSTNAME: { about: 'Hostname, or id of the custom hostname' } },
  flags: {
    ...zoneFlags,
    ...wishFlags,
    'no-wildcard': { kind: 'boolean', about: 'The certificate covers the hostname alone' },
  },
  examples: [
    ['hostname edit shop.acme.com --ca default', 'leave the choice of the authority to the platform'],
    ['hostname edit shop.acme.com --method txt', 'validate the certificate by TXT records'],
    [
      `hostname edit shop.acme.com --origin eu.saas.com --metadata '{"plan":"pro"}'`,
      'the certificate stays as it is',
    ],
  ],
  notes: [
    'Method, type and all TLS settings are sent along as they are: a change of the certificate would reset them.',
  ],
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
    await noteRefresh(session, zoneId, record.id);
    context.output.note(`Changed ${changed.hostname}.`);
    await answerRecord(context, changed);
  },
});

export const refreshCommand = command({
  arguments: { HOSTNAME: { about: 'Hostnames, or ids of custom hostnames', many: true } },
  flags: zoneFlags,
  examples: [['hostname refresh shop.acme.com', 'restart validation; a hostname in Moved comes back so']],
  async run(context, { args, flags }) {
    const { output } = context;
    const { session, zoneId } = await openZone(context, flags);
    for (const name of args.HOSTNAME) {
      const record = await resolveHostname(session, zoneId, name);
      const refreshed = await refreshHostname(session, zoneId, record);
      await noteRefresh(session, zoneId, record.id);
      await output.result(`Restarted validation of ${refreshed.hostname}: ${stateOf(refreshed)}.`, refreshed);
    }
  },
});
