import { truncate } from '../long-text.ts';

/** The largest number up to which JavaScript represents every whole number exactly. */
const largest = Number.MAX_SAFE_INTEGER;

/** The hint for an error about a number that JavaScript cannot represent exactly. */
export const changedNumberHint = `Write numbers beyond ${largest} as strings, in quotes.`;

/**
 * Returns whether a parsed JSON value may contain a number that differs from its source text: a number beyond 2^53 - 1, or an infinite
 * number. The check is fast for small values.
 */
export function mayHoldChangedNumber(value: unknown): boolean {
  if (typeof value === 'number') return value > largest || value < -largest;
  if (typeof value !== 'object' || value === null) return false;
  for (const name in value) {
    if (mayHoldChangedNumber((value as Record<string, unknown>)[name])) return true;
  }
  return false;
}

/**
 * Finds the first number in JSON that would be stored as a different number. Returns the fault as a phrase that follows the name of the
 * JSON value; undefined if there is none. If `field` is set, checks only that field of the object. A whole number beyond 2^53 counts as
 * changed unless it is printed with the same digits; the last digits of a fraction are not checked. JSON that is nested too deeply is also
 * a fault. Throws a SyntaxError if the string is not JSON.
 */
export function changedNumberFault(json: string, field?: string): string | undefined {
  try {
    return changedFault(json, field);
  } catch (error) {
    if (error instanceof RangeError) return 'is nested too deeply';
    throw error;
  }
}

function changedFault(json: string, field: string | undefined): string | undefined {
  const marked: unknown = JSON.parse(json, (_name, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    const changed = typeof value === 'number' && source !== undefined && isChanged(value, source);
    return changed ? new Changed(source) : value;
  });
  const found = firstChanged(field === undefined ? marked : Object(marked)[field]);
  if (found === undefined) return undefined;
  return `contains ${truncate(found, 40)}, which would be stored as ${JSON.stringify(Number(found))}`;
}

/** A placeholder for a number in a parsed value. */
class Changed {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

function isChanged(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return true;
  if (Number.isSafeInteger(value) || !/^-?\d+$/.test(source)) return false;
  return String(value) !== source && BigInt(value) !== BigInt(source);
}

function firstChanged(value: unknown): string | undefined {
  if (value instanceof Changed) return value.source;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const inner of Object.values(value)) {
    const found = firstChanged(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
