import { isObject } from '../../http/exchange.ts';

/** Whether a value is one that a setting takes. */
export type Takes = (value: unknown) => boolean;

/** One of these, as it stands. */
export function oneOf(...values: readonly (string | number)[]): Takes {
  return (value) => values.some((one) => one === value);
}

/** A whole number within bounds. */
export function whole(least: number, most: number): Takes {
  return (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}

export const onOff: Takes = oneOf('on', 'off');

export const text: Takes = (value) => typeof value === 'string';

export const flag: Takes = (value) => typeof value === 'boolean';

export function listOf(rule: Takes): Takes {
  return (value) => Array.isArray(value) && value.every(rule);
}

/** An object of these fields, each of which can be left out. */
export function fields(rules: Readonly<Record<string, Takes>>): Takes {
  return (value) =>
    isObject(value) &&
    Object.entries(value).every(([name, field]) => Object.hasOwn(rules, name) && rules[name]?.(field));
}
