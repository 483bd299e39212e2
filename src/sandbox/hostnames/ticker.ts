import type { Platform } from '../http/exchange.ts';
import { upToDate } from './run.ts';

export interface TickerOptions {
  /** Milliseconds between two checks. */
  readonly every?: number;
  /** Told of every fault; the next check tries again. */
  readonly onBug?: (error: unknown) => void;
}

/** Keeps custom hostnames up to date while a platform is served. Returns a function that ends it. */
export function startTicker(
  platform: Platform,
  { every = 1000, onBug }: TickerOptions = {},
): () => Promise<void> {
  let ended = false;
  let last: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const tick = (): void => {
    last = upToDate(platform, () => undefined)
      .catch((error: unknown) => onBug?.(error))
      .then(() => {
        if (!ended) timer = setTimeout(tick, every).unref();
      });
  };
  timer = setTimeout(tick, every).unref();
  return async () => {
    ended = true;
    clearTimeout(timer);
    await last;
  };
}
