import { plainName } from '../../../model/dns/dns.ts';
import { originRecordRefusal, originRefusal } from '../../../model/hostnames/fault.ts';
import { wireTime } from '../../../model/hostnames/state.ts';
import { isObject } from '../../../model/json-object.ts';
import type { StoredFallback, StoredZone } from '../../../store/zones/zones.ts';
import { ok } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import { clockNow } from '../../http/clock.ts';
import { type Exchange, type Platform, readJson, refusal } from '../../http/exchange.ts';
import { requireZone } from '../../zones/zones.ts';
import { hostnameCodes } from '../codes.ts';
import { findIntervention } from '../interventions.ts';
import { readFallbackStatus } from '../observe.ts';
import { changeInternet } from '../run.ts';

export function getFallback(exchange: Exchange): Answer {
  const zone = requireZone(exchange);
  if (zone.fallback === undefined) throw notSet();
  return ok(formatFallback(exchange.platform, zone, zone.fallback));
}

/** Sets the fallback origin: a name in the zone with an A, AAAA or CNAME record. The fallback origin is active three seconds later. */
export async function putFallback(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const zone = requireZone(exchange);
  const body = await readJson(exchange, 'the fallback origin');
  const given = isObject(body) ? body['origin'] : undefined;
  if (typeof given !== 'string' || given === '') {
    throw refusal(400, hostnameCodes.notDecodable, 'The JSON body of the request could not be decoded.');
  }
  const origin = plainName(given);
  const records = platform.registry().dnsRecords.list(zone.id);
  const fault = originRefusal(origin) ?? originRecordRefusal(origin, zone.id, records);
  if (fault !== undefined) throw refusal(fault.status, fault.code, fault.message);
  const now = clockNow(platform);
  const failed = findIntervention(platform, origin)?.undeployable === true;
  const createdAt = zone.fallback?.createdAt ?? now;
  const fallback = { origin, createdAt, updatedAt: now, ...(failed && { failed }) };
  await changeInternet(platform, () => platform.registry().zones.setFallback(zone.id, fallback));
  return ok(formatFallback(platform, zone, fallback));
}

export async function removeFallback(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const zone = requireZone(exchange);
  const { id, fallback } = zone;
  if (fallback === undefined) throw notSet();
  await changeInternet(platform, () => platform.registry().zones.setFallback(id, undefined));
  return ok({ ...formatFallback(platform, zone, fallback), status: 'pending_deletion' });
}

function notSet() {
  return refusal(404, hostnameCodes.fallbackNotFound, 'No fallback origin is set for the zone.');
}

function formatFallback(platform: Platform, { id }: StoredZone, fallback: StoredFallback) {
  const records = platform.registry().dnsRecords.list(id);
  return {
    origin: fallback.origin,
    status: readFallbackStatus({ id, fallback }, records, clockNow(platform)),
    errors: [],
    created_at: wireTime(fallback.createdAt),
    updated_at: wireTime(fallback.updatedAt),
  };
}
