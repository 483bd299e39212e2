import type { StoredHostname } from '../../../store/hostnames/hostnames.ts';
import { type Exchange, param, refusal } from '../../http/exchange.ts';
import { requireZone } from '../../zones/zones.ts';
import { hostnameCodes } from '../codes.ts';

/** Returns the custom hostname in the path. Refuses a malformed id (1435), and an id that is not in the zone (1436). */
export function requireHostname(exchange: Exchange): StoredHostname {
  const id = param(exchange, 'hostname');
  if (!/^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i.test(id)) {
    throw refusal(400, hostnameCodes.idInvalid, 'The custom hostname ID is invalid.');
  }
  const zone = requireZone(exchange);
  const found = exchange.platform.registry().hostnames.find(zone.id, id);
  if (found === undefined) throw refusal(404, hostnameCodes.notFound, 'The custom hostname was not found.');
  return found;
}
