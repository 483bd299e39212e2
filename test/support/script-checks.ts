import { expect } from 'vitest';
import type { Line } from './script-lines.ts';
import { quotedWords, unquote, words } from './shell-words.ts';

export function exitCode(argument: string): number {
  if (!/^\d+$/.test(argument)) throw new Error('say: exit N');
  return Number(argument);
}

/** The argument is `is` for the whole text, or texts that stand in it; with `!` it is empty, or they do not. */
export function checkText(line: Line, argument: string, text: string, told: string): void {
  if (/^is( |$)/.test(argument) && !line.negated) {
    expect(text, told).toBe(exactText(line, argument.slice('is '.length)));
  } else if (argument === '' && line.negated) {
    expect(text, told).toBe('');
  } else {
    for (const part of quotedTexts(argument)) {
      if (line.negated) expect(text, told).not.toContain(part);
      else expect(text, told).toContain(part);
    }
  }
}

/** The indented lines, or the one text in quotes, which has no line feed at its end. */
export function exactText(line: Line, argument: string): string {
  if (line.block !== undefined && argument === '') return line.block;
  const [text, ...more] = quotedTexts(argument);
  if (text === undefined || more.length > 0 || line.block !== undefined) {
    throw new Error('say one text in quotes, or lines below that are indented');
  }
  return text;
}

/** What the lines below a command give it on standard input: nothing without a `stdin` line. */
export function stdinOf(below: readonly Line[]): string {
  const lines = below.filter(({ word }) => word === 'stdin');
  return lines.map((line) => exactText(line, line.argument)).join('');
}

/** Refuses a text without quotes, since its words would be texts each, and an empty one, since it is in every text. */
export function quotedTexts(argument: string): string[] {
  const quoted = quotedWords(argument);
  const bare = quoted.find((word) => !/^(\$?'|")/.test(word));
  if (bare !== undefined) throw new Error(`a text stands in quotes, unlike ${bare}`);
  const texts = quoted.map(unquote);
  if (texts.length === 0 || texts.includes(''))
    throw new Error('say a text in quotes, one that is not empty');
  return texts;
}

/** `keep NAME 'pattern'`: the name, and the pattern's first group in stdout. */
export function kept(argument: string, stdout: string, told: string): [string, string] {
  const [name = '', pattern] = words(argument);
  if (pattern === undefined) throw new Error("say: keep NAME 'pattern'");
  const match = new RegExp(pattern).exec(stdout);
  expect(match, told).not.toBeNull();
  return [name, match?.[1] ?? ''];
}
