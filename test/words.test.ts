import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from './support/world.ts';

const source = `
/** Tells whoever asks which texts are left out. */
export const about = 'Make a bucket hold what a folder holds, or the other way round';
export const told = \`At most so many keys: \${about}\`;
// Returns the number of keys,
// which is none of the above.
const fine = 'Maximum number of keys';
`;

/** Returns the output of the script for a file with this text; the script must not fail. */
function reported(name: string, text: string, ...flags: readonly string[]): string {
  const file = join(scratchFolder('words'), name);
  writeFileSync(file, text);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['build/words.mjs', ...flags, file], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.replaceAll(file, name);
}

// The words come from the table "Habits to give up", which is the source of the list.
test('reports words to avoid in comments and strings with their line and a better word, but not in identifiers', () => {
  const lines = reported('a.ts', source).split('\n');
  const places = lines.flatMap((line) => /^a\.ts:\d+: "[^"]+"/.exec(line)?.[0] ?? []);
  expect(places).toEqual([
    'a.ts:2: "Tells"',
    'a.ts:2: "whoever"',
    'a.ts:2: "texts"',
    'a.ts:2: "left out"',
    'a.ts:5: "which is none"',
    'a.ts:3: "the other way round"',
    'a.ts:4: "so many"',
  ]);
  expect(lines).toContain('a.ts:3: "the other way round": or the reverse; in either direction');
});

test('reads the prose of a document, and not its code', () => {
  const text = '# Title\n\nRun `edgectl anew`, and see\nwhat is left out.\n\n```sh\necho once more\n```\n';
  expect(reported('a.md', text)).toBe(
    'a.md:3: "left out": default: …; if omitted; omit\n1 words to replace.\n',
  );
});

test('prints the matches per 1,000 words, and the same sentences for the same seed', () => {
  expect(reported('a.ts', source, '--rate')).toMatch(
    /^comments: 5 in \d+ words, [\d.]+ per 1,000\nstrings: 2 in/,
  );
  const sampled = reported('a.ts', source, '--sample', 'strings', '2', '--seed', '3');
  expect(sampled.trim().split('\n')).toHaveLength(2);
  expect(reported('a.ts', source, '--sample', 'strings', '2', '--seed', '3')).toBe(sampled);
});
