import { Problem } from '../../../model/problem.ts';
import type { FallbackOrigin } from '../../../model/zones/zone.ts';
import {
  deleteFallbackOrigin,
  readFallbackOrigin,
  setFallbackOrigin,
} from '../../../services/hostnames/fallback-origin.ts';
import { command } from '../../parsing/command.ts';
import type * as declared from './declarations.ts';
import { openZone } from './zone-choice.ts';

export const getCommand = command<typeof declared.fallbackOriginGet>({
  async run(context, { flags }) {
    const { session, zoneId } = await openZone(context, flags);
    const fallback = await readFallbackOrigin(session, zoneId);
    if (fallback === undefined) {
      throw new Problem('not-found', 'The zone has no fallback origin.', {
        hint: 'Set one: edgectl hostname fallback-origin set NAME',
      });
    }
    await context.output.result(lineOf(fallback), fallback);
  },
});

function lineOf({ origin, status, errors }: FallbackOrigin): string {
  const faults = (errors ?? []).length === 0 ? '' : ` (${(errors ?? []).join('; ')})`;
  return `${origin}: ${status ?? 'no status'}${faults}`;
}

export const setCommand = command<typeof declared.fallbackOriginSet>({
  async run(context, { args, flags }) {
    const { session, zoneId } = await openZone(context, flags);
    const fallback = await setFallbackOrigin(session, zoneId, args.ORIGIN);
    await context.output.result(`Set the fallback origin: ${lineOf(fallback)}.`, fallback);
  },
});

export const deleteCommand = command<typeof declared.fallbackOriginDelete>({
  async run(context, { flags }) {
    const { session, zoneId } = await openZone(context, flags);
    const lost = 'every custom hostname without an origin of its own ends in error 1016';
    await context.ask.confirm(
      `Take the fallback origin of the zone away on ${session.label}? Then ${lost}.`,
      `The fallback origin would be taken away, and ${lost}.`,
    );
    await deleteFallbackOrigin(session, zoneId);
    await context.output.result('Took the fallback origin away.', { deleted: true });
  },
});
