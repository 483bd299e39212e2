/** A worker's access to a key-value namespace (specification, Namespace). */
export interface KvBinding {
  readonly binding: string;
  readonly id?: string;
  readonly previewId?: string;
}

/** A worker's access to an object bucket (specification, Object bucket). */
export interface BucketBinding {
  readonly binding: string;
  readonly bucketName?: string;
  readonly previewBucketName?: string;
  /** The jurisdiction of the bucket; absent if the bucket has none. */
  readonly jurisdiction?: string;
}

/** The top level of a configuration file, or one of its environments. */
export interface ConfigSection {
  readonly name?: string;
  readonly main?: string;
  readonly compatibilityDate?: string;
  readonly compatibilityFlags?: readonly string[];
  /** Set to false to disable the worker's workers.dev hostname. */
  readonly workersDev?: boolean;
  /** Patterns of the URLs that the worker serves: `shop.example/*`. */
  readonly routes?: readonly string[];
  readonly accountId?: string;
  readonly zoneId?: string;
  readonly kvNamespaces: readonly KvBinding[];
  readonly buckets: readonly BucketBinding[];
  /** Plain values that are passed to the worker in `env`. */
  readonly vars: Readonly<Record<string, unknown>>;
  /** Worker settings that edgectl does not support; absent if there are none. */
  readonly otherKeys?: readonly string[];
}

/** An unknown field in a configuration file, probably misspelled. */
export interface UnknownConfigField {
  readonly name: string;
  /** File and line, such as `/path/edgectl.toml:5`. */
  readonly place: string;
  /** The fields that are valid in the same section. */
  readonly known: readonly string[];
}

export type ConfigFormat = 'toml' | 'jsonc';

/** A configuration file that exists. */
export interface ConfigFile {
  /** The absolute path of the file. */
  readonly path: string;
  readonly format: ConfigFormat;
  /**
   * Whether the file is a `wrangler` file, read because there is no edgectl file; the caller reports this on stderr.
   */
  readonly fallback: boolean;
}

/** A configuration file after parsing and validation. */
export interface Config extends ConfigSection, ConfigFile {
  /** Unknown fields of all sections; absent if there are none. */
  readonly unknownFields?: readonly UnknownConfigField[];
  readonly environments: ReadonlyMap<string, ConfigSection>;
}

/** The configuration as seen by one environment, or by the top level. */
export interface Project extends ConfigSection, ConfigFile {
  /** Unknown fields of the whole file; absent if there are none. */
  readonly unknownFields?: readonly UnknownConfigField[];
  /** The project name at the top level, used for namespace titles. `name` is the name of the environment's worker. */
  readonly projectName?: string;
  readonly environment?: string;
  /** The top-level section, whose bindings an environment does not inherit. */
  readonly topLevel: ConfigSection;
}

const reservedWords = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export ' +
    'extends false finally for function if implements import in instanceof interface let new null package ' +
    'private protected public return static super switch this throw true try typeof var void while with yield'
  ).split(' '),
);

/** Returns the closest valid binding name: `my_first` for `my-first`. */
export function suggestBinding(name: string): string {
  const near = name.replaceAll(/[^\p{ID_Continue}$]/gu, '_');
  return bindingFault(near) === undefined ? near : `_${near}`;
}

/** Explains why a name cannot be the name of a binding; undefined if it can. The name must be a valid JavaScript identifier. */
export function bindingFault(name: string): string | undefined {
  if (reservedWords.has(name)) return `"${name}" is a reserved word in JavaScript`;
  if (/^[A-Za-z$_][\w$]*$/.test(name) || /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name))
    return undefined;
  return 'a binding must be a JavaScript identifier: letters, digits, _ and $, not starting with a digit';
}
