import { isDeepStrictEqual } from 'node:util';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { Problem } from '../model/problem.ts';
import { type BoundEntry, boundEntries } from './bound.ts';
import { indentAt, matchEnd, replace, type Span } from './insert.ts';
import type { ValuePath } from './position.ts';
import { type ConfigSource, parseConfig } from './read.ts';
import { outlineValidToml } from './toml.ts';

/**
 * Removes a namespace's ids from a configuration, and also removes the entries that contain nothing else. Keeps comments on separate lines.
 * Throws if the result, when parsed, differs from the expected data.
 */
export async function removeNamespaceIds(source: ConfigSource, id: string): Promise<string> {
  // Removes the last span first, so that the offsets of the other spans remain valid.
  const text = boundEntries(source, id)
    .reverse()
    .flatMap(({ path, keys, whole }) => (whole ? [path] : keys.map((key) => [...path, key])))
    .reduce((edited, path) => removeAt(edited, source, path), source.text);
  const expected = await parseData(source, source.text);
  for (const entry of boundEntries(source, id).reverse()) deleteIds(expected, entry);
  const actual = await parseData(source, text).catch(() => undefined);
  if (isDeepStrictEqual(dropEmptyLists(actual), dropEmptyLists(expected))) return text;
  throw new Problem(
    'config-invalid',
    `${source.path} cannot be edited safely because of how it is written.`,
    {
      remedy: { kind: 'remove-by-hand' },
    },
  );
}

async function parseData(source: ConfigSource, text: string): Promise<unknown> {
  return (await parseConfig(text, source)).data;
}

/** Removes empty `kv_namespaces` lists, because some forms of TOML cannot express an empty list. */
function dropEmptyLists(data: unknown): unknown {
  return JSON.parse(
    JSON.stringify(data, (key, value: unknown) =>
      key === 'kv_namespaces' && Array.isArray(value) && value.length === 0 ? undefined : value,
    ) ?? 'null',
  );
}

function deleteIds(data: unknown, { path, keys, whole }: BoundEntry): void {
  const list = path.slice(0, -1).reduce<unknown>(childPath, data);
  const index = Number(path.at(-1));
  if (!Array.isArray(list)) return;
  if (whole) list.splice(index, 1);
  else for (const key of keys) Reflect.deleteProperty(list[index] as object, key);
}

function childPath(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function removeAt(text: string, source: ConfigSource, path: ValuePath): string {
  return source.format === 'toml' ? removeToml(text, path) : removeJsonc(text, path);
}

const gaps = {
  toml: { gap: /(?:[ \t\r\n]+|#[^\n]*)*/y, restOfLine: /[ \t]*(?:#[^\r\n]*)?/y },
  jsonc: {
    gap: /(?:\s+|\/\*.*?\*\/|\/\/[^\r\n]*)*/sy,
    restOfLine: /(?:[ \t]+|\/\*.*?\*\/|\/\/[^\r\n]*)*/sy,
  },
} as const;

function removeJsonc(text: string, path: ValuePath): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const node = root && findNodeAtLocation(root, [...path]);
  const child = node?.parent?.type === 'property' ? node.parent : node;
  const siblings = child?.parent?.children ?? [];
  const spans = siblings.map(({ offset, length }) => ({ start: offset, end: offset + length }));
  return child === undefined ? text : removeFrom(text, spans, siblings.indexOf(child), gaps.jsonc);
}

function removeToml(text: string, path: ValuePath): string {
  const outline = outlineValidToml(text);
  const isSamePath = (one: ValuePath, other: ValuePath): boolean =>
    JSON.stringify(one) === JSON.stringify(other);
  const parent = outline.find((span) => isSamePath(span.path, path.slice(0, -1)));
  const isInline = parent?.kind === 'array' || parent?.kind === 'inline-table';
  const depth = path.length;
  if (isInline) {
    const children = outline.filter(
      (span) => span.path.length === depth && isSamePath(span.path.slice(0, -1), path.slice(0, -1)),
    );
    const spans = children.map(({ kind, line, start, end }) => ({
      start: parent.kind === 'array' && kind !== 'element' ? start : line,
      end,
    }));
    const at = children.findIndex((span) => isSamePath(span.path, path));
    return removeFrom(text, spans, at, gaps.toml);
  }
  return outline
    .filter((span) => isSamePath(span.path.slice(0, depth), path) && span.path.length <= depth + 1)
    .reverse()
    .reduce((edited, { line, end }) => removeLines(edited, { start: line, end }), text);
}

/** Removes an element of `[ … ]` or `{ … }` with its comma. If the line is then empty, also removes the line. */
function removeFrom(
  text: string,
  spans: readonly Span[],
  at: number,
  { gap, restOfLine }: { readonly gap: RegExp; readonly restOfLine: RegExp },
): string {
  const span = spans[at];
  if (span === undefined) return text;
  const before = spans[at - 1];
  const comma = matchEnd(gap, text, span.end);
  if (text[comma] === ',') return removeLines(text, { start: span.start, end: comma + 1 }, restOfLine);
  const earlier = before === undefined ? text.length : matchEnd(gap, text, before.end);
  // If the previous element is on the same line, also removes the spaces after the comma.
  if (/^,[ \t]*$/.test(text.slice(earlier, span.start))) return replace(text, earlier, span.end, '');
  const alone = removeLines(text, span, restOfLine);
  return text[earlier] === ',' ? replace(alone, earlier, earlier + 1, '') : alone;
}

/** Removes a span. If the line contains nothing else, also removes the indentation, the comment and the line ending. */
function removeLines(text: string, { start, end }: Span, restOfLine: RegExp = gaps.toml.restOfLine): string {
  const from = start - indentAt(text, start).length;
  const isFirst = from === 0 || text[from - 1] === '\n';
  const rest = matchEnd(restOfLine, text, end);
  const isLast = rest === text.length || /[\r\n]/.test(text[rest] ?? '');
  if (!isFirst || !isLast) return replace(text, start, matchEnd(/[ \t]*/y, text, end), '');
  const lineEnd = matchEnd(/\r?\n?/y, text, rest);
  const blank = /(?:\r?\n)[ \t]*(\r?\n)$/.exec(text.slice(0, from));
  // If there are blank lines both before and after the span, keeps only one of them.
  const isBlankAround = blank !== null && /^[ \t]*(?:\r?\n|$)/.test(text.slice(lineEnd));
  return replace(text, isBlankAround ? from - (blank[1]?.length ?? 0) : from, lineEnd, '');
}
