import type { Platform } from '../http/exchange.ts';

/** The setting that stores the states of inactive zones. */
export const zoneStatesSetting = 'zone_states';

/** Statuses of a zone that does not yet use, or no longer uses, the platform's name servers. */
export const inactiveStates = ['initializing', 'pending', 'moved'] as const;

export type InactiveState = (typeof inactiveStates)[number];

/** Returns the states of inactive zones, by zone id. */
export function readZoneStates(platform: Platform): Readonly<Record<string, InactiveState>> {
  return (platform.registry().settings.read(zoneStatesSetting) ?? {}) as Record<string, InactiveState>;
}

/** Sets the state of a zone; undefined for active. */
export function setZoneState(platform: Platform, id: string, state: InactiveState | undefined): void {
  const { [id]: _old, ...others } = readZoneStates(platform);
  platform
    .registry()
    .settings.write(zoneStatesSetting, state === undefined ? others : { ...others, [id]: state });
}
