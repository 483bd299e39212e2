import type { Fact } from '../../model/diagnosis/facts.ts';
import type { FallbackOrigin, HostnameQuota } from '../../model/zones/zone.ts';
import { factOf } from '../diagnosis/fact.ts';
import { platformClock } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { readFallbackOrigin } from './fallback-origin.ts';
import { readQuota } from './hostnames.ts';

/** Settings and limits shared by all custom hostnames of a zone. A fact that cannot be read says why. */
export interface ZoneOverview {
  readonly fallback: Fact<FallbackOrigin | null>;
  readonly quota: Fact<HostnameQuota>;
  /** Milliseconds that the platform's clock is ahead of ours: an embedded one can have been advanced. */
  readonly ahead: number;
}

export async function readZoneOverview(session: Session, zoneId: string): Promise<ZoneOverview> {
  const [fallback, quota, clock] = await Promise.all([
    factOf(async () => (await readFallbackOrigin(session, zoneId)) ?? null),
    factOf(() => readQuota(session, zoneId)),
    platformClock(session),
  ]);
  return { fallback, quota, ahead: clock() - session.world.now() };
}
