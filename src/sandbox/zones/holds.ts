import { wireTime } from '../../model/hostnames/state.ts';
import { isObject } from '../../model/json-object.ts';
import { holdsNow, type ZoneHold } from '../../model/zones/zone.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { changeInternet } from '../hostnames/run.ts';
import { clockNow } from '../http/clock.ts';
import { codes } from '../http/codes.ts';
import { type Exchange, readJson, refusal, toText } from '../http/exchange.ts';
import { requireZone } from './zones.ts';

/** Returns the zone hold (reference, 1.4). `hold_after` is the time at which the hold starts or, after a removal, starts again. */
export function getHold(exchange: Exchange): Answer {
  return ok(formatHold(requireZone(exchange).hold, clockNow(exchange.platform)));
}

/** Sets a hold on the zone. `include_subdomains=true` is the platform's option "Also prevent subdomains". */
export async function createHold(exchange: Exchange): Promise<Answer> {
  const includeSubdomains = exchange.query.get('include_subdomains') === 'true';
  return storeHold(exchange, { hold: true, includeSubdomains, holdAfter: clockNow(exchange.platform) });
}

export async function changeHold(exchange: Exchange): Promise<Answer> {
  const body = await readJson(exchange, 'the hold');
  if (!isObject(body)) throw invalid('the body', 'must be a JSON object');
  const zone = requireZone(exchange);
  const now = clockNow(exchange.platform);
  const subdomains = body['include_subdomains'];
  const held = 'hold_after' in body ? delayHold(zone.hold, body['hold_after'], now) : zone.hold;
  if (subdomains === undefined || subdomains === null) return storeHold(exchange, held);
  if (!['true', 'false'].includes(toText(subdomains)))
    throw invalid('include_subdomains', 'must be true or false');
  return storeHold(exchange, { ...held, includeSubdomains: toText(subdomains) === 'true' });
}

/** Removes the hold: permanently, or until `hold_after`. */
export async function removeHold(exchange: Exchange): Promise<Answer> {
  const zone = requireZone(exchange);
  const after = exchange.query.get('hold_after');
  const now = clockNow(exchange.platform);
  return storeHold(exchange, delayHold(zone.hold, after === '' ? null : after, now));
}

/**
 * Returns the hold after a change of `hold_after`. `null` removes the hold permanently, and "" starts the hold now. A time removes the hold
 * until that time, unless the time is in the past.
 */
function delayHold(hold: ZoneHold, after: unknown, now: number): ZoneHold {
  const { includeSubdomains } = hold;
  if (after === null) return { hold: false, includeSubdomains };
  const at = after === '' ? now : Date.parse(toText(after));
  if (!Number.isFinite(at)) throw invalid('hold_after', 'must be an RFC 3339 time');
  if (at <= now && holdsNow(hold, now)) return hold;
  return { hold: at <= now, includeSubdomains, holdAfter: at };
}

function invalid(name: string, rule: string) {
  return refusal(400, codes.requestInvalid, `invalid ${name}: ${rule}`);
}

async function storeHold(exchange: Exchange, hold: ZoneHold): Promise<Answer> {
  const { platform } = exchange;
  const { id } = requireZone(exchange);
  await changeInternet(platform, () => platform.registry().zones.setHold(id, hold));
  return ok(formatHold(hold, clockNow(platform)));
}

function formatHold(hold: ZoneHold, now: number) {
  const { holdAfter, includeSubdomains } = hold;
  return {
    hold: holdsNow(hold, now),
    include_subdomains: String(includeSubdomains),
    ...(holdAfter !== undefined && { hold_after: wireTime(holdAfter) }),
  };
}
