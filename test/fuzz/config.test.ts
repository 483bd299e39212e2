import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { stripComments } from 'jsonc-parser';
import { parse as parseTomlText, stringify } from 'smol-toml';
import { expect } from 'vitest';
import { checkConfig } from '../../src/config/check.ts';
import { type BindingEntry, entryData } from '../../src/config/entry.ts';
import { type ConfigSource, parseConfig, readConfig } from '../../src/config/read.ts';
import { addBindingToText } from '../../src/config/write.ts';
import type { ConfigFile, ConfigFormat } from '../../src/model/config.ts';
import { isProblem } from '../../src/model/problem.ts';
import { scratchFolder } from '../support/world.ts';
import { anyText, fuzz, mutated, prototypeNames } from './fuzz.ts';

const folder = scratchFolder('fuzz-config');

function createFile(format: ConfigFormat): ConfigFile {
  return { path: join(folder, format === 'toml' ? 'edgectl.toml' : 'edgectl.json'), format, fallback: false };
}

async function createSource(text: string, format: ConfigFormat): Promise<ConfigSource> {
  const file = createFile(format);
  return { ...file, text, byteOrderMark: false, ...(await parseConfig(text, file)) };
}

const name = fc.constantFrom('A', 'B', 'KV', 'NEW', 'my_kv', '$x', ...prototypeNames);
const words = fc.oneof(
  fc.constantFrom('', 'x', 'a"b', "it's", '#no', '[x]', '{', '\\', 'é\u202e'),
  fc.string(),
);
const binding = fc.record(
  {
    binding: name,
    id: words,
    preview_id: words,
    bucket_name: words,
    more: fc.oneof(fc.integer(), fc.boolean()),
  },
  { requiredKeys: ['binding'] },
);
const bindings = fc.uniqueArray(binding, { maxLength: 3, selector: (one) => one.binding });
const section = {
  name: words,
  kv_namespaces: bindings,
  r2_buckets: bindings,
  vars: fc.dictionary(
    fc.oneof(name, words),
    fc.oneof(words, fc.integer(), fc.array(words, { maxLength: 2 })),
    { maxKeys: 2 },
  ),
  limits: fc.dictionary(words, fc.dictionary(words, fc.integer(), { maxKeys: 1 }), { maxKeys: 2 }),
};
const environments = fc.dictionary(
  fc.constantFrom('x', 'staging', 'a b'),
  fc.record(section, { requiredKeys: [] }),
  { maxKeys: 1 },
);
/** A configuration that consists of fields that edgectl reads, and of other fields. Any top-level field can be missing. */
const config = fc.record({ ...section, env: environments }, { requiredKeys: [] });

const comment = fc.constantFrom('', '', ' # note', ' # a "b" [c] = {', '\t#');
const lineEnd = fc.constantFrom('\n', '\r\n');

/** TOML as people write it: with comments after lines and between lines, and with both kinds of line endings. */
const toml = fc
  .tuple(config, fc.array(comment, { minLength: 1, maxLength: 5 }), lineEnd, fc.boolean(), fc.boolean())
  .map(([data, comments, end, inline, lastEnd]) => {
    const body = inline ? inlineToml(data) : stringify(data);
    const lines = body.split('\n').map((line, at) => line + (comments[at % comments.length] ?? ''));
    return lines.join(end) + (lastEnd ? end : '');
  });

type Config = typeof config extends fc.Arbitrary<infer Value> ? Value : never;

/** Converts arrays of tables to arrays of inline tables. */
function inlineToml({ kv_namespaces: list, ...rest }: Config): string {
  if (list === undefined) return stringify(rest);
  const tables = list.map((one) => `{ ${stringify(one).trim().split('\n').join(', ')} }`);
  return `kv_namespaces = [${tables.join(', ')}]\n${stringify(rest)}`;
}

const gap = fc.constantFrom('', ' ', '\n', ' // note\n', '/* "a" [ */', '\r\n  ', '\n\t// {\n');

/** JSON with comments and trailing commas wherever they are allowed. */
const jsonc = fc
  .tuple(config, fc.array(gap, { minLength: 1, maxLength: 7 }), fc.constantFrom(0, 2, '\t'), fc.boolean())
  .map(([data, gaps, indent, commas]) => {
    const tokens =
      JSON.stringify(data, null, indent).match(/"(?:\\.|[^"\\])*"|[[\]{},:]|[^"[\]{},:]+/g) ?? [];
    const filled = tokens.map((token, at) => {
      const endsList = /^[\]}]$/.test(token) && !/^[[{]$/.test(lastToken(tokens, at));
      return (commas && endsList ? ',' : '') + token + (gaps[at % gaps.length] ?? '');
    });
    return filled.join('');
  });

/** Returns the last token before a position, ignoring white space. */
function lastToken(tokens: readonly string[], before: number): string {
  const last = tokens[before - 1] ?? '';
  return last.trim() === '' && before > 0 ? lastToken(tokens, before - 1) : last;
}

/** Returns the text that any JSON parser accepts, without comments and trailing commas. */
function withoutExtras(text: string): string {
  return stripComments(text).replace(/("(?:\\.|[^"\\])*")|,(?=\s*[\]}])/g, (_, saved = '') => saved);
}

async function acceptedOrRefused(bytes: Uint8Array, format: ConfigFormat): Promise<void> {
  const file = createFile(format);
  writeFileSync(file.path, bytes);
  try {
    const { environments: found, kvNamespaces } = checkConfig(await readConfig(file));
    expect(found).toBeInstanceOf(Map);
    for (const one of kvNamespaces) expect(one.binding).toEqual(expect.any(String));
  } catch (error) {
    if (!isProblem(error)) throw error;
    expect(error.code).toBe('config-invalid');
    const place = /is not UTF-8|is nested too deeply|the configuration /.test(error.message)
      ? ''
      : ':[1-9]\\d*:[1-9]\\d*';
    expect(error.message.slice(file.path.length)).toMatch(new RegExp(`^${place}(?: |: )`));
    expect(error.message.startsWith(file.path)).toBe(true);
  }
  expect(Object.keys(Object.prototype)).toEqual([]);
}

const anyFile = anyText.map((text) => Buffer.from(text));
const deep = fc
  .tuple(fc.constantFrom('[', '{"a":', 'a=[', 'a={a=', '[[a.'), fc.nat(400))
  .map(([open, depth]) => Buffer.from(open.repeat(depth)));

fuzz(
  'any TOML is accepted, or refused with path, line and column',
  [fc.oneof({ weight: 6, arbitrary: mutated(toml.map((text) => Buffer.from(text))) }, anyFile, deep)],
  (bytes) => acceptedOrRefused(bytes, 'toml'),
);

fuzz(
  'any JSON with comments is accepted, or refused with path, line and column',
  [fc.oneof({ weight: 6, arbitrary: mutated(jsonc.map((text) => Buffer.from(text))) }, anyFile, deep)],
  (bytes) => acceptedOrRefused(bytes, 'jsonc'),
);

const change: fc.Arbitrary<BindingEntry> = fc.record({
  list: fc.constantFrom('kv_namespaces', 'r2_buckets'),
  binding: fc.oneof(name, fc.stringMatching(/^[A-Z_]{1,9}$/)),
  fields: fc.oneof(
    fc.record({ id: words }),
    fc.record({ preview_id: words }),
    fc.record({ id: words, preview_id: words }),
  ),
});
const where = fc.option(fc.constantFrom('x', 'staging', 'a b', ...prototypeNames), { nil: undefined });

type Json = Record<string, unknown>;

/** Returns the data with the new entry, as a person would add the entry; undefined if this is not possible. */
function withEntry(data: Json, entry: BindingEntry, environment: string | undefined): Json | undefined {
  const all = structuredClone(data);
  const environments = new Map(Object.entries((all['env'] ?? {}) as Record<string, Json>));
  const at = environment === undefined ? all : environments.get(environment);
  if (at === undefined) return undefined;
  const list = (at[entry.list] ?? []) as Json[];
  const there = list.find((one) => one['binding'] === entry.binding);
  if (there === undefined) list.push(entryData(entry));
  else Object.assign(there, entry.fields);
  at[entry.list] = list;
  return all;
}

function plain(data: unknown): Json {
  return JSON.parse(
    JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  ) as Json;
}

/** Returns how many lines must be deleted from a file so that the other file contains the remaining lines in the same order. */
function missingLines(before: string, after: string): number {
  const [lines, others] = withoutCommonEnds(before.split('\n'), after.split('\n'));
  // Computes the longest common subsequence, row by row.
  let common = new Array<number>(lines.length + 1).fill(0);
  for (const other of others) {
    const above = common;
    common = [0];
    lines.forEach((line, at) => {
      const longest = line === other ? (above[at] ?? 0) + 1 : Math.max(above[at + 1] ?? 0, common[at] ?? 0);
      common.push(longest);
    });
  }
  return lines.length - (common.at(-1) ?? 0);
}

function withoutCommonEnds(one: readonly string[], other: readonly string[]): [string[], string[]] {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return [one.slice(start, one.length - end), other.slice(start, other.length - end)];
}

async function editIsExact(
  text: string,
  format: ConfigFormat,
  entry: BindingEntry,
  environment: string | undefined,
): Promise<void> {
  const read = (one: string) =>
    plain(format === 'toml' ? parseTomlText(one) : JSON.parse(withoutExtras(one)));
  const expected = withEntry(read(text), entry, environment);
  let after: string;
  try {
    after = await addBindingToText(await createSource(text, format), entry, environment);
  } catch (error) {
    if (!isProblem(error)) throw error;
    expect(error.message).toContain('cannot be edited safely');
    expect(expected).toBeUndefined();
    return;
  }
  expect(read(after)).toEqual(expected);
  // At most two lines differ: a line that gets a comma, and the changed line.
  expect(missingLines(text, after)).toBeLessThanOrEqual(2);
}

fuzz(
  'adds a binding to TOML, and leaves every other line unchanged',
  [toml, change, where],
  (text, entry, environment) => editIsExact(text, 'toml', entry, environment),
);

fuzz(
  'adds a binding to JSON with comments, and leaves every other line unchanged',
  [jsonc, change, where],
  (text, entry, environment) => editIsExact(text, 'jsonc', entry, environment),
);
