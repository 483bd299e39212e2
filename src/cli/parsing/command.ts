import type { IdKind } from '../../model/id.ts';
import type { Target } from '../../model/target.ts';
import type { Choice, Session } from '../../services/session/session.ts';
import type { Redact } from '../../text/redact.ts';
import type { World } from '../../world.ts';
import type { Ask } from '../ask.ts';
import type { Output } from '../output/output.ts';
import type { GlobalFlags } from './flags.ts';

/** A flag, declared once: parsing, types, help, completion and docs/commands.md come from it. */
export interface FlagDeclaration {
  /**
   * `number` is a whole number, anything else is refused; `texts` may be given several times; `switch` is on or off, and
   * takes a text, a path, only behind `=`; `id` is an id of the platform, `path` names a file or a folder: what can be
   * none of them is refused before the command begins.
   */
  readonly kind: 'boolean' | 'switch' | 'text' | 'number' | 'texts' | 'id' | 'path';
  /** What an id stands for. */
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
}

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

/** What a command is given beside its input. */
export interface Context {
  readonly world: World;
  readonly output: Output;
  readonly ask: Ask;
  /** Opens the session on first use; closed when the command ends. */
  session(choice?: Partial<Choice>): Promise<Session>;
  /** Opens a session that the caller closes, with the global flags in it. Its notes go to `note`. */
  openSession(choice: Partial<Choice>, note: Note): Promise<Session>;
  /** Runs the console until it is left, and gives the exit code. */
  openConsole(open: OpenSession): Promise<number>;
  /** Runs another command line in a World of its own, and gives the exit code. */
  run(world: World, argv: readonly string[]): Promise<number>;
}

/** Is told what happens on the way, in words that may hold bytes from outside. */
export type Note = (message: string) => void;

/** Opens the session of a target and a profile: of those that were asked for first, when none is named. */
export type OpenSession = (
  choice: { readonly target?: Target | undefined; readonly profile?: string | undefined },
  note: Note,
) => Promise<Session>;

/** The console, as `main.ts` hands it in. `redact` takes the credentials of all sessions so far out of a text. */
export type RunConsole = (world: World, open: OpenSession, redact: Redact) => Promise<number>;

/** What was typed, parsed: positional arguments and flags by their declared names. */
export interface Input<A extends Arguments, F extends Flags> {
  readonly args: ArgumentValues<A>;
  readonly flags: FlagValues<F> & GlobalFlags;
}

export interface CommandBody<A extends Arguments, F extends Flags> {
  readonly arguments: A;
  readonly flags: F;
  /** Command line after `edgectl`, and what it does. */
  readonly examples?: readonly (readonly [string, string])[];
  /** Whatever the command says at length, one paragraph an entry. */
  readonly notes?: readonly string[];
  /** Gives the exit code, 0 when it gives none. Throws a Problem. */
  run(context: Context, input: Input<A, F>): Promise<number | undefined>;
}

/** A command whose types have done their work. */
export type Command = CommandBody<Arguments, Flags>;

/** Declares a command: the types of `run`'s input follow from its arguments and flags. */
export function command<const A extends Arguments, const F extends Flags>(body: CommandBody<A, F>): Command {
  return {
    ...body,
    run: (context, input) => body.run(context, input as Input<A, F>),
  };
}

/** One row of the table of commands, known without loading the command. */
export interface CommandRow {
  /** Words after `edgectl`. */
  readonly words: string;
  readonly about: string;
  /** What it does to data on the platform. */
  readonly effect: 'read' | 'write' | 'destroy' | 'none';
  /** Whether it asks before it acts. */
  readonly asks?: boolean;
  readonly needs: 'account' | 'zone' | 'nothing';
  load(): Promise<Command>;
}
