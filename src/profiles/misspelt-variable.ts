import { distance } from 'fastest-levenshtein';
import { Problem } from '../model/problem.ts';
import type { Environment } from './environment.ts';

/** The variables that are read by edgectl alone. */
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
 * Refuses a variable that is written almost like one of ours (`EDGECTL_BASE_URL`, `EDGECTL_READONLY`): who set it means a
 * command to act elsewhere, or not to change anything. Other names that begin with `EDGECTL_` may be a script's own.
 */
export function refuseMisspelt(env: Environment): void {
  for (const name of Object.keys(env)) {
    if (!name.startsWith(prefix) || (env[name] ?? '') === '' || isOwn(name)) continue;
    const meant = ownVariables.find((one) => isAlmost(name, one));
    if (meant === undefined) continue;
    throw new Problem('usage', `${name} is set, and edgectl reads no such variable; ${meant} is near it.`, {
      hint: `Call it ${meant}, or unset it.`,
    });
  }
}

function isOwn(name: string): boolean {
  return ownVariables.some((one) => one === name);
}

function isAlmost(name: string, one: string): boolean {
  const [written, right] = [essence(name), essence(one)];
  return (
    written === right || distance(written, right) <= (right.length < 6 ? 1 : 2) || isSwapped(written, right)
  );
}

/** The part of a name that tells it from the others, without words that are easily left out or added. */
function essence(name: string): string {
  const letters = name.slice(prefix.length).replaceAll('_', '');
  return letters.replace(/^API|BASE|ID$|DIR(?:ECTORY)?$/g, '') || letters;
}

/** Whether two neighbouring letters have changed places. */
function isSwapped(written: string, right: string): boolean {
  return [...written].sort().join('') === [...right].sort().join('');
}
