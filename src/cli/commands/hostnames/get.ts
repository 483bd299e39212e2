import { parseServer } from '../../../dns/server-address.ts';
import { wireHostname } from '../../../services/hostnames/body.ts';
import { resolveHostname } from '../../../services/hostnames/hostnames.ts';
import { toHostnameRow } from '../../../services/hostnames/rows.ts';
import { instructHostname } from '../../../services/instructions/instructions.ts';
import { hostnameLines } from '../../../text/hostname.ts';
import { instructedLines } from '../../../text/instructions/lines.ts';
import { keepZoneFlags } from '../../output/remedy-texts.ts';
import { command } from '../../parsing/command.ts';
import type * as declared from './declarations.ts';
import { openZone } from './zone-choice.ts';

/**
 * With `--json`, prints only the platform's record. Otherwise, also prints the DNS records to set and who must act, as `hostname
 * instructions` does.
 */
export const getCommand = command<typeof declared.hostnameGet>({
  async run(context, { args, flags }) {
    const { output } = context;
    flags.resolver.forEach(parseServer);
    const target = flags.target === undefined ? undefined : wireHostname(flags.target);
    const { session, zoneId } = await openZone(context, flags);
    const found = await resolveHostname(session, zoneId, args.HOSTNAME);
    const { record } = await toHostnameRow(session, zoneId, found);
    if (output.json) {
      await output.answerJson(record);
      return 0;
    }
    const how = { servers: flags.resolver, target, probe: !flags['no-probe'] };
    const whom = how.probe ? 'DNS and the edge' : 'DNS';
    if (context.world.stderr.isTTY === true && !flags.quiet)
      output.live(`querying ${whom} about ${record.hostname}`);
    const instructed = await instructHostname(session, zoneId, record, how).finally(() =>
      output.live(undefined),
    );
    const lines = [
      ...instructedLines({ ...instructed, place: keepZoneFlags(context.world.argv) }),
      ...hostnameLines(record, 'instructed'),
    ];
    for (const line of lines) await output.line(line);
    for (const { fact, reason } of instructed.instructions.missing)
      output.warn(`Unknown: ${fact} (${reason}).`, { fact });
    const { edgeSilence } = instructed;
    if (edgeSilence !== undefined) output.warn(`Unknown: edge (${edgeSilence}).`, { fact: 'edge' });
    return 0;
  },
});
