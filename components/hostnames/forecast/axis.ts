import type { ForecastOutcome } from '../../../src/model/forecast/ahead.ts';
import type { Role } from '../../kit/theme.ts';
import type { Part } from '../../ui/lines/Line.tsx';

/** Length of the axis in days, and the labeled days. */
const axisDays = 90;
const ticks = [30, 60, 90];

function axisPosition(days: number, width: number): number {
  return Math.round((Math.min(days, axisDays) / axisDays) * (width - 1));
}

/** Returns the heading of an axis of this width: `0  30d  60d  90d`. */
export function axisHeading(width: number): string {
  const heading = [...'0'.padEnd(width)];
  for (const tick of ticks) {
    const text = `${tick}d`;
    // The last character of the label is directly above its mark.
    const at = axisPosition(tick, width) - text.length + 1;
    heading.splice(at, text.length, ...text);
  }
  return heading.join('');
}

/** The sign for each outcome of a renewal: ASCII, which has the same width on every terminal. */
const signs: Readonly<Record<ForecastOutcome, string>> = {
  renews: 'o',
  fails: 'X',
  ends: 'X',
  gone: 'X',
  unclear: '?',
  none: ' ',
};

/** Returns the parts of a bar with their styles: the days before the sign are dim, the sign has `role`, and the rest is the grid. */
export function axisParts(days: number, outcome: ForecastOutcome, width: number, role: Role): Part[] {
  const bar = axisBar(days, outcome, width);
  const before = /^-*/.exec(bar)?.[0] ?? '';
  return [
    { text: before, role: 'dim' },
    { text: bar.charAt(before.length), role },
    { text: bar.slice(before.length + 1), role: 'grid' },
  ];
}

/**
 * Returns a bar for `days`, with the sign of the outcome at its end. A bar longer than the axis ends in `>`; for negative days, the sign is
 * at the start.
 */
export function axisBar(days: number, outcome: ForecastOutcome, width: number): string {
  if (days > axisDays) return `${'-'.repeat(width - 1)}>`;
  const at = axisPosition(Math.max(0, days), width);
  const behind = Array.from({ length: width - at - 1 }, (_, index) => {
    return ticks.some((tick) => axisPosition(tick, width) === at + 1 + index) ? ':' : ' ';
  });
  return `${'-'.repeat(at)}${signs[outcome]}${behind.join('')}`;
}
