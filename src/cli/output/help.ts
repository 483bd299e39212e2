import { listPermissions } from '../commands/permissions.ts';
import { type CommandNode, formatCommand } from '../parsing/command.ts';
import type { ArgumentDeclaration, CommandDeclaration, FlagDeclaration } from '../parsing/declaration.ts';
import { topics } from '../parsing/topics.ts';

/** The line that refers to the description of global flags. Repeating the description would double the length of each command's help. */
const globalLine = 'Flags that all commands accept (--json, --yes, --env, --profile …): edgectl help flags';

/** Formats the help of a command: usage, arguments, flags, examples. `answer` is a line about its `--json` answer. */
export function commandHelp(row: CommandDeclaration, answer: string): string {
  const own = flagRows(row.flags);
  const args: Row[] = Object.entries(row.arguments).map(([name, one]) => [
    argumentLabel(name, one),
    one.about,
  ]);
  const examples: Row[] = (row.examples ?? []).map(([line, about]) => [`edgectl ${line}`, about]);
  return [
    `${row.about}.`,
    '',
    `Usage: ${usage(row)}`,
    ...section('Arguments', args),
    ...section('Flags', own),
    '',
    globalLine,
    ...section('Examples', examples),
    ...effectLine(row),
    ...lossLines(row),
    answer,
    ...(row.notes ?? []).flatMap((note) => ['', note]),
    '',
  ].join('\n');
}

const effects: Readonly<Record<CommandDeclaration['effect'], string | undefined>> = {
  read: 'Changes nothing',
  write: 'Changes data',
  destroy: 'Destroys data',
  none: undefined,
};

/** Describes the command's effect on data and the capabilities it needs, from its declaration. */
function effectLine(row: CommandDeclaration): string[] {
  const { effect, needs } = row;
  const words = [
    effects[effect],
    needs === 'nothing' ? undefined : `needs ${needs === 'account' ? 'an account' : 'a zone'}`,
  ].filter((word) => word !== undefined);
  const line = words.length === 0 ? [] : ['', `${words.join('; ')}.`];
  const permissions = listPermissions(row);
  return permissions.length === 0 ? line : [...line, `Token permissions: ${permissions.join('; ')}.`];
}

/** Describes the loss that a command can cause, from its declaration. */
export function lossSentences({ loss = {} }: CommandDeclaration): readonly string[] {
  const { names, keeps, asks } = loss;
  const when = keeps === 'by default' ? 'by default' : 'on a terminal, and with --undo';
  return [
    ...(names === undefined ? [] : [`Overwrites or deletes without asking: ${names}.`]),
    ...(keeps === undefined ? [] : [`Saves the old state of a single item for edgectl undo ${when}.`]),
    ...(asks === undefined ? [] : [`Asks before ${asks}; without a terminal it requires --yes.`]),
  ];
}

function lossLines(row: CommandDeclaration): readonly string[] {
  const sentences = lossSentences(row);
  return sentences.length === 0 ? [] : [sentences.join(' ')];
}

/** Formats the help of a group: its commands, one line each. */
export function groupHelp(at: CommandNode): string {
  const group = formatCommand(at);
  return [
    `Commands of ${group}.`,
    '',
    `Usage: ${group} <command> [flags]`,
    ...commandRows(at),
    '',
    globalLine,
    '',
    `For one command: ${group} <command> --help, or ${['edgectl help', ...at.words].join(' ')} <command>`,
    '',
  ].join('\n');
}

/** Lists all commands, one line each. */
export function allCommandsHelp(root: CommandNode): string {
  return ['All commands.', ...commandRows(root), '', 'For one command: edgectl <command> --help', ''].join(
    '\n',
  );
}

function commandRows({ rows }: CommandNode): string[] {
  return section(
    'Commands',
    rows.map(({ words, about }) => [words, about]),
  );
}

/** Commands for newcomers, in the order in which they are useful. */
const firstCommands: readonly Row[] = [
  ['edgectl demo', 'Try the console with demo data (no account)'],
  ['edgectl profile login NAME', 'Authenticate with an API token'],
  ['edgectl hostname diagnose NAME', 'Find out why a custom hostname does not work'],
];

/** Formats the main help, at most 40 lines of 80 columns: the nouns with their commands, and where to find more. */
export function rootHelp(root: CommandNode): string {
  const nouns = [...root.below].map(
    ([word, { row, below }]): Row => [word, row?.about ?? [...below.keys()].join(', ')],
  );
  return [
    'Console and command line for operators of an edge platform.',
    'Usage: edgectl <command> [flags]      Help: edgectl <command> --help',
    ...wrappedSection('Start here', firstCommands),
    ...wrappedSection('Commands', nouns),
    ...wrappedSection('More', [
      ['edgectl help commands', 'All commands, one line each'],
      [
        'edgectl help <topic>',
        `${Object.keys(topics)
          .filter((topic) => topic !== 'commands')
          .join(', ')}`,
      ],
    ]),
    '',
  ].join('\n');
}

/** Formats the help for a command line without a command, if there is no terminal for the console. */
export function shortHelp(root: CommandNode): string {
  return [
    'Usage: edgectl <command> [flags]',
    `Commands: ${[...root.below.keys()].join(', ')}.`,
    'The console needs a terminal. For help: edgectl --help',
    '',
  ].join('\n');
}

/** Formats the usage line of a command: `edgectl kv key put <KEY> [VALUE] [flags]`. */
export function usage(row: CommandDeclaration): string {
  const args = Object.entries(row.arguments).map(([name, one]) => argumentLabel(name, one));
  return ['edgectl', row.words, ...args, '[flags]'].join(' ');
}

/** Formats the label of a flag in help: `-e, --env <NAME>`. */
export function flagLabel(name: string, flag: FlagDeclaration): string {
  return `${flag.short === undefined ? '    ' : `-${flag.short}, `}--${name}${valueLabel(flag)}`;
}

function valueLabel({ kind, placeholder = 'VALUE' }: FlagDeclaration): string {
  if (kind === 'boolean') return '';
  return kind === 'switch' ? `[=${placeholder}]` : ` <${placeholder}>`;
}

type Row = readonly [string, string];

/** Formats flags as help rows: label and description. */
export function flagRows(flags: Readonly<Record<string, FlagDeclaration>>): Row[] {
  return Object.entries(flags)
    .filter(([, flag]) => flag.hidden !== true)
    .map(([name, flag]) => [flagLabel(name, flag), flag.about]);
}

function argumentLabel(name: string, argument: ArgumentDeclaration): string {
  const label = argument.many ? `${name}...` : name;
  return argument.optional ? `[${label}]` : `<${label}>`;
}

/** Formats a heading with two-column rows below it; empty if there are no rows. */
export function section(title: string, rows: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  const width = Math.min(44, Math.max(...rows.map(([left]) => left.length)));
  return ['', `${title}:`, ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)];
}

/** Width of the main help in columns. */
const columns = 80;

/** Formats a section like `section`, but wraps the right column between words. */
function wrappedSection(title: string, rows: readonly Row[]): string[] {
  const indent = Math.max(...rows.map(([left]) => left.length)) + 4;
  return section(
    title,
    rows.flatMap(([left, right]) =>
      wrap(right, columns - indent).map((line, at): Row => [at === 0 ? left : '', line]),
    ),
  );
}

/** Wraps a string at spaces into lines of at most `width` columns; a longer word gets its own line. */
export function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
