import { type IssuanceWindow, issuanceGauge } from '../../src/model/hostnames/issuance.ts';
import type { ZoneOverview } from '../../src/services/hostnames/overview.ts';
import { markText } from '../../src/text/mark.ts';
import { fitText } from '../../src/text/width.ts';
import type { Surface } from '../kit/surface.ts';
import type { Part } from '../ui/lines/Line.tsx';

/** Milliseconds during which an issuance counts towards the limit. */
const minute = 60_000;

/** Returns whether the line of a zone contains a warning or a fault, which even a short screen must show. */
export function isZoneUrgent(parts: readonly Part[]): boolean {
  return parts.some(({ role }) => role === 'fault' || role === 'warning');
}

/** Minimum width for the full text of the gauge. A narrower line abbreviates the gauge. */
const minWidthForText = 60;

/**
 * Formats a zone in one line: the name (if given), quota, issuance gauge and fallback origin. `now` is in milliseconds, on this machine's
 * clock.
 */
export function zoneParts(
  overview: ZoneOverview | undefined,
  issuance: IssuanceWindow | undefined,
  now: number,
  { columns: width, redact, zone }: Surface & { readonly zone?: string },
): Part[] {
  const gauge = issuance === undefined ? [] : gaugeParts(issuance, now, width);
  if (overview === undefined) return gauge;
  const name: Part[] =
    zone === undefined ? [] : [{ text: markText(redact(zone)), role: 'dim' }, { text: '  ' }];
  const parts: Part[] = [...name, quotaPart(overview), { text: '  ' }, ...gauge];
  const used = parts.reduce((sum, { text }) => sum + text.length, 0);
  const origin = originPart(overview);
  const room = width - used - 2;
  if (room < 4) return parts;
  return [
    ...parts,
    { text: '  ' },
    { text: fitText(markText(redact(origin.text)), room), role: origin.role ?? 'plain' },
  ];
}

function quotaPart({ quota }: ZoneOverview): Part {
  if ('unknown' in quota) return { text: 'quota ?', role: 'dim' };
  const { used, allocated, exceeded } = quota.known;
  const full = exceeded === true || used >= allocated;
  return { text: `quota ${used}/${allocated}`, role: full ? 'fault' : 'dim' };
}

function gaugeParts(issuance: IssuanceWindow, now: number, width: number): Part[] {
  const { used, blockedSeconds } = issuanceGauge(issuance, now);
  const near = used >= issuance.limit - 3;
  const minuteWords = width < minWidthForText ? '' : ' this minute';
  const share: Part = {
    text: `issued ${used}/${issuance.limit}${minuteWords}`,
    role: near ? 'warning' : 'dim',
  };
  if (blockedSeconds === 0) return [share];
  return [share, { text: '  ' }, { text: `blocked ${blockedSeconds} s`, role: 'fault' }];
}

function originPart({ fallback }: ZoneOverview): Part {
  if ('unknown' in fallback) return { text: `fallback origin: ${fallback.unknown}`, role: 'dim' };
  if (fallback.known === null) return { text: 'no fallback origin', role: 'fault' };
  const { origin, status } = fallback.known;
  const state = status === undefined || status === 'active' ? '' : ` (${status})`;
  return { text: `fallback ${origin}${state}`, role: state === '' ? 'dim' : 'warning' };
}

/** Returns the milliseconds until the gauge changes; undefined if time alone does not change it. */
export function gaugeChange({ issued, blockedUntil }: IssuanceWindow, now: number): number | undefined {
  if (blockedUntil !== undefined && blockedUntil > now) return (blockedUntil - now) % 1000 || 1000;
  const leaving = issued.filter((at) => at > now - minute).map((at) => at + minute - now);
  return leaving.length === 0 ? undefined : Math.min(...leaving);
}
