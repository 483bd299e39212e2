import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandRoot, commandTable } from '../src/cli/commands/table.ts';
import { readCommandLine } from '../src/cli/parsing/command-line.ts';
import { meaningOf } from '../src/cli/parsing/meaning.ts';
import { words } from './support/shell-words.ts';

/** Command lines of the program in a text: each up to what a shell takes for itself. */
function commandLines(text: string): string[] {
  const found = text.matchAll(/(?:^|\bnpx |&& |\| |^ {4})edgectl ((?:[^\n#|<>&`'"]|'[^'\n]*'|"[^"\n]*")+)/gm);
  return [...found].map(([, line = '']) => line.trim());
}

/** The blocks of code in a document, indented or fenced. */
function codeOf(path: string): string {
  const blocks = readFileSync(path, 'utf8').matchAll(/^(?: {4}.*|```[\s\S]*?^```)$/gm);
  return [...blocks].map(([block]) => block).join('\n');
}

/** `0f2a…` is an id that is written shorter than it is. */
async function parse(line: string): Promise<void> {
  const whole = line.replace(/([0-9a-f]{4})…/g, (_, start: string) => start.padEnd(32, '0'));
  const meaning = meaningOf(readCommandLine(words(whole), commandRoot), commandRoot);
  if (meaning.kind === 'command' || (meaning.kind === 'nothing' && meaning.at === commandRoot)) return;
  throw new Error(`"${line}" names no command.`);
}

test.each([
  ['README.md', 11],
  ['examples/bucket-worker/README.md', 4],
  ['docs/fleet.md', 17],
  ['docs/sandbox.md', 2],
])('every command line in %s is one that the program takes', async (path, least) => {
  const lines = commandLines(codeOf(path));
  expect(lines.length).toBeGreaterThanOrEqual(least);
  for (const line of lines) await expect(parse(line), line).resolves.toBe(undefined);
});

test('every example in the help of a command is one that the program takes', async () => {
  for (const row of commandTable) {
    for (const [line] of row.examples ?? []) {
      const typed = commandLines(`edgectl ${line}`);
      expect(typed.length, line).toBeGreaterThan(0);
      for (const one of typed) await expect(parse(one), line).resolves.toBe(undefined);
    }
  }
});
