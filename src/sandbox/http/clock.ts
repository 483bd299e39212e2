import type { Platform } from './exchange.ts';

const setting = 'clock_offset';

/** The sandbox's own clock: the platform's, moved ahead by what it was advanced. Milliseconds. */
export function clockNow(platform: Platform): number {
  return platform.now() + clockOffset(platform);
}

/** The clock by which keys expire: the sandbox's own one; of local data that of this machine. Milliseconds. */
export function keysNow(platform: Platform): number {
  return platform.kind === 'local' ? platform.now() : clockNow(platform);
}

/** Milliseconds by which the sandbox's clock runs ahead. */
export function clockOffset(platform: Platform): number {
  return Number(platform.registry().settings.read(setting) ?? 0);
}

/** Moves the clock ahead. It never goes back, because events cannot be undone. */
export function moveClock(platform: Platform, milliseconds: number): void {
  platform.registry().settings.change(setting, (offset) => Number(offset ?? 0) + milliseconds);
}
