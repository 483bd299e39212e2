import type { WorkerRoute } from '../../model/workers/route.ts';
import type { Platform } from '../http/exchange.ts';

const setting = 'worker_routes';

/** A worker route with its zone. */
export interface ZoneRoute extends WorkerRoute {
  readonly zoneId: string;
}

/** Returns the worker routes of all zones. */
export function readZoneRoutes(platform: Platform): readonly ZoneRoute[] {
  return (platform.registry().settings.read(setting) ?? []) as readonly ZoneRoute[];
}

/** Replaces the route with the same id, or adds a new route. */
export function saveZoneRoute(platform: Platform, route: ZoneRoute): void {
  change(platform, (routes) => [...routes.filter(({ id }) => id !== route.id), route]);
}

export function deleteZoneRoute(platform: Platform, id: string): void {
  change(platform, (routes) => routes.filter((route) => route.id !== id));
}

/** Deletes the routes of a deleted zone. */
export function deleteZoneRoutesInZone(platform: Platform, zoneId: string): void {
  change(platform, (routes) => routes.filter((route) => route.zoneId !== zoneId));
}

function change(platform: Platform, work: (routes: readonly ZoneRoute[]) => readonly ZoneRoute[]): void {
  platform.registry().settings.change(setting, (routes) => work((routes ?? []) as readonly ZoneRoute[]));
}
