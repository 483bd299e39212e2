import type { Progress } from '../model/progress.ts';
import { formatSize, groupDigits } from './size.ts';
import { compactDuration } from './time.ts';

/** The speed in units per second, and the remaining seconds if the total is known. */
export interface Pace {
  readonly rate: number | undefined;
  readonly secondsLeft: number | undefined;
}

/** Formats progress on one line: `writing 12,000 of 100,000 entries (12%), 5,400/s, 16s left, 2 retries, 3 failed`. */
export function progressLine(progress: Progress, pace: Pace): string {
  const { phase, total, done, retries, failed } = progress;
  const percent = total === undefined || total === 0 ? '' : ` (${Math.floor((done / total) * 100)}%)`;
  return [
    `${phase} ${formatAmount(progress)}${percent}`,
    ...(pace.rate === undefined ? [] : [`${formatRate(progress, pace.rate)}/s`]),
    ...(pace.secondsLeft === undefined ? [] : [`${compactDuration(pace.secondsLeft)} left`]),
    ...(retries === 0 ? [] : [retries === 1 ? '1 retry' : `${groupDigits(retries)} retries`]),
    ...(failed === 0 ? [] : [`${groupDigits(failed)} failed`]),
  ].join(', ');
}

function formatAmount({ unit, done, total }: Progress): string {
  if (unit === 'bytes') {
    return total === undefined ? formatSize(done) : `${formatSize(done)} of ${formatSize(total)}`;
  }
  const counted = total === undefined ? groupDigits(done) : `${groupDigits(done)} of ${groupDigits(total)}`;
  return `${counted} ${unit}`;
}

function formatRate({ unit }: Progress, rate: number): string {
  return unit === 'bytes' ? formatSize(rate) : groupDigits(Math.round(rate));
}

/** Measures the speed over the last ten seconds, so that a pause is visible but has no lasting effect. */
export class PaceMeter {
  readonly #samples: { readonly at: number; readonly done: number }[] = [];
  #phase = '';

  /** Adds a measurement. `now` is in milliseconds. */
  add({ phase, done, total }: Progress, now: number): Pace {
    if (phase !== this.#phase) this.#samples.length = 0;
    this.#phase = phase;
    this.#samples.push({ at: now, done });
    while (this.#samples.length > 2 && now - (this.#samples[1]?.at ?? now) > 10_000) this.#samples.shift();
    const first = this.#samples[0];
    if (first === undefined || now - first.at < 500) return { rate: undefined, secondsLeft: undefined };
    const rate = ((done - first.done) * 1000) / (now - first.at);
    const left = total === undefined || rate <= 0 ? undefined : Math.ceil((total - done) / rate);
    return { rate, secondsLeft: left };
  }
}
