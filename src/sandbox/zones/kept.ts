import { type ZonePlan, zonePlans } from '../../model/zones/plan.ts';
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

const setting = 'zone_settings';

type All = Readonly<Record<string, KeptZone>>;

/** The changed facts of a zone; of an untouched one none. */
export function keptOf(platform: Platform, zoneId: string): KeptZone {
  return ((platform.registry().settings.read(setting) ?? {}) as All)[zoneId] ?? {};
}

/** Keeps what `work` makes of it, also against other processes; undefined forgets all of the zone. */
export function changeKept(
  platform: Platform,
  zoneId: string,
  work: (kept: KeptZone) => KeptZone | undefined,
): void {
  platform.registry().settings.change(setting, (value) => {
    const { [zoneId]: kept = {}, ...others } = (value ?? {}) as All;
    const changed = work(kept);
    return changed === undefined ? others : { ...others, [zoneId]: changed };
  });
}

/** The plan of a zone: its own, or that of the sandbox. */
export function planOf(platform: Platform, zoneId: string): ZonePlan {
  return keptOf(platform, zoneId).plan ?? platform.plan ?? 'enterprise';
}

/** Whether a plan is at least another one. */
export function isAtLeast(plan: ZonePlan, least: ZonePlan): boolean {
  return zonePlans.indexOf(plan) >= zonePlans.indexOf(least);
}
