import { matchEnd } from './insert.ts';
import type { ValuePath } from './position.ts';

/**
 * The range of a value or a table header. `start` and `end` are the offsets of the value, or of the header with its brackets. `line` is the
 * offset at which the statement begins, with its key or opening bracket.
 */
export interface TomlSpan {
  readonly kind: 'table' | 'element' | 'array' | 'inline-table' | 'plain';
  readonly path: ValuePath;
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** Parses one key as written in the document, with quotes and escapes. */
export type KeyReader = (written: string) => string;

/**
 * Returns the ranges of all values and headers in a TOML document, in order. The content must be valid TOML; otherwise, the ranges are
 * meaningless. This function exists because smol-toml does not report positions, and edits that preserve comments need positions.
 */
export function outlineToml(text: string, readKey: KeyReader): TomlSpan[] {
  const outline: Outline = { text, readKey, spans: [], elements: new Map(), table: [], at: 0 };
  outline.at = skipVoid(text, 0);
  while (outline.at < text.length) {
    if (text[outline.at] === '[') readHeader(outline);
    else readPair(outline, outline.table, outline.at);
    outline.at = skipVoid(text, skipLine(text, outline.at));
  }
  return outline.spans;
}

interface Outline {
  readonly text: string;
  readonly readKey: KeyReader;
  readonly spans: TomlSpan[];
  /** Number of elements in each array of tables, by the path of the array as JSON. */
  readonly elements: Map<string, number>;
  table: ValuePath;
  at: number;
}

function readHeader(outline: Outline): void {
  const line = outline.at;
  const isElement = outline.text.startsWith('[[', line);
  outline.at += isElement ? 2 : 1;
  const keys = readKeys(outline);
  outline.at += isElement ? 2 : 1;
  const path: (string | number)[] = [];
  keys.forEach((key, depth) => {
    path.push(key);
    const id = JSON.stringify(path);
    const count = outline.elements.get(id);
    if (isElement && depth === keys.length - 1) {
      path.push(count ?? 0);
      outline.elements.set(id, (count ?? 0) + 1);
    } else if (count !== undefined) path.push(count - 1);
  });
  outline.table = path;
  const kind = isElement ? 'element' : 'table';
  outline.spans.push({ kind, path, line, start: line, end: outline.at });
}

function readPair(outline: Outline, table: ValuePath, line: number): void {
  const path = [...table, ...readKeys(outline)];
  outline.at = skipBlank(outline.text, outline.at + 1);
  readValue(outline, path, line);
}

function readKeys(outline: Outline): string[] {
  const keys: string[] = [];
  for (;;) {
    const start = skipBlank(outline.text, outline.at);
    const end = /["']/.test(outline.text[start] ?? '')
      ? stringEnd(outline.text, start)
      : matchEnd(/[\w-]*/y, outline.text, start);
    keys.push(outline.readKey(outline.text.slice(start, end)));
    outline.at = skipBlank(outline.text, end);
    if (outline.text[outline.at] !== '.') return keys;
    outline.at++;
  }
}

function readValue(outline: Outline, path: ValuePath, line: number): void {
  const { text, spans } = outline;
  const start = outline.at;
  const opening = text[start];
  const kind = opening === '[' ? 'array' : opening === '{' ? 'inline-table' : 'plain';
  const span = spans.push({ kind, path, line, start, end: start }) - 1;
  if (kind === 'plain') outline.at = plainEnd(text, start);
  else readContents(outline, path, kind);
  spans[span] = { kind, path, line, start, end: outline.at };
}

/** Reads the values between the brackets of an array or the braces of an inline table, including the closing bracket or brace. */
function readContents(outline: Outline, path: ValuePath, kind: 'array' | 'inline-table'): void {
  const { text } = outline;
  outline.at = skipVoid(text, outline.at + 1);
  for (let index = 0; outline.at < text.length && !/[\]}]/.test(text[outline.at] ?? ''); index++) {
    if (kind === 'array') readValue(outline, [...path, index], outline.at);
    else readPair(outline, path, outline.at);
    outline.at = skipVoid(text, outline.at);
    if (text[outline.at] === ',') outline.at = skipVoid(text, outline.at + 1);
  }
  outline.at++;
}

function plainEnd(text: string, start: number): number {
  if (/["']/.test(text[start] ?? '')) return stringEnd(text, start);
  const end = matchEnd(/[^,\]}#\r\n]*/y, text, start);
  return start + text.slice(start, end).trimEnd().length;
}

const strings = [/"""(?:\\.|[^\\])*?"{3,5}/sy, /'''.*?'{3,5}/sy, /"(?:\\.|[^"\\\r\n])*"/y, /'[^'\r\n]*'/y];

function stringEnd(text: string, start: number): number {
  for (const string of strings) {
    const end = matchEnd(string, text, start);
    if (end > start) return end;
  }
  return text.length;
}

function skipBlank(text: string, start: number): number {
  return matchEnd(/[ \t]*/y, text, start);
}

/** Skips white space, line endings and comments. */
function skipVoid(text: string, start: number): number {
  return matchEnd(/(?:[ \t\r\n]+|#[^\n]*)*/y, text, start);
}

/** Skips to the end of a line, before its line ending. */
export function skipLine(text: string, start: number): number {
  return matchEnd(/[^\r\n]*/y, text, start);
}
