import { isWithin } from '../../../model/dns/dns.ts';
import { isObject } from '../../../model/json-object.ts';
import { ok } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import { type Exchange, param, readJson, refusal, toText } from '../../http/exchange.ts';
import { findZonePlatform } from '../../session/account-platform.ts';
import { requireZone } from '../../zones/zones.ts';
import { deleteZoneRoute, readZoneRoutes, saveZoneRoute, type ZoneRoute } from '../zone-routes.ts';
import { workerCodes } from './codes.ts';

export function listZoneRoutes(exchange: Exchange): Answer {
  const { id } = requireZone(exchange);
  return ok(
    readZoneRoutes(exchange.platform)
      .filter(({ zoneId }) => zoneId === id)
      .map(formatRoute),
  );
}

export async function createZoneRoute(exchange: Exchange): Promise<Answer> {
  const id = Buffer.from(exchange.platform.random(16)).toString('hex');
  return writeRoute(exchange, id);
}

export function getZoneRoute(exchange: Exchange): Answer {
  return ok(formatRoute(requireRoute(exchange)));
}

export async function replaceZoneRoute(exchange: Exchange): Promise<Answer> {
  return writeRoute(exchange, requireRoute(exchange).id);
}

export function removeZoneRoute(exchange: Exchange): Answer {
  const { id } = requireRoute(exchange);
  deleteZoneRoute(exchange.platform, id);
  return ok({ id });
}

async function writeRoute(exchange: Exchange, id: string): Promise<Answer> {
  const { platform } = exchange;
  const zone = requireZone(exchange);
  const body = await readJson(exchange, 'the route');
  const { pattern, script } = isObject(body) ? body : {};
  if (typeof pattern !== 'string' || !isPattern(pattern, zone.name)) {
    const rule = `must be a host in ${zone.name}, a custom hostname or *, and a path`;
    throw refusal(
      400,
      workerCodes.routePatternInvalid,
      `invalid pattern '${toText(pattern ?? '')}': ${rule}`,
    );
  }
  if (
    script !== undefined &&
    script !== null &&
    findZonePlatform(platform, zone).registry().workers.find(toText(script)) === undefined
  )
    throw refusal(404, workerCodes.routeWorkerNotFound, `Worker ${toText(script)} not found.`);
  const isSamePattern = (route: ZoneRoute) =>
    route.zoneId === zone.id && route.pattern === pattern && route.id !== id;
  if (readZoneRoutes(platform).some(isSamePattern)) {
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
  return ok(formatRoute(route));
}

/** Returns whether a pattern is valid for a zone. Stars are allowed only at the start of the host and at the end of the path. */
function isPattern(pattern: string, zone: string): boolean {
  const [, host = '', path = ''] = /^(?:https?:\/\/)?([^/]+)(\/.*)?$/.exec(pattern) ?? [];
  const known = host === '*' || isWithin(host.replace(/^\*\.?/, ''), zone) || host.includes('.');
  return known && !host.slice(1).includes('*') && !path.slice(0, -1).includes('*');
}

function requireRoute(exchange: Exchange): ZoneRoute {
  const { id } = requireZone(exchange);
  const wanted = param(exchange, 'route');
  const found = readZoneRoutes(exchange.platform).find((route) => route.zoneId === id && route.id === wanted);
  if (found === undefined) throw refusal(404, workerCodes.routeNotFound, 'Route not found.');
  return found;
}

function formatRoute({ id, pattern, script }: ZoneRoute) {
  return { id, pattern, ...(script !== undefined && { script }) };
}
