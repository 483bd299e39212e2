import {
  formatEffect,
  formatHiddenNames,
  formatProgram,
  formatRules,
  quote,
} from '../../src/model/guard/held.ts';
import type { HeldRequest } from '../../src/model/guard/held-shape.ts';
import type { FlexibleLine, LongPart } from '../ui/forms/dialog-lines.ts';
import { formatExtent } from './held-entries.ts';

/** Shares of the long parts of a question: a path is shortened first. A query is shortened last, because any part of it can change the effect. */
const shares = { path: 1, program: 1, rules: 2, source: 2, names: 2, lost: 4, query: Infinity } as const;

/**
 * Returns the lines of a question that determine what a request does: its method, path, query, source and jurisdiction, and what undo cannot
 * restore.
 */
export function effectLines(request: HeldRequest): FlexibleLine[] {
  const { method, path, query, source, jurisdiction, lost } = request;
  const extent = formatExtent(request);
  const sent = [
    `${formatEffect(request)}${method} `,
    longPart(path, 'path'),
    ...(query === undefined ? [] : [longPart(query, 'query')]),
    ...(source === undefined ? [] : [', copied from "', longPart(escapeQuotes(source), 'source'), '"']),
    ...(jurisdiction === undefined
      ? []
      : [', jurisdiction "', longPart(escapeQuotes(jurisdiction), 'path'), '"']),
    ...(extent === undefined ? [] : [` (${extent})`]),
  ];
  return [
    { parts: sent, isEssential: true },
    ...(lost === undefined ? [] : [{ parts: lostParts(lost, request), isEssential: true }]),
  ];
}

/**
 * Splits the reason why undo cannot restore something into parts. The name in the reason can be shortened, or the whole reason if the rest
 * of it is long.
 */
function lostParts(lost: string, { name = '' }: HeldRequest): (string | LongPart)[] {
  const parts = separate([lost], longPart(name, 'path'));
  const fixed = parts.reduce((sum, one) => sum + (typeof one === 'string' ? one.length : 0), 0);
  return fixed <= 160 ? parts : [longPart(lost, 'lost')];
}

/** Returns the line about the affected names; no line if the path shows them. */
export function affectedLines(request: HeldRequest): FlexibleLine[] {
  const affected = formatHiddenNames(request);
  return affected === undefined ? [] : [{ parts: ['Affects ', longPart(affected, 'names'), '.'] }];
}

/** Returns the line about the rules that require approval. */
export function rulesLine(request: HeldRequest): FlexibleLine {
  const { policy } = request;
  return {
    parts: ['Asked by ', longPart(formatRules(request), 'rules'), ' (', longPart(policy, 'path'), ').'],
  };
}

/** Returns the line about the program and the profile. */
export function programLine(request: HeldRequest): FlexibleLine {
  return { parts: ['By ', longPart(formatProgram(request), 'program'), `, on ${request.place}.`] };
}

/**
 * Returns the line about an approval that also applies to later requests of the same kind. Long names in this line can be shortened,
 * because the line of the request also contains these names.
 */
export function sameLine(request: HeldRequest, isOwn: boolean): FlexibleLine {
  const { same, source, path, query } = request;
  let parts: (string | LongPart)[] = [
    `Matching requests: ${same}, until the ${isOwn ? 'console closes' : 'guard stops'}.`,
  ];
  if (source !== undefined) parts = separate(parts, longPart(escapeQuotes(source), 'path'));
  if (query !== undefined) parts = separate(parts, longPart(query.slice(1), 'source'));
  return { parts: separate(parts, longPart(path, 'path')) };
}

function longPart(long: string, kind: keyof typeof shares): LongPart {
  return { long, share: shares[kind] };
}

/** Escapes text as `quote` does, without the surrounding quotes. */
function escapeQuotes(text: string): string {
  return quote(text).slice(1, -1);
}

/** Splits the strings of a line at each occurrence of a long part, and inserts the part there. */
function separate(parts: readonly (string | LongPart)[], part: LongPart): (string | LongPart)[] {
  if (part.long === '') return [...parts];
  return parts.flatMap((one) =>
    typeof one === 'string'
      ? one.split(part.long).flatMap((text, index) => (index === 0 ? [text] : [part, text]))
      : [one],
  );
}
