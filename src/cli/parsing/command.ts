import type { MannerVariables } from '../../services/session/manners.ts';
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

/** The environment of a running command, in addition to its input. `A` is its answer with `--json`, `L` one line of it. */
export interface Context<A = unknown, L = unknown> {
  readonly world: World;
  readonly output: Output<A, L>;
  readonly ask: Ask;
  /** Set with --dry-run on a command without its own dry run: it ends the command instead of a change. */
  readonly dryRun: DryRun | undefined;
  /** As declared. */
  readonly effect: CommandDeclaration['effect'];
  /** All commands, for what is about them. */
  readonly commands: CommandNode;
  /** Opens the session on first use; closed when the command ends. */
  session(choice?: Partial<Choice>): Promise<Session>;
  /** Opens a session that the caller closes, with the global flags in it. Its notes go to `note`. */
  openSession(choice: Partial<Choice>, note: Note): Promise<Session>;
  /**
   * Runs the console until it is left, and gives the exit code. It opens on what a link names. Manners that were typed are
   * said by the variables that mean the same.
   */
  openConsole(open: OpenSession, opens: string, manners?: MannerVariables): Promise<number>;
  /** Runs another command line in a separate World, and returns the exit code. */
  run(world: World, argv: readonly string[]): Promise<number>;
}

/** Opens the session of a target and a profile: of those that were asked for first, when none is named. */
export type OpenSession = (choice: SessionChoice, note: Note) => Promise<Session>;

/**
 * The console, as passed in by `main.ts`. `redact` removes the credentials of all sessions so far from a string. `prepare` asks
 * about found files before anything is drawn.
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

/** The environment of a declared command: it answers what is declared of it. */
export type ContextOf<D extends CommandDeclaration> = Context<
  AnswerOf<D['words'], 'value'>,
  AnswerOf<D['words'], 'lines'>
>;

/** The function of a declared command. */
export interface Command<D extends CommandDeclaration = CommandDeclaration> {
  /** Gives the exit code, 0 when it gives none. Throws a Problem. */
  readonly run: (context: ContextOf<D>, input: Input<D>) => Promise<number | undefined>;
}

/** Returns the command unchanged; the types of its input follow from the declaration. */
export function command<D extends CommandDeclaration>(body: Command<D>): Command<D> {
  return body;
}

/** One row of the table of commands: what is declared, and where what it does comes from. */
export interface CommandRow extends CommandDeclaration {
  /** Whether --dry-run is the general one of changing commands, because it has none of its own. */
  readonly plans?: true;
  load(): Promise<Command>;
}

/** A place that words lead to: nothing yet, a group of commands, or a command. */
export interface CommandNode {
  /** Words after `edgectl`. */
  readonly words: readonly string[];
  /** Where each next word leads; empty at a command. */
  readonly below: ReadonlyMap<string, CommandNode>;
  /** All commands here and below, in their order. */
  readonly rows: readonly CommandRow[];
  /** The command, where the words name one. */
  readonly row: CommandRow | undefined;
}

/** A row of the table. Refuses, by its type, to load what was written for another declaration. */
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

interface GrowingNode extends CommandNode {
  readonly below: Map<string, GrowingNode>;
  readonly rows: CommandRow[];
  row: CommandRow | undefined;
}

/** The tree of all commands. No command is a group of others. */
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

function newNode(words: readonly string[]): GrowingNode {
  return { words, below: new Map(), rows: [], row: undefined };
}

/** The words of a place as typed: `edgectl kv key`. */
export function typedAs({ words }: Pick<CommandNode, 'words'>): string {
  return ['edgectl', ...words].join(' ');
}
