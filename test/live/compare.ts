import { isDeepStrictEqual } from 'node:util';
import type { LiveAnswer } from './answers.ts';

/** A difference between the answers of the sandbox and of the platform to one case. */
export interface LiveDifference {
  readonly does: string;
  /** The position of the difference: `status`, a header, or a path in the body. */
  readonly at: string;
  /** The value as JSON; `undefined` is "missing". */
  readonly sandbox: string;
  readonly platform: string;
}

/** Returns all differences, in the order of the cases. */
export function differencesBetween(
  sandbox: readonly LiveAnswer[],
  platform: readonly LiveAnswer[],
): LiveDifference[] {
  const own = new Map(sandbox.map((answer) => [answer.does, answer]));
  return platform.flatMap((theirs) => {
    const ours = own.get(theirs.does);
    return ours === undefined ? [] : inAnswer(ours, theirs);
  });
}

function inAnswer(ours: LiveAnswer, theirs: LiveAnswer): LiveDifference[] {
  const found: LiveDifference[] = [];
  const add = (at: string, sandbox: unknown, platform: unknown) =>
    found.push({ does: ours.does, at, sandbox: shown(sandbox), platform: shown(platform) });
  const walk = (at: string, sandbox: unknown, platform: unknown): void => {
    if (isDeepStrictEqual(sandbox, platform)) return;
    const names = commonNames(sandbox, platform);
    if (names === undefined) return void add(at, sandbox, platform);
    const [one, other] = [sandbox, platform] as Record<string, unknown>[];
    for (const name of names) walk(`${at}.${name}`, one?.[name], other?.[name]);
  };
  if (ours.status !== theirs.status) add('status', ours.status, theirs.status);
  walk('header', ours.headers, theirs.headers);
  walk('body', ours.body, theirs.body);
  return found;
}

/** Returns the names of the fields in two objects or two lists; undefined if the values are not of the same kind. */
function commonNames(one: unknown, other: unknown): string[] | undefined {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return undefined;
  if (Array.isArray(one) !== Array.isArray(other)) return undefined;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}

function shown(value: unknown): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
