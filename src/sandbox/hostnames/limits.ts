import {
  askIssuance,
  countIssuance,
  type IssuanceWindow,
  issuanceGauge,
  openIssuanceWindow,
} from '../../model/hostnames/issuance.ts';
import { planQuota } from '../../model/zones/plan.ts';
import type { HostnameQuota } from '../../model/zones/zone.ts';
import { clockNow } from '../http/clock.ts';
import type { Platform } from '../http/exchange.ts';
import { readZonePlan } from '../zones/zone-changes.ts';

const windowSetting = 'issuance';
const quotaSetting = 'hostname_quota';

/** Returns the used and the maximum number of custom hostnames of a zone. */
export function readHostnameQuota(platform: Platform, zoneId: string): HostnameQuota {
  const { settings, hostnames } = platform.registry();
  const usual = planQuota(readZonePlan(platform, zoneId));
  const limits = (settings.read(quotaSetting) ?? usual) as typeof usual;
  const used = hostnames.count(zoneId);
  return { allocated: limits.allocated, used, exceeded: used > limits.allocated, hard_cap: limits.hard_cap };
}

/** Sets the quota of every zone. */
export function setQuota(platform: Platform, allocated: number, hardCap: number): void {
  platform.registry().settings.write(quotaSetting, { allocated, hard_cap: hardCap });
}

/**
 * Checks the issuance limit before an order. If the limit is reached, starts or keeps the block and returns the seconds to wait; otherwise
 * returns undefined (specification, Limits). The order is counted later, by `recordIssuance`.
 */
export function reserveIssuance(platform: Platform): number | undefined {
  const now = clockNow(platform);
  if (askIssuance(readWindow(platform), now).retryAfter === undefined) return undefined;
  let wait: number | undefined;
  platform.registry().settings.change(windowSetting, (stored) => {
    const { window, retryAfter } = askIssuance(toWindow(platform, stored), now);
    wait = retryAfter;
    return retryAfter === undefined ? stored : window;
  });
  return wait;
}

/** Counts the issuance after a hostname was created. */
export function recordIssuance(platform: Platform): void {
  const now = clockNow(platform);
  platform
    .registry()
    .settings.change(windowSetting, (stored) =>
      countIssuance(askIssuance(toWindow(platform, stored), now).window, now),
    );
}

/**
 * Returns the issuance limit per minute, the number of certificates issued in the last minute, and the number of seconds until the block
 * ends (0 without a block).
 */
export function readIssuance(platform: Platform): { limit: number; used: number; blockedSeconds: number } {
  const window = readWindow(platform);
  return { limit: window.limit, ...issuanceGauge(window, clockNow(platform)) };
}

function readWindow(platform: Platform): IssuanceWindow {
  return toWindow(platform, platform.registry().settings.read(windowSetting));
}

function toWindow(platform: Platform, stored: unknown): IssuanceWindow {
  const fresh = openIssuanceWindow(platform.issuanceLimit);
  return stored === undefined ? fresh : { ...(stored as IssuanceWindow), limit: fresh.limit };
}
