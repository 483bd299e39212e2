import { expect } from 'vitest';
import type { Line } from './script-lines.ts';
import { splitQuotedWords, splitWords, unquote } from './shell-words.ts';

export function exitCode(argument: string): number {
  if (!/^\d+$/.test(argument)) throw new Error('expected: exit N');
  return Number(argument);
}

/**
 * Checks output. With `is`, the output must be equal to the text; otherwise the output must contain the quoted strings. With `!`, the
 * output must be empty, or must not contain the strings.
 */
export function checkText(line: Line, argument: string, text: string, result: string): void {
  if (/^is( |$)/.test(argument) && !line.negated) {
    expect(text, result).toBe(exactText(line, argument.slice('is '.length)));
  } else if (argument === '' && line.negated) {
    expect(text, result).toBe('');
  } else {
    for (const part of quotedTexts(argument)) {
      if (line.negated) expect(text, result).not.toContain(part);
      else expect(text, result).toContain(part);
    }
  }
}

/** Returns the indented lines, or the quoted string, which has no trailing line feed. */
export function exactText(line: Line, argument: string): string {
  if (line.block !== undefined && argument === '') return line.block;
  const [text, ...more] = quotedTexts(argument);
  if (text === undefined || more.length > 0 || line.block !== undefined) {
    throw new Error('expected one quoted string, or indented lines below');
  }
  return text;
}

/** Returns the standard input from the lines below a command; empty if there is no `stdin` line. */
export function readStdin(below: readonly Line[]): string {
  const lines = below.filter(({ word }) => word === 'stdin');
  return lines.map((line) => exactText(line, line.argument)).join('');
}

/** Rejects an unquoted string, because each word would be a separate string, and an empty string, because every output contains it. */
export function quotedTexts(argument: string): string[] {
  const quoted = splitQuotedWords(argument);
  const bare = quoted.find((word) => !/^(\$?'|")/.test(word));
  if (bare !== undefined) throw new Error(`strings must be quoted, unlike ${bare}`);
  const texts = quoted.map(unquote);
  if (texts.length === 0 || texts.includes('')) throw new Error('expected a quoted string that is not empty');
  return texts;
}

/** Handles `keep NAME 'pattern'`: returns the name, and the pattern's first group in stdout. */
export function parseKeep(argument: string, stdout: string, result: string): [string, string] {
  const [name = '', pattern] = splitWords(argument);
  if (pattern === undefined) throw new Error("expected: keep NAME 'pattern'");
  const match = new RegExp(pattern).exec(stdout);
  expect(match, result).not.toBeNull();
  return [name, match?.[1] ?? ''];
}
