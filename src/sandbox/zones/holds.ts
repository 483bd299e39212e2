import { wireTime } from '../../model/hostnames/state.ts';
import { isObject } from '../../model/json-object.ts';
import { holdsNow, type ZoneHold } from '../../model/zones/zone.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { changeInternet } from '../hostnames/run.ts';
import { clockNow } from '../http/clock.ts';
import { codes } from '../http/codes.ts';
import { type Exchange, plainText, readJson, refusal } from '../http/exchange.ts';
import { zoneOf } from './routes.ts';

/** Returns the zone hold (reference, 1.4). A time in `hold_after` is when the hold starts, or starts again. */
export function getHold(exchange: Exchange): Answer {
  return ok(shapeOf(zoneOf(exchange).hold, clockNow(exchange.platform)));
}

/** Sets a hold on the zone. `include_subdomains=true` is "Also prevent subdomains". */
export async function createHold(exchange: Exchange): Promise<Answer> {
  const includeSubdomains = exchange.query.get('include_subdomains') === 'true';
  return put(exchange, { hold: true, includeSubdomains, holdAfter: clockNow(exchange.platform) });
}

export async function changeHold(exchange: Exchange): Promise<Answer> {
  const body = await readJson(exchange, 'the hold');
  if (!isObject(body)) throw wrong('the body', 'must be a JSON object');
  const zone = zoneOf(exchange);
  const now = clockNow(exchange.platform);
  const subdomains = body['include_subdomains'];
  const held = 'hold_after' in body ? delayed(zone.hold, body['hold_after'], now) : zone.hold;
  if (subdomains === undefined || subdomains === null) return put(exchange, held);
  if (!['true', 'false'].includes(plainText(subdomains)))
    throw wrong('include_subdomains', 'must be true or false');
  return put(exchange, { ...held, includeSubdomains: plainText(subdomains) === 'true' });
}

/** Removes the hold: permanently, or until `hold_after`. */
export async function removeHold(exchange: Exchange): Promise<Answer> {
  const zone = zoneOf(exchange);
  const after = exchange.query.get('hold_after');
  const now = clockNow(exchange.platform);
  return put(exchange, delayed(zone.hold, after === '' ? null : after, now));
}

/** `null` removes the hold permanently, "" starts it now; a time removes it until then, unless it is in the past. */
function delayed(hold: ZoneHold, after: unknown, now: number): ZoneHold {
  const { includeSubdomains } = hold;
  if (after === null) return { hold: false, includeSubdomains };
  const at = after === '' ? now : Date.parse(plainText(after));
  if (!Number.isFinite(at)) throw wrong('hold_after', 'must be an RFC 3339 time');
  if (at <= now && holdsNow(hold, now)) return hold;
  return { hold: at <= now, includeSubdomains, holdAfter: at };
}

function wrong(name: string, rule: string) {
  return refusal(400, codes.requestInvalid, `invalid ${name}: ${rule}`);
}

async function put(exchange: Exchange, hold: ZoneHold): Promise<Answer> {
  const { platform } = exchange;
  const { id } = zoneOf(exchange);
  await changeInternet(platform, () => platform.registry().zones.setHold(id, hold));
  return ok(shapeOf(hold, clockNow(platform)));
}

function shapeOf(hold: ZoneHold, now: number) {
  const { holdAfter, includeSubdomains } = hold;
  return {
    hold: holdsNow(hold, now),
    include_subdomains: String(includeSubdomains),
    ...(holdAfter !== undefined && { hold_after: wireTime(holdAfter) }),
  };
}
