import { Problem } from '../../../model/problem.ts';
import type { ZoneHold } from '../../../model/zones/zone.ts';
import { readHold, releaseHold, setHold } from '../../../services/zones/hold.ts';
import { parseDuration } from '../../../text/time.ts';
import { type Context, command } from '../../parsing/command.ts';
import { openZone, zoneFlags } from '../hostnames/place.ts';

export const getCommand = command({
  arguments: {},
  flags: zoneFlags,
  examples: [['zone hold get --zone acme.com', 'whether the zone is held, and with it its subdomains']],
  async run(context, { flags }) {
    const { session, zoneId } = await openZone(context, flags);
    await answerHold(context, await readHold(session, zoneId));
  },
});

function answerHold({ output }: Context, hold: ZoneHold): Promise<void> {
  const { hold: held, includeSubdomains, holdAfter } = hold;
  const back = holdAfter === undefined ? undefined : new Date(holdAfter).toISOString();
  const line = held
    ? `held${includeSubdomains ? ', subdomains as well' : ', subdomains not'}`
    : `not held${back === undefined ? '' : `; held again from ${back}`}`;
  return output.result(line, {
    hold: held,
    include_subdomains: includeSubdomains,
    ...(back !== undefined && { hold_after: back }),
  });
}

export const setCommand = command({
  arguments: {},
  flags: {
    ...zoneFlags,
    'include-subdomains': {
      kind: 'boolean',
      about: 'Also prevent subdomains: no custom hostname below the zone can be verified anywhere',
    },
  },
  examples: [['zone hold set --zone acme.com --include-subdomains', 'nobody else gets a name of the zone']],
  async run(context, { flags }) {
    const { session, zoneId } = await openZone(context, flags);
    await answerHold(context, await setHold(session, zoneId, flags['include-subdomains']));
  },
});

export const releaseCommand = command({
  arguments: {},
  flags: {
    ...zoneFlags,
    'subdomains-only': { kind: 'boolean', about: 'Keep the zone held and release its subdomains alone' },
    for: { kind: 'text', placeholder: 'DURATION', about: 'Hold it again after this long: 1h, 7d' },
  },
  examples: [
    ['zone hold release --zone acme.com --subdomains-only', 'enough for a custom hostname below the zone'],
    ['zone hold release --zone acme.com --for 1h', 'the hold comes back by itself'],
  ],
  notes: ['Afterwards a blocked custom hostname needs: edgectl hostname refresh.'],
  async run(context, { flags }) {
    if (flags['subdomains-only'] && flags.for !== undefined) {
      throw new Problem('usage', '--subdomains-only and --for do not combine.');
    }
    const seconds = flags.for === undefined ? undefined : parseDuration(flags.for);
    const { session, zoneId } = await openZone(context, flags);
    const what = flags['subdomains-only'] ? 'hold over the subdomains' : 'hold';
    await context.ask.confirm(
      `Release the ${what} of zone ${flags.zone ?? zoneId} on ${session.label}? Then others can use its names.`,
      `The ${what} of zone ${flags.zone ?? zoneId} would be released.`,
    );
    const until = seconds === undefined ? undefined : context.world.now() + seconds * 1000;
    const released = { subdomainsOnly: flags['subdomains-only'], until };
    await answerHold(context, await releaseHold(session, zoneId, released));
  },
});
