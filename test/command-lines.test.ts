import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { commandRoot, commandTable } from '../src/cli/commands/table.ts';
import { readCommandLine } from '../src/cli/parsing/command-line.ts';
import { globalFlags } from '../src/cli/parsing/flags.ts';
import { interpret } from '../src/cli/parsing/interpret.ts';
import { isTopic } from '../src/cli/parsing/topics.ts';
import { listSteps, listUntested } from './support/document-steps.ts';
import { heldDocuments } from './support/documents.ts';
import { splitWords } from './support/shell-words.ts';

const documents = globSync('**/*.md', { exclude: ['node_modules', 'dist*', '.*'] });

/** Returns the edgectl command lines in a code block, each up to the first shell operator. */
function commandLines(text: string): string[] {
  // A command substitution counts as an id; the inner command is checked as a separate line.
  const flat = text.replace(/\\\n\s*/g, '').replace(/"\$\(([^)\n]+)\)"(.*)$/gm, `${'0'.repeat(32)}$2\n$1`);
  const found = flat.matchAll(
    /(?:^|\bnpx |&& |-- |\| |^ {4})edgectl ((?:[^\n#|<>&`'"]|'[^'\n]*'|"[^"\n]*")+)/gm,
  );
  return [...found].map(([, line = '']) => line.trim());
}

/** Returns the code blocks of a document, indented or fenced. */
function getBlocks(path: string): string {
  const blocks = readFileSync(path, 'utf8').matchAll(/^(?: {4}.*|```[\s\S]*?^```)$/gm);
  return [...blocks].map(([block]) => block).join('\n');
}

/** Returns the inline code of a document. */
function mentionsIn(path: string): string[] {
  const prose = readFileSync(path, 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/`(edgectl [^`\n]+)`/g)].map(([, code = '']) => code.replaceAll('\\|', '|'));
}

/** Throws if the program rejects a command line. `0f2a…` is a shortened id, and `{AT}` represents the flags of a script. */
function parse(line: string): void {
  const whole = line
    .replace(/\{[A-Z]+\}/g, '')
    .replace(/([0-9a-f]{4})…/g, (_, start: string) => start.padEnd(32, '0'));
  const meaning = interpret(readCommandLine(splitWords(whole), commandRoot), commandRoot);
  if (meaning.kind === 'command' || (meaning.kind === 'nothing' && meaning.at === commandRoot)) return;
  throw new Error(`"${line}" names no command.`);
}

/** Returns true if a sentence may contain the text: the words of a command or group, and existing flags. Arguments can be omitted. */
function canBeSaid(line: string): boolean {
  const { at, unknown, flags, help } = readCommandLine(splitWords(line), commandRoot);
  if (unknown !== undefined) return (help && isTopic(unknown)) || unknown === '…';
  const known = at.rows.flatMap((row) => Object.keys(row.flags)).concat(Object.keys(globalFlags));
  return flags.every(({ name }) => known.includes(name));
}

test('every document with command lines declares how they are tested, and a test follows the declaration', () => {
  const withLines = documents.filter(
    (path) => mentionsIn(path).length + commandLines(getBlocks(path)).length + listSteps(path).length > 0,
  );
  expect(withLines.sort()).toEqual(expect.arrayContaining(['README.md', 'docs/sandbox.md']));
  expect(Object.keys(heldDocuments).sort()).toEqual(withLines.sort());
  for (const [path, held] of Object.entries(heldDocuments)) {
    if (held.how === 'parsed') expect(listSteps(path), path).toEqual([]);
    if (held.how === 'run elsewhere')
      expect(readFileSync(held.by, 'utf8'), held.by).toContain(`${basename(path)}'`);
  }
});

test('every command line that no test runs is marked in its document with the reason', () => {
  // docs/install.md is generated from the addresses of the owner.
  const written = documents.filter((path) => path !== 'docs/install.md');
  const unrun = written.flatMap((path) =>
    listUntested(path).map(({ lines, because }) => `${path}: ${lines.join('; ')} (${because})`),
  );
  expect(unrun.sort()).toMatchInlineSnapshot(`
    [
      "CONTRIBUTING.md: npm ci            # installs the Node version of the project (as in .node-version) and builds dist; npm start         # the console on demo data; npm test          # types, lint, dead code, the package, all tests (it sets up this checkout, and runs the tests that run all others)",
      "README.md: npm ci && npm start     # the console on an embedded platform with demo data: no account needed; npm cit                 # set up and run the tests (it sets up this checkout, and runs the tests that run all others)",
      "docs/recipes.md: - npx edgectl sandbox exec --seed test/seed.yaml -- npm test (GitLab runs it)",
      "docs/recipes.md: - run: npx edgectl sandbox exec --seed test/seed.yaml -- npm test (GitHub runs it)",
      "docs/recipes.md: sh 'npm ci && npx edgectl sandbox exec --seed test/seed.yaml -- npm test' (Jenkins runs it)",
      "docs/sandbox.md: edgectl sandbox start --listen 0.0.0.0 --allow-host sandbox --ready-file ready.json (it opens a port to other machines)",
      "examples/bucket-worker/README.md: echo 'AUTH_KEY_SECRET="only for this machine"' > .dev.vars; edgectl dev (it serves until Ctrl-C)",
      "examples/tests/README.md: edgectl sandbox exec --seed seed.yaml -- pytest test_flags.py; edgectl sandbox exec --seed seed.yaml -- go test flags_test.go; edgectl sandbox exec --seed seed.yaml -- java Flags.java; edgectl sandbox exec --seed seed.yaml -- ruby flags_test.rb; edgectl sandbox exec --demo -- npx wrangler kv namespace list (npx takes wrangler from the registry, and not every machine has these languages; test/soak/snippets.test.ts runs those that are installed)",
    ]
  `);
});

test('every command that the changelog names exists, with or without "edgectl" before it', () => {
  const pieces = readFileSync('CHANGELOG.md', 'utf8').matchAll(/`([a-z]+ [^`\n]*)`/g);
  const lines = [...pieces]
    .map(([, code = '']) => code)
    .filter((code) => !/^(?:npm|edgectl|help) /.test(code));
  expect(lines.length).toBeGreaterThan(5);
  // `kv bulk put|get` is two commands.
  const all = lines.flatMap((line) => {
    const [, before = '', choice = '', after = ''] = /^(.*? )([a-z]+(?:\|[a-z]+)+)(.*)$/.exec(line) ?? [];
    return choice === '' ? [line] : choice.split('|').map((word) => `${before}${word}${after}`);
  });
  expect(all.filter((line) => !canBeSaid(line))).toEqual([]);
});

test.each(Object.keys(heldDocuments))('every command line in %s is valid', (path) => {
  for (const line of commandLines(getBlocks(path))) expect(() => parse(line), line).not.toThrow();
  expect(mentionsIn(path).filter((line) => !commandLines(line).every(canBeSaid))).toEqual([]);
});

test('every example in the help of a command is valid', () => {
  for (const row of commandTable) {
    for (const [line] of row.examples ?? []) {
      const typed = commandLines(`edgectl ${line}`);
      expect(typed.length, line).toBeGreaterThan(0);
      for (const one of typed) expect(() => parse(one), line).not.toThrow();
    }
  }
});
