import { asProblem, exitCodes, Problem } from '../model/problem.ts';
import type { Choice, Session } from '../services/session.ts';
import type { World } from '../world.ts';
import { openAsk } from './ask.ts';
import type { Command, CommandRow, Context, Note, RunConsole } from './command.ts';
import { commandTable } from './commands/table.ts';
import { type Found, findCommand, nextWords } from './find-command.ts';
import type { GlobalFlags } from './flags.ts';
import { commandHelp, groupHelp } from './help.ts';
import { type Output, openOutput, ReaderGone } from './output.ts';
import { asksFor, parseCommandLine } from './parse.ts';
import { nearest } from './suggest.ts';
import { version } from './version.ts';

/** Runs one command line and gives the exit code. Everything it prints goes through `Output`. */
export async function runCommandLine(world: World, runConsole: RunConsole): Promise<number> {
  const output = openOutput(world, {
    json: world.argv.includes('--json'),
    quiet: world.argv.includes('--quiet') || world.argv.includes('-q'),
  });
  try {
    return await dispatch(world, output, runConsole);
  } catch (error) {
    if (error instanceof ReaderGone) return 0;
    const problem = world.interrupted.aborted
      ? new Problem('interrupted', interruptedMessage(error), { cause: error })
      : asProblem(error);
    output.problem(problem);
    if (world.argv.includes('--debug') && problem.stack) world.stderr.write(`${problem.stack}\n`);
    return exitCodes[problem.code];
  }
}

function interruptedMessage(error: unknown): string {
  const problem = asProblem(error);
  return problem.code === 'interrupted' ? problem.message : 'Interrupted.';
}

async function dispatch(world: World, output: Output, runConsole: RunConsole): Promise<number> {
  const found = withConsole(world, findCommand(world.argv, commandTable));
  if (asksFor('version', found.rest)) {
    await output.answer(`${version}\n`);
    return 0;
  }
  if (found.kind === 'group') {
    if (found.unknown !== undefined) throw unknownCommand(found.words, found.unknown);
    const wanted = asksFor('help', found.rest);
    const text = groupHelp(found.words, commandTable);
    if (wanted) await output.answer(text);
    else world.stderr.write(text);
    return wanted ? 0 : exitCodes.usage;
  }
  if (found.colon !== undefined) {
    output.warn(
      `The colon form is deprecated: write "edgectl ${found.row.words}" instead of "${found.colon}".`,
    );
  }
  const body = await found.row.load();
  if (asksFor('help', found.rest)) {
    await output.answer(commandHelp(found.row, body));
    return 0;
  }
  return runCommand({ world, output, runConsole }, found.row, body, found.rest);
}

/** On a terminal, no command at all is the console. */
function withConsole(world: World, found: Found): Found {
  const bare = found.kind === 'group' && found.words.length === 0 && found.unknown === undefined;
  const asked = asksFor('help', found.rest) || asksFor('version', found.rest);
  if (!bare || asked || !world.stdin.isTTY || !world.stdout.isTTY) return found;
  return findCommand(['console', ...world.argv], commandTable);
}

interface Surroundings {
  readonly world: World;
  readonly output: Output;
  readonly runConsole: RunConsole;
}

async function runCommand(
  { world, output, runConsole }: Surroundings,
  row: CommandRow,
  body: Command,
  rest: readonly string[],
): Promise<number> {
  const input = parseCommandLine(row.words, body, rest);
  const flags = input.flags as GlobalFlags;
  let opened: Promise<Session> | undefined;
  const context: Context = {
    world,
    output,
    ask: openAsk(world, flags.yes),
    session(choice = {}) {
      opened ??= openSessionOf(world, output, flags, choice).then((session) => {
        if (row.effect === 'write' || row.effect === 'destroy') output.note(`Acting on ${session.label}.`);
        return session;
      });
      return opened;
    },
    openSession: (choice, note) => openSessionOf(world, output, flags, choice, note),
    openConsole: (open) => runConsole(flags['no-color'] ? withoutColor(world) : world, open),
    run: (other, argv) => runCommandLine({ ...other, argv }, runConsole),
  };
  try {
    return (await body.run(context, input)) ?? 0;
  } finally {
    const session = await opened?.catch(() => undefined);
    await session?.close();
  }
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
): Promise<Session> {
  const { openSession, plainChoice } = await import('../services/session.ts');
  return openSession(
    world,
    {
      ...plainChoice,
      profile: flags.sandbox ? 'sandbox' : flags.profile,
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
      debug: flags.debug ? (message) => output.warn(message) : undefined,
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
