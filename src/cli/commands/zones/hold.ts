import { Problem } from '../../../model/problem.ts';
import type { ZoneHold } from '../../../model/zones/zone.ts';
import { platformClock } from '../../../services/session/platform-info.ts';
import { readHold, releaseHold, setHold } from '../../../services/zones/hold.ts';
import { parseDuration } from '../../../text/time.ts';
import { type Context, command } from '../../parsing/command.ts';
import { openZone } from '../hostnames/zone-choice.ts';
import type * as declared from './declarations.ts';

export const getCommand = command<typeof declared.holdGet>({
  async run(context, { flags }) {
    const { session, zoneId } = await openZone(context, flags);
    await answerHold(context, await readHold(session, zoneId));
  },
});

function answerHold({ output }: Context, hold: ZoneHold): Promise<void> {
  const { hold: held, includeSubdomains, holdAfter } = hold;
  const back = holdAfter === undefined ? undefined : new Date(holdAfter).toISOString();
  const line = held
    ? `held${includeSubdomains ? ', including subdomains' : ', not including subdomains'}`
    : `not held${back === undefined ? '' : `; the hold takes effect again at ${back}`}`;
  return output.result(line, {
    hold: held,
    include_subdomains: includeSubdomains,
    ...(back !== undefined && { hold_after: back }),
  });
}

export const setCommand = command<typeof declared.holdSet>({
  async run(context, { flags }) {
    const { session, zoneId } = await openZone(context, flags);
    await answerHold(context, await setHold(session, zoneId, flags['include-subdomains']));
  },
});

export const releaseCommand = command<typeof declared.holdRelease>({
  async run(context, { flags }) {
    if (flags['subdomains-only'] && flags.for !== undefined) {
      throw new Problem('usage', '--subdomains-only and --for cannot be used together.');
    }
    const seconds = flags.for === undefined ? undefined : parseDuration(flags.for);
    const { session, zoneId } = await openZone(context, flags);
    const what = flags['subdomains-only'] ? 'hold on the subdomains' : 'hold';
    await context.ask.confirm(
      `Release the ${what} of zone ${flags.zone ?? zoneId} on ${session.label}? Other accounts can then use names in the zone.`,
      `The ${what} of zone ${flags.zone ?? zoneId} would be released.`,
    );
    const until = seconds === undefined ? undefined : (await platformClock(session))() + seconds * 1000;
    const released = { subdomainsOnly: flags['subdomains-only'], until };
    await answerHold(context, await releaseHold(session, zoneId, released));
  },
});
