import type { IdKind } from '../../model/id.ts';

/** A flag, declared once: parsing, types, help, completion and README come from it. */
export interface FlagDeclaration {
  /**
   * `number` is a whole number, anything else is refused; `texts` may be given several times; `switch` is on or off, and
   * takes a text, a path, only behind `=`; `id` is an id of the platform, `path` names a file or a folder: what can be
   * none of them is refused before the command begins.
   */
  readonly kind: 'boolean' | 'switch' | 'text' | 'number' | 'texts' | 'id' | 'path';
  /** Kind of thing that an id names. */
  readonly of?: IdKind;
  /** Flag with which the id names a folder of local data instead. */
  readonly folderWith?: string;
  readonly about: string;
  /** One letter. */
  readonly short?: string;
  /** Known, so that it can be refused with a hint, but not offered. */
  readonly hidden?: boolean;
  /** Shown in help: `--ttl <SECONDS>`. */
  readonly placeholder?: string;
  readonly completes?: Completes;
}

/** Offered by a shell for a value: these words, or names of a kind that there are where the command would act. */
export type Completes = readonly string[] | NameKind;

/** Things with names that a shell can offer. */
export type NameKind = 'binding' | 'namespace' | 'title' | 'bucket' | 'hostname' | 'profile' | 'zone';

export type Flags = Readonly<Record<string, FlagDeclaration>>;

/** Whether what follows the flag on the line belongs to it. */
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
  /** It names a file or a folder. */
  readonly kind?: 'path';
  readonly optional?: boolean;
  /** Without it, the command acts on all: there is no flag --all. */
  readonly omitted?: 'all';
  readonly completes?: Completes;
  /** It is not repeated in a hint: it may be a credential. */
  readonly mayBeSecret?: boolean;
  /** Takes all that is left, at least one unless optional. Only for the last. */
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
 * The rule of loss for a command: how nothing is lost by an oversight. What the command line names is replaced or
 * deleted without a question; beyond that a command saves the old state for undo, or asks. Empty: it takes nothing away.
 */
export interface Loss {
  /** Things that are replaced or deleted because the command line names it: "the value of KEY". */
  readonly names?: string;
  /** Whether the old state of a single thing goes to the undo journal: by default, or on a terminal and with --undo. */
  readonly keeps?: 'by default' | 'on request';
  /** The question that comes first, as in "asks before deleting the namespace"; without a terminal --yes is required. */
  readonly asks?: string;
}

/** The flag that people mean by an argument too many, or all such flags and the words that a text stands for. */
export type Surplus =
  | string
  | {
      readonly names: readonly string[];
      /** `first` is the first argument of the line. */
      flags(text: string, first: string): readonly string[];
    };

/** All that is known of a command without loading what it does. */
export interface CommandDeclaration {
  /** Words after `edgectl`. */
  readonly words: string;
  readonly about: string;
  /** Effect on data on the platform. */
  readonly effect: 'read' | 'write' | 'destroy' | 'none';
  /** On every command that changes or deletes something, on the platform or on this machine. */
  readonly loss?: Loss;
  readonly needs: 'account' | 'zone' | 'nothing';
  readonly arguments: Arguments;
  readonly flags: Flags;
  /** Flags that people mean by arguments too many, in their order. */
  readonly surplus?: readonly Surplus[];
  /** Command line after `edgectl`, and what it does. */
  readonly examples?: readonly (readonly [string, string])[];
  /** Whatever there is to say of the command at length, one paragraph an entry. */
  readonly notes?: readonly string[];
}

/** Declares a command, and keeps the types that its input follows from. */
export function declare<const D extends CommandDeclaration>(declaration: D): D {
  return declaration;
}
