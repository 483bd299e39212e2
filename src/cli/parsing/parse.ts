import { Command as Commander, CommanderError, InvalidArgumentError, Option } from 'commander';
import { idFault, localIdFault, malformedId } from '../../model/id.ts';
import { Problem } from '../../model/problem.ts';
import type { Input } from './command.ts';
import { type CommandDeclaration, type FlagDeclaration, type Flags, takesNext } from './declaration.ts';
import { globalFlags } from './flags.ts';
import { scanFlags, shownFlag, takeSwitches } from './scan-flags.ts';

/** Typed values of one command's arguments and flags, or a usage Problem that names what is wrong. */
export function parseCommandLine(body: CommandDeclaration, rest: readonly string[]): Input {
  const { words } = body;
  const parser = declare(body);
  const declared: Flags = { ...body.flags, ...globalFlags };
  const switches = takeSwitches(rest, declared);
  try {
    parser.parse([...switches.rest], { from: 'user' });
  } catch (error) {
    throw usageProblem(error, words, exampleFor(body, rest));
  }
  const typed: Record<string, unknown> = parser.opts();
  const flags = Object.entries(declared).map(([name, { kind }]) => [
    name,
    switches.texts.get(name) ?? typed[name] ?? absent[kind],
  ]);
  const values = Object.fromEntries(flags);
  checkIds(declared, values);
  const names = Object.keys(body.arguments);
  const args = Object.fromEntries(names.map((name, at) => [name, parser.processedArgs[at]]));
  checkPaths(body.arguments, args, '');
  checkPaths(declared, values, '--');
  return {
    args,
    flags: values,
  } as Input;
}

/** What a flag is that was not given. */
const absent = {
  boolean: false,
  switch: false,
  texts: [],
  text: undefined,
  number: undefined,
  id: undefined,
  path: undefined,
} as const;

/**
 * Refuses what can be no path: an empty one, which would be taken for the working directory, and one with a NUL byte, at
 * which the system would cut it.
 */
function checkPaths(
  declared: Readonly<Record<string, { readonly kind?: string }>>,
  values: Readonly<Record<string, unknown>>,
  dashes: string,
): void {
  for (const [name, { kind }] of Object.entries(declared)) {
    const path = values[name];
    if ((kind !== 'path' && kind !== 'switch') || typeof path !== 'string') continue;
    if (path === '') {
      throw new Problem('usage', `${dashes}${name} is empty; it takes the path of a file or a folder.`, {
        hint: 'In a script, the variable behind it may be unset.',
      });
    }
    if (path.includes('\0')) throw new Problem('usage', `${dashes}${name} holds a NUL byte; no path can.`);
  }
}

/** Refuses ids that none can be, before anything is looked up or sent. */
function checkIds(declared: Flags, values: Readonly<Record<string, unknown>>): void {
  for (const [name, { kind, of = 'namespace', folderWith }] of Object.entries(declared)) {
    const id = values[name];
    if (kind !== 'id' || typeof id !== 'string') continue;
    const isFolder = folderWith !== undefined && values[folderWith] === true;
    const fault = isFolder ? localIdFault(id) : idFault(of, id);
    if (fault === undefined) continue;
    const isLocal = folderWith !== undefined && localIdFault(id) === undefined;
    const hint = isLocal ? `With --${folderWith} it would be the name of a folder of local data.` : undefined;
    throw malformedId(of, id, `--${name}`, fault, hint);
  }
}

/**
 * What is asked for instead of the command: its help, or the version. A short `-h` or `-v` where an argument is still
 * missing is refused, because it may be meant as that argument's value.
 */
export function askedInstead(
  body: Pick<CommandDeclaration, 'arguments' | 'flags'>,
  rest: readonly string[],
): 'help' | 'version' | undefined {
  const declared = Object.entries(body.arguments);
  for (const { name, long, after } of scanFlags(rest, { ...body.flags, ...globalFlags })) {
    if (name !== 'help' && name !== 'version') continue;
    const missing = after === 0 ? undefined : declared[after]?.[0];
    if (long || missing === undefined) return name;
    const short = globalFlags[name].short;
    throw new Problem('usage', `-${short} stands where ${missing} is expected.`, {
      hint: `For ${missing} itself, write it behind --: -- -${short}. For the ${name}, write --${name}.`,
    });
  }
  return undefined;
}

function declare(body: CommandDeclaration): Commander {
  const parser = new Commander(`edgectl ${body.words}`)
    .helpOption(false)
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
  for (const [name, argument] of Object.entries(body.arguments)) {
    const label = argument.many ? `${name}...` : name;
    parser.argument(argument.optional ? `[${label}]` : `<${label}>`);
  }
  for (const [name, flag] of Object.entries({ ...body.flags, ...globalFlags }))
    parser.addOption(option(name, flag));
  return parser;
}

function option(name: string, flag: FlagDeclaration): Option {
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  const value = !takesNext(flag) ? '' : ` <${flag.placeholder ?? 'VALUE'}>`;
  const made = new Option(`${short}--${name}${value}`, flag.about);
  // Commander would turn --no-color into color=false and camel-case the rest; the declared name is kept.
  made.attributeName = () => name;
  made.negate = false;
  if (flag.kind === 'number') made.argParser(wholeNumber);
  if (flag.kind === 'texts') made.argParser((text: string, before?: string[]) => [...(before ?? []), text]);
  return made;
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!/^-?\d+$/.test(text)) throw new InvalidArgumentError('It takes a whole number.');
  if (Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError(number > 0 ? 'It is too large.' : 'It is too small.');
}

/** The example of a command that has all the flags that were typed. */
function exampleFor({ examples = [] }: CommandDeclaration, rest: readonly string[]): string | undefined {
  const typed = rest.filter((token) => /^--\w/.test(token)).map((token) => token.replace(/=.*/s, ''));
  return examples.find(([line]) => typed.every((flag) => line.split(' ').includes(flag)))?.[0];
}

/** What was typed behind the name of a flag that nobody knows may be a secret; so is only the name shown. */
function withoutValue(said: string): string {
  return said.replace(/^unknown option '(-.*)'(?=(?:\n\(Did you mean [^\n]*\))?$)/s, (_, token: string) => {
    const name = shownFlag(token);
    return Object.hasOwn(globalFlags, name.slice(2)) ? `${name} takes no value.` : `unknown option '${name}'`;
  });
}

function usageProblem(error: unknown, words: string, example: string | undefined): unknown {
  if (!(error instanceof CommanderError)) return error;
  // What is too much may be a secret, typed where none belongs.
  const said = error.message.replace(/^error: /, '').replace(/^(too many arguments.* got \d+):.*/s, '$1');
  const [message, suggestion] = withoutValue(said).split('\n');
  const dashed = /^unknown option '(-[^-'][^']*)'/.exec(message ?? '')?.[1];
  const behindDashes =
    dashed === undefined
      ? undefined
      : `For a value that begins with a dash, write it behind --: -- ${dashed}`;
  const form =
    error.code === 'commander.excessArguments' && example !== undefined
      ? `For example: edgectl ${example}`
      : undefined;
  const hint = suggestion?.replace(/[()]/g, '') ?? behindDashes ?? form ?? `edgectl ${words} --help`;
  return new Problem('usage', `${(message ?? '').replace(/\.?$/, '.')}`, { hint });
}
