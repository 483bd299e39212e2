import { ReaderClosed } from '../files/reader.ts';
import { asProblem, exitCodes, Problem } from '../model/problem.ts';
import { version } from '../model/version.ts';
import { canBeEmbedded } from '../model/where.ts';
import type { AskWrite } from '../services/guard/recorded-writes.ts';
import type { AskSecret } from '../services/session/lock.ts';
import type { Choice, Note, Session } from '../services/session/session.ts';
import type { Confirm } from '../services/session/trust.ts';
import { escapeLines } from '../text/escape.ts';
import { nearest } from '../text/nearest.ts';
import type { World } from '../world.ts';
import { openAsk } from './ask.ts';
import { commandRoot } from './commands/table.ts';
import type { DryRun } from './dry-run.ts';
import { allCommandsHelp, commandHelp, groupHelp, rootHelp, shortHelp } from './output/help.ts';
import { type Output, openOutput } from './output/output.ts';
import {
  type CommandNode,
  type CommandRow,
  type Context,
  formatCommand,
  type Input,
  type RunConsole,
} from './parsing/command.ts';
import { type CommandLine, readCommandLine } from './parsing/command-line.ts';
import { type GlobalFlags, toChoice } from './parsing/flags.ts';
import { interpret } from './parsing/interpret.ts';
import { isTopic, type Topic } from './parsing/topics.ts';
import { refuseReadOnly } from './read-only.ts';

/** Runs one command line, prints its errors, and returns the exit code. */
export async function runCommandLine(world: World, runConsole: RunConsole): Promise<number> {
  const line = readLine(world);
  const seen = new Set(line.flags.map(({ name }) => name));
  const invocation = {
    world,
    runConsole,
    output: openOutput(world, { json: seen.has('json'), quiet: seen.has('quiet') }),
  };
  try {
    return await dispatch(invocation, line);
  } catch (error) {
    if (error instanceof ReaderClosed || invocation.output.readerGone.aborted) return 0;
    const problem = world.interrupted.aborted
      ? new Problem('interrupted', interruptedMessage(error), { cause: error })
      : asProblem(error);
    invocation.output.problem(problem);
    if (seen.has('debug')) printStack(invocation.output, problem);
    return exitCodes[problem.code];
  }
}

/** Prints the stack trace of an error: one line per frame for people, one message with all frames for programs. */
function printStack(output: Output, { stack = '' }: Problem): void {
  const lines = escapeLines(Buffer.from(stack)).map(({ text }) => text);
  if (output.json) output.trace('Stack trace of the error.', { stack: lines });
  else for (const line of lines) output.trace(line);
}

function interruptedMessage(error: unknown): string {
  const problem = asProblem(error);
  return problem.code === 'interrupted' ? problem.message : 'Interrupted.';
}

interface Invocation {
  readonly world: World;
  readonly runConsole: RunConsole;
  /** The output is configured from the raw command line until the line is parsed. */
  output: Output;
}

async function dispatch(invocation: Invocation, line: CommandLine): Promise<number> {
  const { world, output } = invocation;
  if (world.argv.some((argument) => argument.includes('\ufffd'))) await refuseInvalidUtf8(world);
  const { at, colon } = line;
  if (at.row !== undefined && colon !== undefined) {
    output.warn(`The colon form is deprecated: write "${formatCommand(at)}" instead of "${colon}".`);
  }
  const meaning = interpret(line, commandRoot);
  if (meaning.kind === 'command') return runCommand(invocation, meaning.row, meaning.input);
  if (meaning.kind === 'nothing') {
    if (output.json) throw missingCommandProblem(at);
    world.stderr.write(at === commandRoot ? shortHelp(at) : groupHelp(at));
    return exitCodes.usage;
  }
  if (meaning.kind === 'version') await output.answer(`${version}\n`);
  else if (meaning.kind === 'topic') await output.answer(await topicText(meaning.topic));
  else if (meaning.kind === 'schema') await output.answer(await schemaText(meaning.words));
  else if (output.json) await output.answerJson((await import('./output/help-json.ts')).helpJson(meaning.at));
  else await output.answer(line.help ? await fullHelp(meaning.at) : await helpAt(meaning.at));
  return 0;
}

/** Returns the error for a command line without a command. Without `--json`, help is printed instead. */
function missingCommandProblem({ words }: CommandNode): Problem {
  const group = ['edgectl', ...words].join(' ');
  const message =
    words.length === 0
      ? 'No command given, and the console needs a terminal.'
      : `${group} requires a command.`;
  return new Problem('usage', message, { hint: `${group} --help` });
}

async function topicText(topic: Topic): Promise<string> {
  if (topic === 'commands') return allCommandsHelp(commandRoot);
  return (await import('./output/topics.ts')).topicHelp(topic);
}

/** Returns the help of a node. If the word is also a topic, such as `sandbox`, the topic comes first. */
async function fullHelp(at: CommandNode): Promise<string> {
  const [word = ''] = at.words;
  const subject = at.words.length === 1 && isTopic(word) ? `${await topicText(word)}\n` : '';
  return subject + (await helpAt(at));
}

async function helpAt(at: CommandNode): Promise<string> {
  if (at === commandRoot) return rootHelp(at);
  if (at.row === undefined) return groupHelp(at);
  // The answer shapes are loaded only for help, because no other command needs them.
  const { answerLine } = await import('./output/schemas.ts');
  return commandHelp(at.row, answerLine(at.row.words));
}

/** Returns the JSON Schema of an answer, looked up by command words or by schema file name. */
async function schemaText(words: string): Promise<string> {
  const { answerSchema, formatJson, otherSchemas, schemaName } = await import('./output/schemas.ts');
  const further = Object.hasOwn(otherSchemas, words) ? otherSchemas[words] : undefined;
  if (further !== undefined) return `${formatJson(further())}\n`;
  const row = commandRoot.rows.find((one) => one.words === words || schemaName(one.words) === words);
  if (row === undefined) {
    const near = nearest(
      words,
      commandRoot.rows.map((one) => one.words),
    );
    throw new Problem('usage', `Command "${words}" not found.`, {
      hint:
        near === undefined
          ? 'All commands: edgectl help commands'
          : `Did you mean: edgectl help schema ${near}`,
    });
  }
  const schema = answerSchema(row.words);
  if (schema !== undefined) return `${formatJson(schema)}\n`;
  throw new Problem('usage', `edgectl ${row.words} has no JSON result, so it has no schema.`);
}

/** Parses the command line. On a terminal, flags without a command apply to the console. Streams are opened only if needed. */
function readLine(world: World): CommandLine {
  const line = readCommandLine(world.argv, commandRoot);
  const bare = line.at === commandRoot && line.unknown === undefined && !isHelpRequest(line);
  if (!bare || !world.stdin.isTTY || !world.stdout.isTTY) return line;
  return readCommandLine(['console', ...world.argv], commandRoot);
}

function isHelpRequest({ help, flags }: CommandLine): boolean {
  return help || flags.some(({ name }) => name === 'help' || name === 'version');
}

async function runCommand(invocation: Invocation, row: CommandRow, input: Input): Promise<number> {
  const { runConsole } = invocation;
  const flags = input.flags as GlobalFlags;
  const output = openOutput(invocation.world, { ...flags, outlivesReader: changesData(row, input.flags) });
  const interruptible = withInterruption(invocation.world, output.readerGone);
  const world: World = input.flags['dry-run'] ? { ...interruptible, changesNothing: true } : interruptible;
  invocation.output = output;
  // Refusals must come before any question or message.
  if (changesData(row, input.flags)) refuseReadOnly(row.words, flags, world);
  if (flags.config !== undefined) await checkConfig(world, flags);
  let opened: Promise<Session> | undefined;
  const dryRun = await openDryRun(row, input.flags);
  const context: Context = {
    world,
    output,
    ask: dryRun?.ask() ?? openAsk(world, flags.yes),
    dryRun,
    effect: row.effect,
    commands: commandRoot,
    session(choice = {}) {
      opened ??= openCommandSession(world, output, flags, choice, {
        confirm: confirmOnTerminal(world),
        askSecret: askPassphrase(world),
        command: row.words,
      }).then((session) => dryRun?.wrapSession(session) ?? announceTarget(session, output));
      return opened;
    },
    openSession: async (choice, note, askWrite) => {
      const session = await openCommandSession(world, output, flags, choice, {
        note,
        debug: note,
        askWrite,
        // The console cannot ask for secrets on its screen, so edgectl asked for the passphrase before the console opened.
        askSecret: opensConsole(row) ? undefined : askPassphrase(world),
        command: row.words,
      });
      return dryRun?.wrapSession(session) ?? session;
    },
    openConsole: (open, opens, manners = {}) => {
      const env = { ...world.env, ...manners, ...(flags['no-color'] && withoutColor) };
      const prepare = async () => {
        const { confirmFound, unlockAtStart } = await import('../services/session/credential-input.ts');
        await confirmFound(world, toChoice(flags), confirmOnTerminal(world));
        await unlockAtStart(world, toChoice(flags), askPassphrase(world), output.warn);
      };
      return runConsole({ ...world, env }, open, output.redacted, opens, prepare);
    },
    run: (other, argv) => runCommandLine({ ...other, argv }, runConsole),
  };
  try {
    const code = (await (await row.load()).run(context, input)) ?? 0;
    if (dryRun?.hasEnded !== true) {
      if (code === 0 && output.json && !output.hasAnswered) await answerEmptyList(output, row);
      return code;
    }
  } catch (error) {
    if (dryRun?.hasEnded !== true || output.readerGone.aborted) throw error;
  } finally {
    const session = await opened?.catch(() => undefined);
    await session?.close();
  }
  await dryRun.answer(output, row.words);
  return 0;
}

/**
 * Prints `{"count":0}` for a command that prints one result per line and has no results, so that standard output is never empty with
 * `--json`.
 */
async function answerEmptyList(output: Output, { words }: CommandRow): Promise<void> {
  const { canAnswerLines } = await import('./output/schemas.ts');
  if (canAnswerLines(words)) await output.answerJsonLine({ count: 0 });
}

type FlagInput = Input['flags'];

/** Returns the general dry run of a command; undefined without --dry-run, or if the command has its own dry run. */
async function openDryRun({ plans }: CommandRow, flags: FlagInput): Promise<DryRun | undefined> {
  if (plans !== true || !flags['dry-run']) return undefined;
  return new (await import('./dry-run.ts')).DryRun();
}

/** Returns whether a command line changes data. A dry run only reads. */
function changesData({ effect }: CommandRow, flags: FlagInput): boolean {
  return (effect === 'write' || effect === 'destroy') && !flags['dry-run'];
}

/**
 * Rejects an invalid configuration named on the command line, even if the command does not need it: the user expects it to be
 * used.
 */
async function checkConfig({ cwd }: World, flags: GlobalFlags): Promise<void> {
  const { openProject } = await import('../config/project.ts');
  const { configPath: config, jsonConfig: json, environment } = toChoice(flags);
  await openProject({ cwd, config, json, environment });
}

/** Prints, once and before the first change, the account or zone and the platform that the command changes. */
function announceTarget(session: Session, output: Output): Session {
  let named = false;
  return {
    ...session,
    send(call) {
      if (!named && call.method !== 'GET' && call.readsOnly !== true) {
        named = true;
        output.note(targetNotice(session, call.path));
      }
      return session.send(call);
    },
  };
}

/** Variables that turn off all colors. */
const withoutColor = { NO_COLOR: '1', EDGECTL_THEME: 'mono' };

async function openCommandSession(
  world: World,
  output: Output,
  flags: GlobalFlags,
  choice: Partial<Choice>,
  {
    note = output.note,
    debug = output.trace,
    confirm,
    askWrite,
    askSecret,
    command,
  }: {
    note?: Note;
    debug?: Note;
    confirm?: Confirm | undefined;
    askWrite?: AskWrite | undefined;
    askSecret: AskSecret | undefined;
    command: string;
  },
): Promise<Session> {
  const { openSession } = await import('../services/session/open-session.ts');
  return openSession(
    world,
    { ...toChoice(flags), ...choice },
    {
      note: (message) => note(message),
      debug: flags.debug ? (message) => debug(message) : undefined,
      conceal: output.conceal,
      confirm,
      askWrite,
      askSecret,
      command,
    },
  );
}

function opensConsole({ words }: CommandRow): boolean {
  return words === 'console' || words === 'demo';
}

/** Asks for the passphrase of a locked profile. The module that reads secrets is loaded only for the question. */
function askPassphrase(world: World): AskSecret {
  return async (question) =>
    (await import('./commands/workers/secret-input.ts')).askSecretOnTerminal(world)(question);
}

/**
 * Returns a function that asks whether to use found files; --yes does not answer these questions. Streams are opened only for a
 * question.
 */
function confirmOnTerminal(world: World): Confirm {
  return async (question) => {
    if (world.stdin.isTTY !== true || world.stderr.isTTY !== true) return undefined;
    try {
      await openAsk(world, false).confirm(question, question);
      return true;
    } catch (error) {
      if (asProblem(error).code !== 'not-confirmed') throw error;
      return false;
    }
  };
}

/**
 * Returns a World that the signal interrupts, as Ctrl-C does. Streams and working directory are still read only on first use.
 */
function withInterruption(world: World, signal: AbortSignal): World {
  const { argv, env, pid, folders, lending, endable, spareMemory, direct } = world;
  return {
    argv,
    env,
    get cwd() {
      return world.cwd;
    },
    pid,
    folders,
    get stdin() {
      return world.stdin;
    },
    get stdout() {
      return world.stdout;
    },
    get stderr() {
      return world.stderr;
    },
    now: () => world.now(),
    random: (bytes) => world.random(bytes),
    sleep: (milliseconds, sleeping) => world.sleep(milliseconds, sleeping),
    interrupted: AbortSignal.any([world.interrupted, signal]),
    ...(direct && { direct }),
    ...(lending && { lending }),
    ...(endable && { endable }),
    ...(spareMemory && { spareMemory }),
  };
}

/**
 * Describes what a change acts on: the account or zone, and the platform. A platform that may be embedded is not called production.
 *
 * @param path The path of the call that makes the change, which contains the id of the account or the zone.
 */
export function targetNotice(
  { where, target, label, boundBy }: Pick<Session, 'where' | 'target' | 'label' | 'boundBy'>,
  path: string,
): string {
  const [, kind, id] = /^\/(account|zone)s\/([^/?]+)/.exec(path) ?? [];
  if (where.kind === 'local' || kind === undefined) return `Acting on ${label}.`;
  const by = boundBy === undefined ? '' : ` (${boundBy})`;
  const whose = `${kind} ${id} of ${label}${by}`;
  if (!canBeEmbedded(where)) return `Acting on ${target}: ${whose}.`;
  const at = where.kind === 'remote' ? `, at ${where.baseUrl}` : '';
  return `Acting on ${target === 'production' ? '' : `${target}: `}${whose}${at}.`;
}

/**
 * Rejects arguments that are not valid UTF-8, because a different string would be stored, with U+FFFD for each invalid byte. A typed U+FFFD
 * is accepted. If the system does not report the bytes, all arguments are accepted.
 */
async function refuseInvalidUtf8({ argv, argvBytes }: World): Promise<void> {
  const all = (await argvBytes?.().catch(() => undefined)) ?? [];
  const bytes = all.slice(-argv.length);
  if (bytes.length !== argv.length) return;
  const wrong = argv.findIndex(
    (argument, at) => !Buffer.from(argument).equals(bytes[at] ?? new Uint8Array()),
  );
  if (wrong === -1) return;
  throw new Problem(
    'usage',
    `Argument ${wrong + 1} is not valid UTF-8: ${describeFirstInvalid(argv[wrong] ?? '')}.`,
    {
      hint: 'Pass binary values as a file or on standard input: --path FILE, or --path -.',
    },
  );
}

function describeFirstInvalid(argument: string): string {
  return `character ${[...argument].indexOf('\ufffd') + 1} is invalid`;
}
