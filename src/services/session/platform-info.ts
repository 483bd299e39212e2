import * as v from 'valibot';
import { isProblem } from '../../model/problem.ts';
import { mayBeEmbedded } from '../../model/where.ts';
import { callResult } from '../../v4/client.ts';
import { reading } from '../hostnames/calls.ts';
import type { Session } from './session.ts';

/** Information from an embedded platform about itself. A real one has none: `sandbox` is false, the rest undefined. */
export interface PlatformInfo {
  readonly sandbox: boolean;
  /** Milliseconds since the epoch on the platform's clock, which can have been advanced. */
  readonly now?: number;
  readonly zoneId?: string;
  /** Address of its DNS server: `127.0.0.1:5300`. */
  readonly dns?: string;
  /** `http://127.0.0.1:8788`. */
  readonly edgeUrl?: string;
  readonly edgeTlsUrl?: string;
  /** Ports of this machine where servers answer that have these addresses in its DNS. */
  readonly servers?: Readonly<Record<string, number>>;
}

const text = v.fallback(v.optional(v.string()), undefined);
const infoShape = v.object({
  kind: text,
  now: text,
  zoneId: text,
  dns: text,
  edgeUrl: text,
  edgeTlsUrl: text,
  servers: v.fallback(v.optional(v.record(v.string(), v.number())), undefined),
});

/** Asks an embedded platform about itself; of a real platform nothing is asked. */
export async function readPlatformInfo(session: Session): Promise<PlatformInfo> {
  if (!mayBeEmbedded(session.where)) return { sandbox: false };
  try {
    const { result } = await callResult(session.send, reading(['sandbox', 'info']), (value) =>
      v.parse(infoShape, value),
    );
    const { now, zoneId, dns, edgeUrl, edgeTlsUrl, servers } = result;
    return {
      sandbox: true,
      ...(now !== undefined && { now: Date.parse(now) }),
      ...(zoneId !== undefined && { zoneId }),
      ...(dns !== undefined && { dns }),
      ...(edgeUrl !== undefined && { edgeUrl }),
      ...(edgeTlsUrl !== undefined && { edgeTlsUrl }),
      ...(servers !== undefined && { servers }),
    };
  } catch (error) {
    if (isProblem(error) && ['not-found', 'refused'].includes(error.code)) return { sandbox: false };
    throw error;
  }
}

/** A name of the platform that stays the same from run to run: a sandbox is not always served, nor at one port. */
export function platformName({ where }: Session): string {
  return where.kind !== 'remote' || mayBeEmbedded(where) ? 'sandbox' : where.baseUrl;
}

/** The platform's clock: of an embedded platform it can have been advanced, of a real one it is ours. */
export async function platformClock(session: Session): Promise<() => number> {
  const { now } = await readPlatformInfo(session);
  return clockOf(session, now);
}

/** Our clock, set by what the platform's showed just now. */
export function clockOf({ world }: Session, shown: number | undefined): () => number {
  const ahead = shown === undefined || Number.isNaN(shown) ? 0 : shown - world.now();
  return () => world.now() + ahead;
}
