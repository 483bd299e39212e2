import type { ConfigFormat } from '../model/config.ts';

/** A binding in a configuration file: an element of the array `list`. */
export interface BindingEntry {
  readonly list: 'kv_namespaces' | 'objstore_buckets' | 'r2_buckets';
  readonly binding: string;
  /** The other fields of the binding: `id`, `preview_id` or `bucket_name`. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Returns the data of the array element for an entry. */
export function entryData(entry: BindingEntry): Record<string, string> {
  return { binding: entry.binding, ...entry.fields };
}

/** Returns the path of an entry's array, at the top level or in an environment. */
export function listPath(entry: BindingEntry, environment: string | undefined): string[] {
  return environment === undefined ? [entry.list] : ['env', environment, entry.list];
}

/** Returns the snippet that the user pastes into a configuration file to add an entry, without a final line break. */
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

/** Returns the header of an element in an array of tables. */
export function tomlHeader(path: readonly string[]): string {
  return `[[${path.map(tomlKey).join('.')}]]`;
}

/** Returns the lines of an element in an array of tables. */
export function tomlElement(header: string, entry: BindingEntry): string[] {
  return [header, ...tomlPairs(entryData(entry))];
}

/** Returns a line `name = "value"` for each field. */
export function tomlPairs(data: Readonly<Record<string, string>>): string[] {
  return Object.entries(data).map(([name, value]) => `${tomlKey(name)} = ${tomlString(value)}`);
}

/** Formats a TOML basic string. JSON escapes are valid in TOML, but TOML also requires DEL to be escaped. */
export function tomlString(value: string): string {
  return JSON.stringify(value).replaceAll('\x7f', '\\u007f');
}

function tomlKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : tomlString(key);
}
