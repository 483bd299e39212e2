import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runScript } from '../support/script.ts';

const put = 'edgectl kv key put a one --namespace-id 1 --local\n';
const get = 'edgectl kv key get a --namespace-id 1 --local\n';
const missing = 'edgectl kv key get b --namespace-id 1 --local\n';

test.each([
  ['all output of a command', `${put}${get}stdout is 'one'\nstdout 'on' "ne"\n! stdout 'two'\n! stderr\n`],
  ['an exit code and stderr', `${missing}exit 3\n! stdout\nstderr 'has no key "b"'\n! stderr 'key "a"'\n`],
  ['a kept part', `${put}${get}keep REST 'o(.*)'\n${put.replace('one', '{REST}')}${get}stdout is 'ne'\n`],
  [
    'empty lines in a string, at its end when they are indented',
    `edgectl kv key put a --path - --namespace-id 1 --local\nstdin\n  one\n\n  two\n  \n\n${get}stdout is $'one\\n\\ntwo\\n\\n'\n`,
  ],
  ['files', "write a/b\n  one\nfile a/b is\n  one\nfile a/b 'on'\n! file a/b 'two'\n! file b\n"],
])('parses a script that expects %s', async (_, text) => {
  await expect(runScript('a.txt', text)).resolves.toBe(undefined);
});

test.each([
  [
    'an unknown word',
    `${get}stdot 'one'\n`,
    'a.txt:2: stdot \'one\'\nno line begins with "stdot". Did you mean stdout?',
  ],
  [
    'a word that resembles no known word',
    '> one\n',
    'a.txt:1: > one\nno line begins with ">". The words are edgectl, exec,',
  ],
  [
    'an expectation without a command',
    "write a\nstdout 'one'\n",
    "a.txt:2: stdout 'one'\nstdout must be below a command",
  ],
  [
    'a string without quotes',
    `${put}stdout one two\n`,
    'a.txt:2: stdout one two\nstrings must be quoted, unlike one',
  ],
  ['an open quote', `${put}stdout 'one\n`, "a.txt:2: stdout 'one\nunclosed quote: 'one"],
  ['an empty text', `${put}stdout ''\n`, "a.txt:2: stdout ''\nexpected a quoted string that is not empty"],
  ['nothing', `${put}stdout\n`, 'a.txt:2: stdout\nexpected a quoted string that is not empty'],
  [
    'an indented line that belongs to no command',
    `${put}exit 0\n  one\n`,
    'a.txt:3:   one\nan indented line must be below stdin,',
  ],
  [
    '! before a word that cannot be negated',
    `${put}! exit 1\n`,
    'a.txt:2: ! exit 1\n! is allowed only before stdout, stderr,',
  ],
  ['an unknown place', 'at sanbox\n', 'a.txt:1: at sanbox\nexpected: at sandbox, at local'],
  ['keys without a console', 'keys a\n', 'a.txt:1: keys a\nno console is open'],
])('rejects a script with %s, and reports the line', async (_, text, message) => {
  await expect(runScript('a.txt', text)).rejects.toThrow(message);
});

test.each([
  ['stdout without the text', "stdout 'two'"],
  ['stdout with the text', "! stdout 'one'"],
  ['different stdout', "stdout is 'one more'"],
  ['an extra line feed', 'stdout is\n  one'],
  ['stdout that is not empty', '! stdout'],
  ['stderr without the text', "stderr 'one'"],
  ['a different exit code', 'exit 2'],
  ['a pattern that matches nothing', "keep TWO '(two)'"],
])('reports the line of a failure in a script with %s', async (_, line) => {
  await expect(runScript('a.txt', `${put}${get}${line}\n`)).rejects.toThrow(
    `a.txt:3: ${line.split('\n')[0]}\n`,
  );
});

test.each(["screen 'Go to'", "! screen 'No such thing'"])(
  'rejects keys in a script if the next line was true before the keys: %s',
  async (line) => {
    const text = `console --local\nscreen 'Go to'\nkeys 1\n${line}\n`;
    await expect(runScript('a.txt', text)).rejects.toThrow(
      `a.txt:4: ${line}\nthis was already true before the keys`,
    );
  },
);

test('fails if a command exits with an unexpected code', async () => {
  await expect(runScript('a.txt', missing)).rejects.toThrow(`a.txt:1: ${missing}`);
});

test.each([
  ['different text', 'file a is\n  two'],
  ['an extra line', 'file a is\n  one\n  two'],
  ['an existing file', '! file a'],
])('fails if a file has %s', async (_, line) => {
  await expect(runScript('a.txt', `write a\n  one\n${line}\n`)).rejects.toThrow('a.txt:3: ');
});

test.each(['sandbox', 'local'])('runs the example of the README on %s', async (place) => {
  const page = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
  const lines = page
    .split('\n')
    .filter((line, at, all) => line.startsWith('    ') || all[at + 1]?.startsWith('    '));
  const example = lines.map((line) => line.slice(4)).join('\n');
  expect(example.match(/^(exec )?edgectl /gm)?.length).toBe(3);
  await expect(runScript('README.md', example, place)).resolves.toBe(undefined);
});
