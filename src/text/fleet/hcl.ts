/** Matches characters that must be escaped in an HCL string, and characters that are invisible on a terminal. */
const unsafe = /["\\\u0000-\u001f\u007f-\u009f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

const short: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Formats a quoted HCL string. No part of the string is interpreted as a template (`${…}`, `%{…}`). */
export function hclString(text: string): string {
  const escaped = text.replace(
    unsafe,
    (one) => short.get(one) ?? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `"${escaped.replace(/[$%]\{/g, (opening) => `${opening[0]}${opening}`)}"`;
}

/** The value of an attribute. Undefined values and empty objects are omitted. */
export type HclValue = string | boolean | HclFields | undefined;

export interface HclFields {
  readonly [name: string]: HclValue;
}

/**
 * Formats attributes as lines with aligned equals signs, indented by `depth` levels. Names that are not identifiers are quoted.
 */
export function hclLines(fields: HclFields, depth: number): readonly string[] {
  const given = Object.entries(fields).filter(([, value]) => !isEmpty(value));
  const names = given.map(([name]) => (isPlainName(name) ? name : hclString(name)));
  const width = Math.max(0, ...names.map((name) => name.length));
  const indent = '  '.repeat(depth);
  return given.flatMap(([, value], at) => {
    const [first = '', ...rest] = valueLines(value, depth);
    return [`${indent}${(names[at] ?? '').padEnd(width)} = ${first}`, ...rest];
  });
}

/** Returns whether a name can be written without quotes. `for` must be quoted, because it begins an expression. */
function isPlainName(name: string): boolean {
  return name !== 'for' && /^[a-z_][a-z0-9_]*$/i.test(name);
}

function valueLines(value: HclValue, depth: number): readonly string[] {
  if (typeof value === 'string') return [hclString(value)];
  if (typeof value !== 'object') return [String(value)];
  return ['{', ...hclLines(value, depth + 1), `${'  '.repeat(depth)}}`];
}

function isEmpty(value: HclValue): boolean {
  return value === undefined || (typeof value === 'object' && Object.values(value).every(isEmpty));
}

/** Derives valid and unique resource names from untrusted data. */
export class HclNames {
  readonly #taken = new Set<string>();

  /** Returns a name of letters, digits and `_` that does not start with a digit. If the name is already taken, a number is appended. */
  take(text: string): string {
    const plain = text
      .toLowerCase()
      .replace(/^\*\./, 'wildcard_')
      .replace(/[^a-z0-9]+/g, '_');
    const base = /^[a-z_]/.test(plain) ? plain : `_${plain}`;
    let name = base;
    for (let number = 2; this.#taken.has(name); number += 1) name = `${base}_${number}`;
    this.#taken.add(name);
    return name;
  }
}
