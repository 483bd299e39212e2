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
}

/** The top level of a configuration file, or one of its environments. */
export interface ConfigSection {
  readonly name?: string;
  readonly main?: string;
  readonly compatibilityDate?: string;
  readonly compatibilityFlags?: readonly string[];
  /** False keeps the worker from its own hostname. */
  readonly workersDev?: boolean;
  /** Patterns of the addresses at which the worker is meant to be visited: `shop.example/*`. */
  readonly routes?: readonly string[];
  readonly accountId?: string;
  readonly zoneId?: string;
  readonly kvNamespaces: readonly KvBinding[];
  readonly buckets: readonly BucketBinding[];
  /** Plain values that the worker finds on `env`. */
  readonly vars: Readonly<Record<string, unknown>>;
  /** Keys about the worker that edgectl does not support; absent if there are none. */
  readonly otherKeys?: readonly string[];
}

/** A field of a configuration file that nobody knows: most likely a mistyped one. */
export interface UnknownConfigField {
  readonly name: string;
  /** `/path/edgectl.toml:5`. */
  readonly place: string;
  /** Those that there are where it stands. */
  readonly known: readonly string[];
}

export type ConfigFormat = 'toml' | 'jsonc';

/** A configuration file that was found. */
export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  readonly format: ConfigFormat;
  /** A `wrangler` file, read because there is no edgectl file; the caller says so on stderr. */
  readonly fallback: boolean;
}

/** A configuration file that was read and checked. */
export interface Config extends ConfigSection, ConfigFile {
  /** Of all sections; absent if there are none. */
  readonly unknownFields?: readonly UnknownConfigField[];
  readonly environments: ReadonlyMap<string, ConfigSection>;
}

/** The configuration as one environment (or none) sees it. */
export interface Project extends ConfigSection, ConfigFile {
  /** Of the whole file; absent if there are none. */
  readonly unknownFields?: readonly UnknownConfigField[];
  /** The name at the top level, for namespace titles; `name` is that of the environment's worker. */
  readonly projectName?: string;
  readonly environment?: string;
  /** The top level, whose bindings an environment does not inherit. */
  readonly topLevel: ConfigSection;
}

const reservedWords = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export ' +
    'extends false finally for function if implements import in instanceof interface let new null package ' +
    'private protected public return static super switch this throw true try typeof var void while with yield'
  ).split(' '),
);

/** The nearest name that can be a binding: `my-first` becomes `my_first`. */
export function bindingNear(name: string): string {
  const near = name.replaceAll(/[^\p{ID_Continue}$]/gu, '_');
  return bindingFault(near) === undefined ? near : `_${near}`;
}

/** Why a name cannot be a binding, or undefined. A binding is a valid JavaScript variable identifier. */
export function bindingFault(name: string): string | undefined {
  if (reservedWords.has(name)) return `"${name}" is a reserved word of JavaScript`;
  if (/^[A-Za-z$_][\w$]*$/.test(name) || /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name))
    return undefined;
  return 'a binding is a JavaScript identifier: letters, digits, _ and $, not beginning with a digit';
}
