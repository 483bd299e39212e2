import { shortText } from '../model/long-text.ts';
import { Problem } from '../model/problem.ts';
import { nearest } from '../text/nearest.ts';
import type { StartOptions } from './sandbox-types.ts';

/** Values that an option takes, in words and as a check. */
interface Expected {
  readonly words: string;
  fits(value: unknown): boolean;
}

const truth: Expected = { words: 'true or false', fits: (value) => typeof value === 'boolean' };

/** All options. A type keeps it whole. */
const expected: Readonly<Record<keyof StartOptions, Expected>> = {
  dir: { words: 'the path of a folder', fits: isPath },
  demo: truth,
  seed: { words: 'a seed, or the path of a file of one', fits: (value) => isPath(value) || isObject(value) },
  strict: truth,
  proxy: truth,
  port: { words: 'a whole number from 0 to 65535', fits: (value) => isWhole(value, 0, 65_535) },
  issuanceLimit: { words: 'a whole number of at least 1', fits: (value) => isWhole(value, 1) },
  onWorkerLog: { words: 'a function', fits: (value) => typeof value === 'function' },
};

/**
 * Refuses with a `usage` Problem options that there are not, and values that they cannot have: programs without types would
 * start another sandbox than they mean. An undefined value is one that was left out.
 */
export function checkOptions(options: unknown): asserts options is StartOptions {
  if (!isObject(options)) throw refused(`options: ${shown(options)} is no object of them.`);
  const names = Object.keys(expected);
  for (const [name, value] of Object.entries(options)) {
    const one = new Map<string, Expected>(Object.entries(expected)).get(name);
    if (one === undefined) throw unknown(name, names);
    if (value !== undefined && !one.fits(value))
      throw refused(`${name}: ${shown(value)} does not fit: it has to be ${one.words}.`);
  }
}

function unknown(name: string, known: readonly string[]): Problem {
  const meant = nearest(name, known);
  const advice = meant === undefined ? `There are ${known.join(', ')}.` : `Did you mean ${meant}?`;
  return new Problem('usage', `startSandbox has no option ${shortText(name, 60)}. ${advice}`);
}

function refused(words: string): Problem {
  return new Problem('usage', `startSandbox, ${words}`);
}

function shown(value: unknown): string {
  return shortText(typeof value === 'string' ? JSON.stringify(value) : String(value), 60);
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isWhole(value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}
