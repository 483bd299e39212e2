import { distance } from 'fastest-levenshtein';
import { Problem } from '../model/problem.ts';
import { type Environment, variable } from './environment.ts';

/** The environment variables that only edgectl reads. */
const ownVariables = [
  'EDGECTL_API_TOKEN',
  'EDGECTL_API_EMAIL',
  'EDGECTL_API_KEY',
  'EDGECTL_ACCOUNT_ID',
  'EDGECTL_ZONE_ID',
  'EDGECTL_API_BASE_URL',
  'EDGECTL_ALLOW_HTTP_HOST',
  'EDGECTL_SANDBOX_DIR',
  'EDGECTL_PROFILE',
  'EDGECTL_READ_ONLY',
  'EDGECTL_WEBHOOK_SECRET',
  'EDGECTL_THEME',
  'EDGECTL_SCREEN_READER',
  'EDGECTL_MOUSE',
] as const;

export type OwnVariable = (typeof ownVariables)[number];

const prefix = 'EDGECTL_';

/**
 * Throws if a variable's name is similar to the name of one of edgectl's variables (`EDGECTL_BASE_URL`, `EDGECTL_READONLY`), because the
 * user expects the command to act on another platform, or to change nothing. Ignores other names that start with `EDGECTL_`, which may
 * belong to a script.
 */
export function refuseMisspelt(env: Environment): void {
  for (const name of Object.keys(env)) {
    if (!name.startsWith(prefix) || variable(env, name) === undefined || isOwn(name)) continue;
    const meant = ownVariables.find((one) => isSimilar(name, one));
    if (meant === undefined) continue;
    throw new Problem('usage', `${name} is set, but edgectl does not read it. Did you mean ${meant}?`, {
      hint: `Rename it to ${meant}, or unset it.`,
    });
  }
}

function isOwn(name: string): boolean {
  return ownVariables.some((one) => one === name);
}

function isSimilar(name: string, one: string): boolean {
  return isNear(letters(name), letters(one)) || isNear(essence(name), essence(one));
}

function letters(name: string): string {
  return name.slice(prefix.length).replaceAll('_', '');
}

/** Returns the distinctive part of a name, without words that users easily omit or add. */
function essence(name: string): string {
  return letters(name).replace(/^API|BASE|ID$|DIR(?:ECTORY)?$/g, '') || letters(name);
}

/**
 * Returns whether a word is a misspelling of another word, or equal to it. In words of fewer than five letters, allows only transposed
 * letters, because short words can be similar by chance.
 */
function isNear(written: string, right: string): boolean {
  const tolerance = right.length < 5 ? 0 : right.length < 8 ? 1 : 2;
  return distance(written, right) <= tolerance || isSwapped(written, right);
}

/** Returns whether two words differ only in the order of two adjacent letters. */
function isSwapped(written: string, right: string): boolean {
  const at = [...right].findIndex((letter, index) => letter !== written[index]);
  const swapped = right.slice(0, at) + right.charAt(at + 1) + right.charAt(at) + right.slice(at + 2);
  return written === swapped;
}
