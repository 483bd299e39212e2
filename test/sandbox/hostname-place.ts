import type { CustomHostname } from '../../src/model/hostname.ts';
import { ownZoneName } from '../../src/store/zones.ts';
import type { Method } from '../../src/v4/send.ts';
import { openPlace, type Place, type Reply, type Way } from './place.ts';

/** A sandbox with a fallback origin, to which customers' names can point. */
export interface HostnamePlace extends Place {
  readonly zoneId: string;
  /** A call below the sandbox's own zone. */
  zone(method: Method, path: string, json?: unknown): Promise<Reply>;
  /** Sets records of the world: `[name, type, ...contents]`. */
  dns(...entries: readonly (readonly [string, string, ...string[]])[]): Promise<void>;
  /** Moves the sandbox's clock ahead by seconds. */
  wait(seconds: number): Promise<void>;
  /** Creates a custom hostname and gives its record. */
  add(hostname: string, more?: object): Promise<CustomHostname>;
  /** The record as it is now. */
  read(id: string): Promise<CustomHostname>;
}

/** Where customers are told to point. */
export const target = `customers.${ownZoneName}`;
export const origin = `origin.${ownZoneName}`;

export async function openHostnamePlace(way: Way = 'in process'): Promise<HostnamePlace> {
  const place = await openPlace(way);
  const zoneId = place.sandbox.platform.registry().zoneId();
  const zone = (method: Method, path: string, json?: unknown) =>
    place.call(method, `/zones/${zoneId}${path}`, json === undefined ? undefined : { json });
  const result = async <T>(reply: Promise<Reply>): Promise<T> => {
    const { status, text, envelope } = await reply;
    if (status !== 200) throw new Error(text);
    return envelope<T>().result as T;
  };
  const hostnames: HostnamePlace = {
    ...place,
    zoneId,
    zone,
    dns: async (...entries) => {
      const json = entries.map(([name, type, ...contents]) => ({ name, type, contents }));
      await result(place.call('PUT', '/sandbox/dns', { json }));
    },
    wait: async (seconds) => {
      await result(place.call('POST', '/sandbox/clock', { json: { seconds } }));
    },
    add: (hostname, more = {}) =>
      result(zone('POST', '/custom_hostnames', { hostname, ssl: { method: 'http', type: 'dv' }, ...more })),
    read: (id) => result(zone('GET', `/custom_hostnames/${id}`)),
  };
  for (const [name, content] of [
    [target, '192.0.2.10'],
    [origin, '192.0.2.20'],
  ]) {
    await result(zone('POST', '/dns_records', { type: 'A', name, content, proxied: true }));
  }
  await result(zone('PUT', '/custom_hostnames/fallback_origin', { origin }));
  return hostnames;
}
