import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { remedyWords as consoleWords } from '../components/kit/remedy-words.ts';
import { commandRoot } from '../src/cli/commands/table.ts';
import { remedyTextsFor } from '../src/cli/output/remedy-texts.ts';
import { Problem, rephrase } from '../src/model/problem.ts';
import { formatRemedy, type Remedy } from '../src/model/remedy.ts';
import { problemLines } from '../src/text/problem.ts';

/** Returns the code lines of all files in some folders, without comments: `path:line: text`. */
function getLines(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => getCode(join(folder, name))),
  );
}

function getCode(path: string): string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .map((line, index) => `${path}:${index + 1}: ${line}`)
    .filter((line) => !/^\S+ +(\/\*|\*|\/\/)/.test(line));
}

test('code tests a target by kind or capability, never by name, address or choice', () => {
  const byName =
    /profileName [!=]==|target [!=]== 'local'|choice\.local|\{ local[,} ]|isLocal|canParse\((apiB|b)aseUrl/;
  const chooses = [
    // Builds the session choice from the user's selection.
    'src/services/session/open-session.ts',
    'src/cli/commands/session/console.ts',
    'src/cli/commands/session/account-only.ts',
  ];
  const wrong = getLines(['src/services', 'src/cli/commands', 'components'])
    .filter((line) => byName.test(line) && !line.includes('import '))
    .filter((line) => !chooses.some((path) => line.startsWith(path)));
  expect(wrong).toEqual([]);
});

test('code below the user interfaces names no flag or command, because remedies are data', () => {
  const commands = [...commandRoot.below.keys()].join('|');
  const named = new RegExp(`['"\`][^'"\`]*(?:--[a-z]|\\bedgectl (?:${commands})\\b)`);
  const others = [
    // The table for `doctor --traces` and docs/traces.md, which contains, for each file, the command that writes the file and instructions
    // for removing the file.
    /^src\/model\/traces\.ts/,
    // This module contains a flag of V8.
    /^src\/files\/young-heap\.ts/,
    // These modules create command lines for a shell.
    /^src\/services\/equivalents\//,
    // Text that the platform sends over HTTP, and demo data.
    /^src\/sandbox\/http\/serve\.ts.*Local data requires/,
    /^src\/sandbox\/workers\/routes\/routes\.ts.*local data has no workers/,
    /^src\/sandbox\/demo\/data\.ts/,
    // A guard's answer to a program, sent over HTTP.
    /^src\/model\/guard\/held\.ts/,
    // This module handles certificate authorities.
    /^src\/sandbox\/hostnames\/signing\.ts.*organisation/,
  ];
  const folders = ['services', 'model', 'v4', 'sandbox', 'config', 'profiles', 'store'];
  const lines = getLines(folders.map((folder) => `src/${folder}`)).filter((line) => named.test(line));
  expect(lines.filter((line) => !others.some((other) => other.test(line)))).toEqual([]);
});

test('the console redacts before it truncates, because a truncated credential would not be recognized', () => {
  const cuts = /fitText\(\s*(?:escapeText|markText)\((?!redact\()/;
  expect(getLines(['components']).filter((line) => cuts.test(line))).toEqual([]);
});

const texts = { folder: '/f', file: '/c', asked: 'account a', source: 's', namespace: 'n', where: 'w' };
const names = { name: 'x', names: ['x'], binding: 'KV', key: 'id', bucket: 'b', secret: 'S', worker: 'w' };
const facts = {
  folders: '/home/ann/shop',
  hostname: 'h',
  permission: 'DNS: Edit',
  seconds: 3,
  resume: ['kv', 'copy', '--resume'],
  preview: true,
  other: true,
};
/** Arguments for the texts of every kind of remedy. */
const all = { ...texts, ...names, ...facts };

/** One remedy of each kind, and one per variant for kinds with variants. */
const remedies: readonly Remedy[] = Object.keys(remedyTextsFor([])).flatMap((kind) => {
  const ofs = {
    'find-id': ['account', 'zone', 'namespace'],
    'choose-port': ['api', 'dns', 'edge-tls', 'proxy'],
  };
  const of = Object.entries(ofs).find(([name]) => name === kind)?.[1] ?? [undefined];
  return of.map((one): Remedy => JSON.parse(JSON.stringify({ ...all, kind, of: one })));
});

test('the console contains no flags', () => {
  const named = /['"`][^'"`]*--[a-z][^'"`]*['"`]/;
  // These modules read the command line.
  const others = /^components\/kit\/(?:theme|terminal\/terminal)\.ts/;
  expect(getLines(['components']).filter((line) => named.test(line) && !others.test(line))).toEqual([]);
});

test.each(remedies)(
  'the remedy $kind has a text for the command line, and a text without flags for the console',
  (remedy) => {
    for (const words of [remedyTextsFor([]), consoleWords]) {
      const said = formatRemedy(words, remedy);
      expect(said).toMatch(/^\S.*\S$/);
      expect(said).not.toMatch(/undefined|\[object/);
    }
    expect(formatRemedy(consoleWords, remedy)).not.toContain('--');
  },
);

test('each interface shows the remedy of a failure in its own words', () => {
  const problem = new Problem('refused', 'Taken.', { remedy: { kind: 'take-existing' } });
  expect(problemLines(problem, remedyTextsFor([]))).toContain(
    'hint: To use the existing resource, add --if-not-exists; or choose another name.',
  );
  expect(problemLines(problem, consoleWords)).toEqual([
    'error: Taken.',
    'hint: Choose another name, or use the existing entry in the list.',
  ]);
  const saved = rephrase(
    new Problem('usage', 'a', { remedy: { kind: 'choose-profile', names: ['secret', 'b'] } }),
    (text) => text.replaceAll('secret', '…'),
  );
  expect(saved.remedy).toEqual({ kind: 'choose-profile', names: ['…', 'b'] });
});
