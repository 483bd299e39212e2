import { ReaderGone } from '../files/reader.ts';
import { asProblem, exitCodes, Problem } from '../model/problem.ts';
import { type Choice, plainChoice, type Session } from '../services/session/session.ts';
import { escapeLines } from '../text/escape.ts';
import type { World } from '../world.ts';
import { openAsk } from './ask.ts';
import { commandTable } from './commands/table.ts';
import { interruptedBy } from './interruption.ts';
import { commandHelp, groupHelp, shortHelp } from './output/help.ts';
import { type Output, openOutput } from './output/output.ts';
import { refuseOtherBytes } from './parsing/argument-bytes.ts';
import type { CommandRow, Context, Input, Note, RunConsole } from './parsing/command.ts';
import { type Found, type FoundGroup, findCommand, nextWords } from './parsing/find-command.ts';
import { type GlobalFlags, globalFlags, typedFolder } from './parsing/flags.ts';
import { askedInstead, parseCommandLine } from './parsing/parse.ts';
import { scanFlags, unknownFlag } from './parsing/scan-flags.ts';
import { nearest } from './parsing/suggest.ts';
import { version } from './version.ts';

/** Runs one command line and gives the exit code. Everything it prints goes through `Output`. */
export async function runCommandLine(world: World, runConsole: RunConsole): Promise<number> {
  const seen = new Set(scanFlags(world.argv, globalFlags).map(({ name }) => name));
  const surroundings = {
    world,
    runConsole,
    output: openOutput(world, { json: seen.has('json'), quiet: seen.has('quiet') }),
  };
  try {
    return await dispatch(surroundings);
  } catch (error) {
    if (error instanceof ReaderGone || surroundings.output.gone.aborted) return 0;
    const problem = world.interrupted.aborted
      ? new Problem('interrupted', interruptedMessage(error), { cause: error })
      : asProblem(error);
    surroundings.output.problem(problem);
    if (seen.has('debug')) tellStack(surroundings.output, problem);
    return exitCodes[problem.code];
  }
}

/** Where a failure comes from: a line each for people, one with all of them for programs. */
function tellStack(output: Output, { stack = '' }: Problem): void {
  const lines = escapeLines(Buffer.from(stack)).map(({ text }) => text);
  if (output.json) output.trace('Where the failure comes from.', { stack: lines });
  else for (const line of lines) output.trace(line);
}

function interruptedMessage(error: unknown): string {
  const problem = asProblem(error);
  return problem.code === 'interrupted' ? problem.message : 'Interrupted.';
}

interface Surroundings {
  readonly world: World;
  readonly runConsole: RunConsole;
  /** As the raw command line has it, until it is parsed. */
  output: Output;
}

const nothing = { arguments: {}, flags: {} };

async function dispatch(surroundings: Surroundings): Promise<number> {
  const { world, output } = surroundings;
  if (world.argv.some((argument) => argument.includes('\ufffd'))) await refuseOtherBytes(world);
  const found = withConsole(world, findCommand(world.argv, commandTable));
  if (found.kind === 'group') return answerGroup(surroundings, found);
  if (found.colon !== undefined) {
    output.warn(
      `The colon form is deprecated: write "edgectl ${found.row.words}" instead of "${found.colon}".`,
    );
  }
  const instead = askedInstead(found.row, found.rest);
  if (instead === undefined) return runCommand(surroundings, found.row, found.rest);
  await output.answer(instead === 'help' ? commandHelp(found.row) : `${version}\n`);
  return 0;
}

/** A group, or nothing at all: its help, on stdout when it was asked for. */
async function answerGroup({ world, output }: Surroundings, found: FoundGroup): Promise<number> {
  const instead = askedInstead(nothing, found.rest);
  if (instead === 'version') {
    await output.answer(`${version}\n`);
    return 0;
  }
  refuseUnknownFlag(found);
  if (found.unknown !== undefined) throw unknownCommand(found.words, found.unknown);
  if (instead === 'help') {
    await output.answer(groupHelp(found.words, commandTable));
    return 0;
  }
  if (found.words.length > 0) world.stderr.write(groupHelp(found.words, commandTable));
  else world.stderr.write(shortHelp(commandTable));
  return exitCodes.usage;
}

/** Before the word behind it is shown, which may be its value. */
function refuseUnknownFlag({ words, rest, unknown }: FoundGroup): void {
  const before = unknown === undefined ? rest : rest.slice(0, rest.indexOf(unknown));
  const flag = unknownFlag(before, globalFlags);
  if (flag === undefined) return;
  const group = ['edgectl', ...words].join(' ');
  throw new Problem('usage', `${group} has no flag ${flag}.`, { hint: `${group} --help` });
}

/** On a terminal, no command at all is the console. */
function withConsole(world: World, found: Found): Found {
  const bare = found.kind === 'group' && found.words.length === 0 && found.unknown === undefined;
  const asked = askedInstead(nothing, found.rest) !== undefined;
  if (!bare || asked || !world.stdin.isTTY || !world.stdout.isTTY) return found;
  return findCommand(['console', ...world.argv], commandTable);
}

async function runCommand(
  surroundings: Surroundings,
  row: CommandRow,
  rest: readonly string[],
): Promise<number> {
  const { runConsole } = surroundings;
  const input = parseCommandLine(row, rest);
  const flags = input.flags as GlobalFlags;
  const output = openOutput(surroundings.world, { ...flags, outlivesReader: changes(row, input.flags) });
  const world = interruptedBy(surroundings.world, output.gone);
  surroundings.output = output;
  refuseReadOnly(row, input.flags);
  let opened: Promise<Session> | undefined;
  const context: Context = {
    world,
    output,
    ask: openAsk(world, flags.yes),
    session(choice = {}) {
      opened ??= openSessionOf(world, output, flags, choice).then((session) => namingTarget(session, output));
      return opened;
    },
    openSession: (choice, note) => openSessionOf(world, output, flags, choice, note),
    openConsole: (open) => runConsole(flags['no-color'] ? withoutColor(world) : world, open, output.redacted),
    run: (other, argv) => runCommandLine({ ...other, argv }, runConsole),
  };
  try {
    return (await (await row.load()).run(context, input)) ?? 0;
  } finally {
    const session = await opened?.catch(() => undefined);
    await session?.close();
  }
}

type FlagInput = Input['flags'];

/** Whether a command line changes data. A dry run only reads. */
function changes({ effect }: CommandRow, flags: FlagInput): boolean {
  return (effect === 'write' || effect === 'destroy') && !flags['dry-run'];
}

/** Refuses before anything is asked or said what would be refused when it is sent. */
function refuseReadOnly(row: CommandRow, flags: FlagInput): void {
  if (!flags['read-only'] || !changes(row, flags)) return;
  throw new Problem('read-only', `Read-only: edgectl ${row.words} changes data; nothing was sent.`, {
    hint: 'Leave --read-only out to change data.',
  });
}

/** Says where a command acts, once, when the first thing is about to be changed there. */
function namingTarget(session: Session, output: Output): Session {
  let named = false;
  return {
    ...session,
    send(call) {
      if (!named && call.method !== 'GET' && call.readsOnly !== true) {
        named = true;
        output.note(actingOn(session, call.path));
      }
      return session.send(call);
    },
  };
}

/** Where something is changed, as the path of the call says it, and as whom. */
function actingOn({ where, target, label }: Session, path: string): string {
  const [, kind, id] = /^\/(account|zone)s\/([^/?]+)/.exec(path) ?? [];
  if (where.kind === 'local' || kind === undefined) return `Acting on ${label}.`;
  return `Acting on ${target}: ${kind} ${id} of ${label}.`;
}

/** The World in which nothing is coloured, as NO_COLOR says it. */
function withoutColor(world: World): World {
  return { ...world, env: { ...world.env, NO_COLOR: '1' } };
}

async function openSessionOf(
  world: World,
  output: Output,
  flags: GlobalFlags,
  choice: Partial<Choice>,
  note: Note = output.note,
  debug: Note = note === output.note ? output.trace : note,
): Promise<Session> {
  const { openSession } = await import('../services/session/open-session.ts');
  return openSession(
    world,
    {
      ...plainChoice,
      profile: flags.sandbox === false ? flags.profile : 'sandbox',
      sandboxDir: typedFolder(flags),
      accountId: flags['account-id'],
      zoneId: flags['zone-id'],
      apiBaseUrl: flags['api-base-url'],
      configPath: flags.config,
      jsonConfig: flags['experimental-json-config'],
      environment: flags.env,
      readOnly: flags['read-only'],
      ...choice,
    },
    {
      note: (message) => note(message),
      debug: flags.debug ? (message) => debug(message) : undefined,
      conceal: output.conceal,
    },
  );
}

function unknownCommand(words: readonly string[], unknown: string): Problem {
  const group = ['edgectl', ...words].join(' ');
  const near = nearest(unknown, nextWords(words, commandTable));
  const known = nextWords(words, commandTable).join(', ');
  return new Problem('usage', `${group} has no command "${unknown}".`, {
    hint: near === undefined ? `It has: ${known}.` : `Did you mean "${group} ${near}"?`,
  });
}
