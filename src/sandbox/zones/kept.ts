import { type ZonePlan, zonePlans } from '../../model/zones/plan.ts';
import { settingMap } from '../../store/hostnames/settings.ts';
import type { Platform } from '../http/exchange.ts';

/** A setting of a zone that was changed. `modifiedAt` is milliseconds on the platform's clock. */
export interface KeptSetting {
  readonly value: unknown;
  readonly modifiedAt: number;
}

/** The changed facts of a zone, by its API or by a seed. */
export interface KeptZone {
  readonly plan?: ZonePlan;
  readonly vanityServers?: readonly string[];
  /** By the setting's id. */
  readonly settings?: Readonly<Record<string, KeptSetting>>;
}

const keptZones = settingMap<KeptZone>('zone_settings');

/** The changed facts of a zone; of an untouched one none. */
export function keptOf(platform: Platform, zoneId: string): KeptZone {
  return keptZones.read(platform.registry().settings, zoneId) ?? {};
}

/** Keeps what `work` makes of it, also against other processes; undefined forgets all of the zone. */
export function changeKept(
  platform: Platform,
  zoneId: string,
  work: (kept: KeptZone) => KeptZone | undefined,
): void {
  keptZones.change(platform.registry().settings, zoneId, (kept = {}) => work(kept));
}

/** The plan of a zone: its own, or that of the sandbox. */
export function planOf(platform: Platform, zoneId: string): ZonePlan {
  return keptOf(platform, zoneId).plan ?? platform.plan ?? 'enterprise';
}

/** Whether a plan is at least another one. */
export function isAtLeast(plan: ZonePlan, least: ZonePlan): boolean {
  return zonePlans.indexOf(plan) >= zonePlans.indexOf(least);
}

/** Development mode ends automatically (SDK zones/settings, DevelopmentMode), in seconds. */
const developmentSeconds = 3 * 60 * 60;

/** Seconds that development mode lasts on; 0 where it is off. */
export function developmentLeft(kept: KeptSetting | undefined, now: number): number {
  if (kept?.value !== 'on') return 0;
  return Math.max(0, Math.ceil(developmentSeconds - (now - kept.modifiedAt) / 1000));
}
