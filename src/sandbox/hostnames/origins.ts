import { isIP } from 'node:net';
import { codes } from '../http/codes.ts';
import { type Platform, refusal } from '../http/exchange.ts';

/** The setting that stores the origins. */
export const originsSetting = 'origins';

/**
 * The ways in which the edge connects to an origin: over plain HTTP, over TLS with any certificate, or over TLS with a trusted certificate
 * that matches the name.
 */
export const tlsModes = ['off', 'full', 'strict'] as const;

/** Error statuses of the edge that a loopback server cannot reliably cause. */
export const originFaults = [520, 522, 523, 524] as const;

/** The server behind an origin's name. */
export interface OriginServer {
  /** The port of the server on loopback. Without a port, the edge shows a page that names the origin. */
  readonly port?: number;
  readonly tls?: (typeof tlsModes)[number];
  /** Certificates in PEM that the edge trusts for this origin, in addition to the system's. */
  readonly authority?: string;
  /** A simulated error status of the edge for requests to this origin. */
  readonly fault?: (typeof originFaults)[number];
}

/** Returns the ports of servers outside the platform, by the address that DNS returns for them. */
export function readServers(platform: Platform): Readonly<Record<string, number>> {
  const all = Object.entries(readOrigins(platform));
  return Object.fromEntries(
    all.flatMap(([name, { port }]) => (isIP(name) === 0 || port === undefined ? [] : [[name, port]])),
  );
}

/**
 * Returns the servers of origins that were named at the start or set later, by the origin's name or by the address of an outside server.
 * Ports that are not allowed are skipped.
 */
export function readOrigins(platform: Platform): Readonly<Record<string, OriginServer>> {
  const set = (platform.registry().settings.read(originsSetting) ?? {}) as Record<string, OriginServer>;
  const ports = Object.entries(platform.origins?.ports ?? {});
  if (ports.length === 0 && platform.origins?.only !== true) return set;
  const names = new Set([...ports.map(([name]) => name), ...Object.keys(set)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const { port = platform.origins?.ports[name], ...more } = set[name] ?? {};
      return [name, port !== undefined && isPortAccepted(platform, name, port) ? { port, ...more } : more];
    }),
  );
}

function isPortAccepted({ origins }: Pick<Platform, 'origins'>, name: string, port: number): boolean {
  return origins?.only !== true || origins.ports[name] === port;
}

/** Refuses a server on a port that was not named at the start, if only named ports are accepted. */
export function checkOrigin(platform: Pick<Platform, 'origins'>, name: string, { port }: OriginServer): void {
  if (port === undefined || isPortAccepted(platform, name, port)) return;
  throw refusal(
    400,
    codes.requestInvalid,
    `invalid origin: other machines can reach this sandbox, so it accepts only the origins that were specified when it was started, and ${name} with port ${port} is not one of them`,
  );
}

/** Sets the server behind an origin's name; undefined removes it. */
export function setOrigin(
  platform: Pick<Platform, 'registry'>,
  name: string,
  server: OriginServer | undefined,
): void {
  platform.registry().settings.change(originsSetting, (origins) => {
    const { [name]: _old, ...others } = (origins ?? {}) as Record<string, OriginServer>;
    return server === undefined ? others : { ...others, [name]: server };
  });
}
