import type { KeptSetting } from '../kept.ts';

/** Development mode ends by itself (SDK zones/settings, DevelopmentMode), in seconds. */
const developmentSeconds = 3 * 60 * 60;

/** Seconds that development mode lasts on; 0 where it is off. */
export function developmentLeft(kept: KeptSetting | undefined, now: number): number {
  if (kept?.value !== 'on') return 0;
  return Math.max(0, Math.ceil(developmentSeconds - (now - kept.modifiedAt) / 1000));
}
