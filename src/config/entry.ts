import type { ConfigFormat } from '../model/config.ts';

/** One binding in a configuration file: an element of the array `list`. */
export interface BindingEntry {
  readonly list: 'kv_namespaces' | 'objstore_buckets' | 'r2_buckets';
  readonly binding: string;
  /** The other fields of the binding: `id`, `preview_id`, `bucket_name`. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The element as data. */
export function entryData(entry: BindingEntry): Record<string, string> {
  return { binding: entry.binding, ...entry.fields };
}

/** Where the array of an entry stands: at the top level, or in an environment. */
export function listPath(entry: BindingEntry, environment: string | undefined): string[] {
  return environment === undefined ? [entry.list] : ['env', environment, entry.list];
}

/** The text to paste into a configuration file to get this entry; ends without a line break. */
export function configSnippet(
  entry: BindingEntry,
  format: ConfigFormat,
  environment: string | undefined,
): string {
  const path = listPath(entry, environment);
  if (format === 'toml') return tomlElement(tomlHeader(path), entry).join('\n');
  const data = path.reduceRight<unknown>((value, key) => ({ [key]: value }), [entryData(entry)]);
  return JSON.stringify(data, null, 2);
}

/** The header of an element of an array of tables. */
export function tomlHeader(path: readonly string[]): string {
  return `[[${path.map(tomlKey).join('.')}]]`;
}

/** An element of an array of tables, line by line. */
export function tomlElement(header: string, entry: BindingEntry): string[] {
  return [header, ...tomlPairs(entryData(entry))];
}

/** `name = "value"` for each of them. */
export function tomlPairs(data: Readonly<Record<string, string>>): string[] {
  return Object.entries(data).map(([name, value]) => `${tomlKey(name)} = ${tomlString(value)}`);
}

/** A basic string of TOML. JSON's escapes are all TOML's; TOML wants DEL escaped too. */
export function tomlString(value: string): string {
  return JSON.stringify(value).replaceAll('\x7f', '\\u007f');
}

function tomlKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : tomlString(key);
}
