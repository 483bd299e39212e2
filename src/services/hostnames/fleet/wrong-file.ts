import { maxWrong, Problem } from '../../../model/problem.ts';
import { groupDigits } from '../../../text/size.ts';
import type { WrongLine } from './wanted.ts';

/** Wrong lines that a refusal names. */
const toldLines = 20;

/** The refusal of a file with wrong lines. Nothing was sent, or changed, as `nothing` says. */
export function wrongFile(
  name: string,
  wrong: readonly WrongLine[],
  { nothing, hint }: { readonly nothing: string; readonly hint: string },
): Problem {
  const told = wrong.slice(0, toldLines).map((one) => `  ${wrongLineText(one)}`);
  const more = wrong.length > toldLines ? [`  … and ${wrong.length - toldLines} more`] : [];
  const message = `${name} has ${groupDigits(wrong.length)} wrong ${wrong.length === 1 ? 'line' : 'lines'}; ${nothing}:`;
  return new Problem('invalid-input', [message, ...told, ...more].join('\n'), {
    hint,
    wrong: wrong.slice(0, maxWrong).map(({ line, hostname, reason }) => ({ line, hostname, reason })),
  });
}

/** A wrong line in words: where it stands, and why. */
export function wrongLineText({ line, hostname, reason }: WrongLine): string {
  const where = line === undefined ? [] : [`line ${line}`];
  const named = hostname === undefined ? [] : [`"${hostname}"`];
  return `${[...where, ...named].join(', ')}: ${reason}`;
}
