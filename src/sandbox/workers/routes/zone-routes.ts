import { isWithin } from '../../../model/dns/dns.ts';
import { isObject } from '../../../model/json-object.ts';
import { ok } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import { codes } from '../../http/codes.ts';
import { type Exchange, param, plainText, readJson, refusal } from '../../http/exchange.ts';
import { platformOfZone } from '../../session/account-platform.ts';
import { zoneOf } from '../../zones/routes.ts';
import { dropZoneRoute, saveZoneRoute, type ZoneRoute, zoneRoutesOf } from '../zone-routes.ts';
import { workerCodes } from './codes.ts';

export function listZoneRoutes(exchange: Exchange): Answer {
  const { id } = zoneOf(exchange);
  return ok(
    zoneRoutesOf(exchange.platform)
      .filter(({ zoneId }) => zoneId === id)
      .map(shapeOf),
  );
}

export async function createZoneRoute(exchange: Exchange): Promise<Answer> {
  const id = Buffer.from(exchange.platform.random(16)).toString('hex');
  return write(exchange, id);
}

export function getZoneRoute(exchange: Exchange): Answer {
  return ok(shapeOf(routeOf(exchange)));
}

export async function replaceZoneRoute(exchange: Exchange): Promise<Answer> {
  return write(exchange, routeOf(exchange).id);
}

export function removeZoneRoute(exchange: Exchange): Answer {
  const { id } = routeOf(exchange);
  dropZoneRoute(exchange.platform, id);
  return ok({ id });
}

async function write(exchange: Exchange, id: string): Promise<Answer> {
  const { platform } = exchange;
  const zone = zoneOf(exchange);
  const body = await readJson(exchange, 'the route');
  const { pattern, script } = isObject(body) ? body : {};
  if (typeof pattern !== 'string' || !isPattern(pattern, zone.name)) {
    const rule = `must be a host in ${zone.name}, a custom hostname or *, and a path`;
    throw refusal(400, codes.requestInvalid, `invalid pattern '${plainText(pattern ?? '')}': ${rule}`);
  }
  if (
    script !== undefined &&
    script !== null &&
    platformOfZone(platform, zone).registry().workers.find(plainText(script)) === undefined
  )
    throw refusal(404, workerCodes.workerNotFound, `Worker ${plainText(script)} not found.`);
  const same = (route: ZoneRoute) => route.zoneId === zone.id && route.pattern === pattern && route.id !== id;
  if (zoneRoutesOf(platform).some(same)) {
    const message = 'A route with the same pattern already exists.';
    throw refusal(409, workerCodes.routeTaken, message);
  }
  const route: ZoneRoute = {
    id,
    zoneId: zone.id,
    pattern,
    ...(typeof script === 'string' && { script }),
  };
  saveZoneRoute(platform, route);
  return ok(shapeOf(route));
}

/** Stars are allowed only at the start of the host and at the end of the path. */
function isPattern(pattern: string, zone: string): boolean {
  const [, host = '', path = ''] = /^(?:https?:\/\/)?([^/]+)(\/.*)?$/.exec(pattern) ?? [];
  const known = host === '*' || isWithin(host.replace(/^\*\.?/, ''), zone) || host.includes('.');
  return known && !host.slice(1).includes('*') && !path.slice(0, -1).includes('*');
}

function routeOf(exchange: Exchange): ZoneRoute {
  const { id } = zoneOf(exchange);
  const wanted = param(exchange, 'route');
  const found = zoneRoutesOf(exchange.platform).find((route) => route.zoneId === id && route.id === wanted);
  if (found === undefined) throw refusal(404, workerCodes.workerNotFound, 'Route not found.');
  return found;
}

function shapeOf({ id, pattern, script }: ZoneRoute) {
  return { id, pattern, ...(script !== undefined && { script }) };
}
