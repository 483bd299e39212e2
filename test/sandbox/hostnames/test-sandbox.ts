import { Resolver } from 'node:dns/promises';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import { type DnsServer, serveDns } from '../../../src/sandbox/dns/server.ts';
import { serveEdge } from '../../../src/sandbox/edge/edge.ts';
import { hostnameHandler } from '../../../src/sandbox/edge/hostnames.ts';
import { readInternet } from '../../../src/sandbox/hostnames/internet.ts';
import type { SandboxOptions } from '../../../src/sandbox/http/app.ts';
import { ownZoneName } from '../../../src/store/zones/zones.ts';
import { type Method, readBody } from '../../../src/v4/send.ts';
import { openTestSandbox, type Reply, raw, type TestSandbox, type Transport } from '../test-sandbox.ts';

/** The edge's answer. */
export interface Visited {
  readonly status: number;
  readonly text: string;
}

/** A sandbox with a fallback origin to which customers' names can point, and with its edge and its DNS on real ports. */
export interface HostnameSandbox extends TestSandbox {
  readonly zoneId: string;
  readonly dnsServer: DnsServer;
  /** Node's own resolver, which uses real UDP and TCP. */
  readonly resolver: Resolver;
  /** Sends a call below the sandbox's own zone, or below another zone. */
  zone(method: Method, path: string, json?: unknown, zoneId?: string): Promise<Reply>;
  /** Sets DNS records outside the platform: `[name, type, ...contents]`. */
  dns(...entries: readonly (readonly [string, string, ...string[]])[]): Promise<void>;
  /** Removes DNS records outside the platform. */
  unset(name: string, type?: string): Promise<void>;
  /** Advances the sandbox's clock by seconds. */
  wait(seconds: number): Promise<void>;
  /** Creates a custom hostname and returns its record. */
  add(hostname: string, more?: object): Promise<CustomHostname>;
  /** Returns the current record. */
  read(id: string): Promise<CustomHostname>;
  /** Sends a PATCH with the current settings of the record, and returns the new record. */
  patch(id: string, ssl?: object, more?: object): Promise<CustomHostname>;
  /** Creates a separate zone, and returns its id. */
  addZone(name: string): Promise<string>;
  /** Visits the edge over real HTTP. */
  visit(host: string, path?: string, headers?: Record<string, string>): Promise<Visited>;
}

/** The target of the customers' CNAMEs. */
export const target = `customers.${ownZoneName}`;
export const origin = `origin.${ownZoneName}`;
export const day = 24 * 60 * 60;

export async function openHostnameSandbox(
  way: Transport = 'in process',
  options: Partial<SandboxOptions> = {},
): Promise<HostnameSandbox> {
  const place = await openTestSandbox(way, options);
  const { platform } = place.sandbox;
  const edge = await serveEdge({ port: 0, handlers: [hostnameHandler(platform)] });
  const dnsServer = await serveDns({ port: 0, zones: () => readInternet(platform).dns });
  const resolver = new Resolver({ timeout: 250, tries: 1 });
  resolver.setServers([dnsServer.address]);
  const own = platform.registry().zoneId();
  const call = (method: Method, path: string, json?: unknown) =>
    place.call(method, path, json === undefined ? undefined : { json });
  const zone: HostnameSandbox['zone'] = (method, path, json, zoneId = own) =>
    call(method, `/zones/${zoneId}${path}`, json);
  const opened: HostnameSandbox = {
    ...place,
    zoneId: own,
    dnsServer,
    resolver,
    zone,
    dns: async (...entries) => {
      const json = entries.map(([name, type, ...contents]) => ({ name, type, contents }));
      await result(call('PUT', '/sandbox/dns', json));
    },
    unset: async (name, type) => {
      const ofType = type === undefined ? '' : `&type=${type}`;
      await result(call('DELETE', `/sandbox/dns?name=${name}${ofType}`));
    },
    wait: async (seconds) => void (await result(call('POST', '/sandbox/clock', { seconds }))),
    add: (hostname, more = {}) =>
      result(zone('POST', '/custom_hostnames', { hostname, ssl: { method: 'http', type: 'dv' }, ...more })),
    read: (id) => result(zone('GET', `/custom_hostnames/${id}`)),
    patch: (id, ssl = {}, more = {}) =>
      result(
        zone('PATCH', `/custom_hostnames/${id}`, { ssl: { method: 'http', type: 'dv', ...ssl }, ...more }),
      ),
    addZone: async (name) => (await result<{ id: string }>(call('POST', '/zones', { name }))).id,
    visit: async (host, path = '/', headers = {}) => {
      const { status, body } = await raw(edge.port, { method: 'GET', path, headers: { ...headers, host } });
      return { status, text: Buffer.from(await readBody(body)).toString('utf8') };
    },
    close: async () => {
      await edge.close();
      await dnsServer.close();
      await place.close();
    },
  };
  for (const name of [target, origin]) {
    await result(zone('POST', '/dns_records', { type: 'A', name, content: '192.0.2.10', proxied: true }));
  }
  await result(zone('PUT', '/custom_hostnames/fallback_origin', { origin }));
  await opened.wait(5);
  return opened;
}

/** Returns the result of a call, which must succeed. */
export async function result<T>(reply: Promise<Reply>): Promise<T> {
  const { status, text, envelope } = await reply;
  if (status !== 200) throw new Error(text);
  return envelope<T>().result as T;
}

/** Returns the statuses of the hostname and of its certificate, and the messages of both. */
export function seen(record: CustomHostname) {
  return {
    status: record.status,
    certificate: record.ssl?.status,
    errors: [
      ...(record.verification_errors ?? []),
      ...(record.ssl?.validation_errors ?? []).map(({ message }) => message),
    ],
  };
}
