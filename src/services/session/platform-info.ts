import * as v from 'valibot';
import { isLoopback } from '../../model/loopback.ts';
import { isProblem } from '../../model/problem.ts';
import { canBeEmbedded, type Where } from '../../model/where.ts';
import { callResult } from '../../v4/client.ts';
import { reading } from '../hostnames/calls.ts';
import type { Session } from './session.ts';

/** The information that an embedded platform reports about itself. For a real platform, `sandbox` is false and all other fields are absent. */
export interface PlatformInfo {
  readonly sandbox: boolean;
  /** Time on the platform's clock, in milliseconds since the epoch. Users can advance this clock. */
  readonly now?: number;
  readonly zoneId?: string;
  /** The sandbox's main account, which owns the zone; reported only if the sandbox has other accounts. */
  readonly accountId?: string;
  /** Address of the sandbox's DNS server, for example `127.0.0.1:5300`. */
  readonly dns?: string;
  /** Address of the sandbox's edge, for example `http://127.0.0.1:8788`. */
  readonly edgeUrl?: string;
  readonly edgeTlsUrl?: string;
  /** The servers for the IP addresses in the sandbox's DNS: for each address, the port on this machine on which its server listens. */
  readonly servers?: Readonly<Record<string, number>>;
}

const text = v.fallback(v.optional(v.string()), undefined);
const infoShape = v.object({
  kind: text,
  now: text,
  zoneId: text,
  accountId: text,
  dns: text,
  edgeUrl: text,
  edgeTlsUrl: text,
  servers: v.fallback(v.optional(v.record(v.string(), v.number())), undefined),
});

/** Reads the information of an embedded platform. Sends nothing to a platform that cannot be embedded. */
export async function readPlatformInfo(session: Session): Promise<PlatformInfo> {
  if (!canBeEmbedded(session.where)) return { sandbox: false };
  try {
    const { result } = await callResult(session.send, reading(['sandbox', 'info']), (value) =>
      v.parse(infoShape, value),
    );
    const { now, zoneId, accountId, dns, edgeUrl, edgeTlsUrl, servers } = await toReachable(
      session.where,
      result,
    );
    return {
      sandbox: true,
      ...(now !== undefined && { now: Date.parse(now) }),
      ...(zoneId !== undefined && { zoneId }),
      ...(accountId !== undefined && { accountId }),
      ...(dns !== undefined && { dns }),
      ...(edgeUrl !== undefined && { edgeUrl }),
      ...(edgeTlsUrl !== undefined && { edgeTlsUrl }),
      ...(servers !== undefined && { servers }),
    };
  } catch (error) {
    if (isProblem(error) && ['not-found', 'refused'].includes(error.code)) return { sandbox: false };
    // A token with policies is not allowed to read this information, but the request id identifies a sandbox.
    if (isProblem(error) && error.code === 'not-permitted' && error.requestId?.endsWith('-SBX'))
      return { sandbox: true };
    throw error;
  }
}

type PlatformReport = v.InferOutput<typeof infoShape>;

/**
 * Replaces the loopback addresses that a sandbox on another host reports: its DNS server and edge have the same ports at the host's address.
 * Omits `servers`, which cannot be reached from another host.
 */
async function toReachable(where: Where, report: PlatformReport): Promise<PlatformReport> {
  const hostname = where.kind === 'remote' ? new URL(where.baseUrl).hostname : 'localhost';
  if (isLoopback(hostname)) return report;
  const { lookup } = await import('node:dns/promises');
  const { address, family } = await lookup(hostname.replace(/^\[|\]$/g, ''));
  const host = family === 6 ? `[${address}]` : address;
  const at = (url: string | undefined) => url?.replace(/^([a-z]+:\/\/)[^:/]+/, `$1${host}`);
  return {
    ...report,
    dns: report.dns?.replace(/^.*(?=:\d+$)/, host),
    edgeUrl: at(report.edgeUrl),
    edgeTlsUrl: at(report.edgeTlsUrl),
    servers: undefined,
  };
}

/**
 * Returns a stable name for the platform. A sandbox's address is not stable: the sandbox may have no server, or a server on another port.
 */
export function platformName({ where }: Session): string {
  return where.kind !== 'remote' || isLoopback(new URL(where.baseUrl).hostname) ? 'sandbox' : where.baseUrl;
}

/** Returns the platform's clock, in milliseconds: the clock of an embedded platform, which can be advanced, or else the local clock. */
export async function platformClock(session: Session): Promise<() => number> {
  const { now } = await readPlatformInfo(session);
  return offsetClock(session, now);
}

/** Returns the local clock, adjusted to the time that the platform has just reported. */
export function offsetClock({ world }: Session, shown: number | undefined): () => number {
  const ahead = shown === undefined || Number.isNaN(shown) ? 0 : shown - world.now();
  return () => world.now() + ahead;
}
