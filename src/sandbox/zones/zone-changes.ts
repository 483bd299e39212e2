import { type ZonePlan, zonePlans } from '../../model/zones/plan.ts';
import { settingMap } from '../../store/hostnames/settings.ts';
import type { Platform } from '../http/exchange.ts';

/** A changed setting of a zone. `modifiedAt` is milliseconds on the platform's clock. */
export interface ChangedSetting {
  readonly value: unknown;
  readonly modifiedAt: number;
}

/** The changes that the API or a seed made to a zone. */
export interface ZoneChanges {
  readonly plan?: ZonePlan;
  readonly vanityServers?: readonly string[];
  /** Changed settings, by setting id. */
  readonly settings?: Readonly<Record<string, ChangedSetting>>;
}

const storedChanges = settingMap<ZoneChanges>('zone_settings');

/** Returns the changes to a zone; empty if unchanged. */
export function readZoneChanges(platform: Platform, zoneId: string): ZoneChanges {
  return storedChanges.read(platform.registry().settings, zoneId) ?? {};
}

/**
 * Stores the changes that `work` returns, or deletes all changes to the zone if `work` returns undefined. Atomic, even if other processes
 * store changes at the same time.
 */
export function updateZoneChanges(
  platform: Platform,
  zoneId: string,
  work: (before: ZoneChanges) => ZoneChanges | undefined,
): void {
  storedChanges.change(platform.registry().settings, zoneId, (before = {}) => work(before));
}

/** Returns the plan of a zone: the zone's own plan, or else the plan of the sandbox. */
export function readZonePlan(platform: Platform, zoneId: string): ZonePlan {
  return readZoneChanges(platform, zoneId).plan ?? platform.plan ?? 'enterprise';
}

/** Returns whether a plan includes the features of another plan. */
export function isPlanAtLeast(plan: ZonePlan, minPlan: ZonePlan): boolean {
  return zonePlans.indexOf(plan) >= zonePlans.indexOf(minPlan);
}

/** Duration of development mode (SDK zones/settings, DevelopmentMode), in seconds. */
const developmentSeconds = 3 * 60 * 60;

/** Returns the remaining seconds of development mode; 0 if it is off. */
export function developmentSecondsLeft(setting: ChangedSetting | undefined, now: number): number {
  if (setting?.value !== 'on') return 0;
  return Math.max(0, Math.ceil(developmentSeconds - (now - setting.modifiedAt) / 1000));
}
