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
    // The unit is directly above its mark.
    const at = axisPosition(tick, width) - text.length + 1;
    heading.splice(at, text.length, ...text);
  }
  return heading.join('');
}

/** The ASCII character for the outcome of a renewal. ASCII characters have the same width on every terminal. */
const signs: Readonly<Record<ForecastOutcome, string>> = {
  renews: 'o',
  fails: 'X',
  ends: 'X',
  gone: 'X',
  unclear: '?',
  none: ' ',
};

/** Returns a bar whose sign has the style of the outcome. The days before the sign are less conspicuous, and the grid is least
 * conspicuous. */
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
 * Draws a bar of this number of days with a sign at its end. A bar that exceeds the axis ends in `>`. If a renewal was due before today,
 * its sign is at the start of the axis.
 */
export function axisBar(days: number, outcome: ForecastOutcome, width: number): string {
  if (days > axisDays) return `${'-'.repeat(width - 1)}>`;
  const at = axisPosition(Math.max(0, days), width);
  const behind = Array.from({ length: width - at - 1 }, (_, index) => {
    return ticks.some((tick) => axisPosition(tick, width) === at + 1 + index) ? ':' : ' ';
  });
  return `${'-'.repeat(at)}${signs[outcome]}${behind.join('')}`;
}
