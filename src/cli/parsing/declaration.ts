import type { IdKind } from '../../model/id.ts';

/** A flag. Parsing, types, help, completion and docs are generated from the declaration. */
export interface FlagDeclaration {
  /**
   * `number` is a whole number. `texts` can be repeated. `switch` is on or off, and takes a value (a path) only after `=`. `id`
   * is a platform id. `path` is a file or a folder. Invalid values are rejected before the command starts.
   */
  readonly kind: 'boolean' | 'switch' | 'text' | 'number' | 'texts' | 'id' | 'path';
  /** Kind of resource that the id names. */
  readonly of?: IdKind;
  /** If this flag is set, the id is the name of a local data folder instead. */
  readonly folderWith?: string;
  readonly about: string;
  /** One letter. */
  readonly short?: string;
  /** Whether the flag is recognized only to be rejected with a hint, and is not offered in help or completion. */
  readonly hidden?: boolean;
  /** Shown in help: `--ttl <SECONDS>`. */
  readonly placeholder?: string;
  readonly completes?: Completes;
}

/** Completions of a value: these words, or the existing names of a kind in the account or data on which the command acts. */
export type Completes = readonly string[] | NameKind;

/** Kinds of names that a shell can complete. */
export type NameKind = 'binding' | 'namespace' | 'title' | 'bucket' | 'hostname' | 'profile' | 'zone';

export type Flags = Readonly<Record<string, FlagDeclaration>>;

/** Returns whether the next word on the command line is the value of the flag. */
export function takesNext({ kind }: FlagDeclaration): boolean {
  return kind !== 'boolean' && kind !== 'switch';
}

type FlagValue<D extends FlagDeclaration> = D['kind'] extends 'boolean'
  ? boolean
  : D['kind'] extends 'switch'
    ? boolean | string
    : D['kind'] extends 'number'
      ? number | undefined
      : D['kind'] extends 'texts'
        ? readonly string[]
        : string | undefined;

export type FlagValues<F extends Flags> = { readonly [Name in keyof F]: FlagValue<F[Name]> };

export interface ArgumentDeclaration {
  readonly about: string;
  /** The argument is a file or a folder. */
  readonly kind?: 'path';
  readonly optional?: boolean;
  /** Whether the command acts on everything if the argument is omitted. Such a command has no --all flag. */
  readonly omitted?: 'all';
  readonly completes?: Completes;
  /** Whether the argument may be a credential, which hints must not repeat. */
  readonly mayBeSecret?: boolean;
  /**
   * Whether the argument takes all remaining words: at least one word unless the argument is optional. Allowed only for the last argument.
   */
  readonly many?: boolean;
}

export type Arguments = Readonly<Record<string, ArgumentDeclaration>>;

type ArgumentValue<D extends ArgumentDeclaration> = D extends { readonly many: true }
  ? readonly string[]
  : D extends { readonly optional: true }
    ? string | undefined
    : string;

export type ArgumentValues<A extends Arguments> = { readonly [Name in keyof A]: ArgumentValue<A[Name]> };

/**
 * The protection of a command against accidental loss. Data that the command line names is overwritten or deleted without a question. For
 * other data, the command saves the old state for undo, or asks for confirmation. The object is empty if the command cannot lose data.
 */
export interface Loss {
  /** Data overwritten or deleted without asking, because the command line names it: "the value of KEY". */
  readonly names?: string;
  /** The case in which the old state of a single item is saved for undo: by default, or only on a terminal or with --undo. */
  readonly keeps?: 'by default' | 'on request';
  /** The action that is confirmed first: "deleting the namespace". Without a terminal, --yes is required. */
  readonly asks?: string;
}

/**
 * The flag to which a surplus argument probably belongs; or several such flags, and a function that chooses among them for a given
 * argument.
 */
export type Surplus =
  | string
  | {
      readonly names: readonly string[];
      /** `first` is the first argument of the command line. */
      flags(text: string, first: string): readonly string[];
    };

/** A command without its implementation, which is loaded on first use. */
export interface CommandDeclaration {
  /** Words after `edgectl`. */
  readonly words: string;
  readonly about: string;
  /** Effect on data on the platform. */
  readonly effect: 'read' | 'write' | 'destroy' | 'none';
  /** Required on every command that changes or deletes data, on the platform or on this machine. */
  readonly loss?: Loss;
  readonly needs: 'account' | 'zone' | 'nothing';
  readonly arguments: Arguments;
  readonly flags: Flags;
  /** Flags for surplus arguments, in order. */
  readonly surplus?: readonly Surplus[];
  /** The command line after `edgectl`, and its description. */
  readonly examples?: readonly (readonly [string, string])[];
  /** Further paragraphs of the help, one per entry. */
  readonly notes?: readonly string[];
}

/** Declares a command, and preserves the literal types from which the type of its input is inferred. */
export function declare<const D extends CommandDeclaration>(declaration: D): D {
  return declaration;
}
