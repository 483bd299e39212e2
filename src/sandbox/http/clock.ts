import type { Platform } from './exchange.ts';

/** The setting with the milliseconds by which the sandbox's clock is ahead. */
export const clockSetting = 'clock_offset';

/**
 * Returns the time of the sandbox's clock, in milliseconds: the platform's time, plus the time by which the clock was advanced.
 */
export function clockNow(platform: Platform): number {
  return platform.now() + clockOffset(platform);
}

/**
 * Returns the time that decides whether keys have expired, in milliseconds: the time of the sandbox's clock, or of this machine's clock for
 * local data.
 */
export function keysNow(platform: Platform): number {
  return platform.kind === 'local' ? platform.now() : clockNow(platform);
}

/** Returns the milliseconds by which the sandbox's clock is ahead. */
export function clockOffset(platform: Platform): number {
  return Number(platform.registry().settings.read(clockSetting) ?? 0);
}

/** Advances the clock. The clock never goes back, because events cannot be undone. */
export function moveClock(platform: Platform, milliseconds: number): void {
  platform.registry().settings.change(clockSetting, (offset) => Number(offset ?? 0) + milliseconds);
}
