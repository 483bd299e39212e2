import type { AskWrite } from '../../services/guard/recorded-writes.ts';
import type { DisplayVariables } from '../../services/session/display-settings.ts';
import type { Choice, Note, Session } from '../../services/session/session.ts';
import type { SessionChoice } from '../../services/tasks/context.ts';
import type { Redact } from '../../text/redact.ts';
import type { World } from '../../world.ts';
import type { Ask } from '../ask.ts';
import type { AnswerOf } from '../commands/answers.ts';
import type { DryRun } from '../dry-run.ts';
import type { Output } from '../output/output.ts';
import type { ArgumentValues, CommandDeclaration, FlagValues } from './declaration.ts';
import { dryRunFlag, type GlobalFlags } from './flags.ts';

/**
 * The environment of a running command, in addition to its input. `A` is the `--json` answer, and `L` is one line of the answer.
 */
export interface Context<A = unknown, L = unknown> {
  readonly world: World;
  readonly output: Output<A, L>;
  readonly ask: Ask;
  /**
   * The general dry run, which ends the command at its first change; undefined without --dry-run, or if the command has its own dry run.
   */
  readonly dryRun: DryRun | undefined;
  /** The declared effect of the command. */
  readonly effect: CommandDeclaration['effect'];
  /** All commands, for commands that describe them. */
  readonly commands: CommandNode;
  /** Opens the session on first use; the session is closed when the command ends. */
  session(choice?: Partial<Choice>): Promise<Session>;
  /**
   * Opens a session with the global flags. The caller must close the session. Messages of the session go to `note`, and questions about
   * writes to `askWrite`.
   */
  openSession(choice: Partial<Choice>, note: Note, askWrite?: AskWrite): Promise<Session>;
  /**
   * Runs the console until the user leaves it, and returns the exit code. `opens` is the link to open first. `manners` are the display
   * flags of the command line, as equivalent environment variables.
   */
  openConsole(open: OpenSession, opens: string, manners?: DisplayVariables): Promise<number>;
  /** Runs another command line in a separate World, and returns the exit code. */
  run(world: World, argv: readonly string[]): Promise<number>;
}

/** Opens the session for a target and a profile (default: the target and profile chosen at startup). */
export type OpenSession = (choice: SessionChoice, note: Note, askWrite?: AskWrite) => Promise<Session>;

/**
 * The console, as passed in by `main.ts`. `redact` removes from a string the credentials of all sessions opened so far. Before anything is
 * drawn, `prepare` asks whether to trust found files, and asks for passphrases.
 */
export type RunConsole = (
  world: World,
  open: OpenSession,
  redact: Redact,
  opens: string,
  prepare: () => Promise<void>,
) => Promise<number>;

/** Parsed input: positional arguments and flags by their declared names. */
export interface Input<D extends CommandDeclaration = CommandDeclaration> {
  readonly args: ArgumentValues<D['arguments']>;
  readonly flags: FlagValues<D['flags']> & GlobalFlags;
}

/** The environment of a declared command. The type of its answer follows from the declaration. */
export type ContextOf<D extends CommandDeclaration> = Context<
  AnswerOf<D['words'], 'value'>,
  AnswerOf<D['words'], 'lines'>
>;

/** The implementation of a declared command. */
export interface Command<D extends CommandDeclaration = CommandDeclaration> {
  /** Returns the exit code (default: 0). Throws a Problem. */
  readonly run: (context: ContextOf<D>, input: Input<D>) => Promise<number | undefined>;
}

/** Returns the command unchanged; the types of its input are inferred from the declaration. */
export function command<D extends CommandDeclaration>(body: Command<D>): Command<D> {
  return body;
}

/** A row of the command table: the declaration, and how to load the implementation. */
export interface CommandRow extends CommandDeclaration {
  /** Whether --dry-run is the general dry run, because the command changes data and has no separate dry run. */
  readonly plans?: true;
  load(): Promise<Command>;
}

/** A node of the command tree: the root, a group of commands, or a command. */
export interface CommandNode {
  /** Words after `edgectl`. */
  readonly words: readonly string[];
  /** The child nodes by their next word; empty at a command. */
  readonly below: ReadonlyMap<string, CommandNode>;
  /** All commands at and below this node, in order. */
  readonly rows: readonly CommandRow[];
  /** The command, if the words name one. */
  readonly row: CommandRow | undefined;
}

/** Creates a row of the table. The parameter types reject an implementation written for another declaration. */
export function row<D extends CommandDeclaration>(
  declaration: D,
  load: () => Promise<Command<D>>,
): CommandRow {
  const loaded = load as () => Promise<Command>;
  const { effect, flags } = declaration;
  const isChange = effect === 'write' || effect === 'destroy';
  if (!isChange || 'dry-run' in flags || 'plan' in flags) return { ...declaration, load: loaded };
  return { ...declaration, flags: { ...flags, ...dryRunFlag }, plans: true, load: loaded };
}

interface MutableNode extends CommandNode {
  readonly below: Map<string, MutableNode>;
  readonly rows: CommandRow[];
  row: CommandRow | undefined;
}

/** Builds the tree of all commands. A command is never also a group. */
export function commandTree(rows: readonly CommandRow[]): CommandNode {
  const root = newNode([]);
  for (const row of rows) {
    let at = root;
    at.rows.push(row);
    for (const word of row.words.split(' ')) {
      const next = at.below.get(word) ?? newNode([...at.words, word]);
      at.below.set(word, next);
      next.rows.push(row);
      at = next;
    }
    at.row = row;
  }
  return root;
}

function newNode(words: readonly string[]): MutableNode {
  return { words, below: new Map(), rows: [], row: undefined };
}

/** Returns the words of a node as typed: `edgectl kv key`. */
export function formatCommand({ words }: Pick<CommandNode, 'words'>): string {
  return ['edgectl', ...words].join(' ');
}
