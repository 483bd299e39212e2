import { buildDate } from '../../model/version.ts';
import type { ArgumentDeclaration, CommandDeclaration, FlagDeclaration } from '../parsing/declaration.ts';
import { globalFlags } from '../parsing/flags.ts';
import { topics } from '../parsing/topics.ts';
import { exitCodeMeanings } from './exit-codes.ts';
import { environmentVariables, topicTexts } from './topics.ts';

/** A manual page: its name, such as `edgectl-kv.1`, and its source in mdoc(7). */
export interface ManualPage {
  readonly file: string;
  /** The first word of the commands that the page describes; empty for the page about edgectl itself. */
  readonly group: string;
  readonly text: string;
}

const programLine = 'console and command line for operators of an edge platform';

/**
 * Returns the manual pages: one for the program, with the one-word commands and the help topics, and one for each group of commands. The
 * build date is the date of the pages.
 */
export function manualPages(rows: readonly CommandDeclaration[]): ManualPage[] {
  const date = new Date(buildDate).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  const groups = Map.groupBy(rows, ({ words }) => (words.includes(' ') ? (words.split(' ')[0] ?? '') : ''));
  const names = [...groups.keys()].filter((name) => name !== '');
  return [...groups].map(([group, commands]) => {
    const name = group === '' ? 'edgectl' : `edgectl-${group}`;
    const also = [...(group === '' ? [] : ['edgectl']), ...names.map((other) => `edgectl-${other}`)];
    const lines = [
      `.Dd ${date}`,
      `.Dt ${name.toUpperCase()} 1`,
      '.Os',
      '.Sh NAME',
      `.Nm ${name}`,
      `.Nd ${group === '' ? programLine : `edgectl commands that start with ${group}`}`,
      '.Sh SYNOPSIS',
      ...(group === '' ? ['.Nm', ...optionalArgument('command'), ...optionalArgument('flags')] : []),
      ...(group === '' ? [] : commands.flatMap(synopsis)),
      '.Sh DESCRIPTION',
      ...description(group),
      ...commands.flatMap(commandSection),
      ...(group === '' ? programSections() : []),
      '.Sh SEE ALSO',
      ...also
        .filter((other) => other !== name)
        .sort()
        .map((other, at, all) => `.Xr ${other} 1${at < all.length - 1 ? ' ,' : ''}`),
    ];
    return { file: `${name}.1`, group, text: `${lines.join('\n')}\n` };
  });
}

function description(group: string): string[] {
  if (group !== '')
    return [
      ...paragraph(
        'The flags that all commands accept, the exit codes and the environment variables are described in',
      ),
      '.Xr edgectl 1 .',
    ];
  return paragraph(
    'Without a command, edgectl opens the console (on a terminal). Each command describes itself with --help.',
  );
}

function optionalArgument(name: string): string[] {
  return [`.Op Ar ${name}`];
}

function synopsis({ words, arguments: args }: CommandDeclaration): string[] {
  return ['.Nm edgectl', `.Cm ${words}`, ...Object.entries(args).map(argument), '.Op Ar flags'];
}

function argument([name, { optional, many }]: [string, ArgumentDeclaration]): string {
  const shown = `Ar ${escapeText(name)}${many ? ' ...' : ''}`;
  return optional ? `.Op ${shown}` : `.${shown}`;
}

function commandSection(row: CommandDeclaration): string[] {
  const { words, about, arguments: args, flags, examples = [], notes = [] } = row;
  return [
    `.Ss edgectl ${words}`,
    ...paragraph(`${about}.`),
    ...list(Object.entries(args).map(([name, one]) => [`.It Ar ${escapeText(name)}`, one.about])),
    ...flagList(flags),
    ...notes.flatMap((note) => ['.Pp', ...paragraph(note)]),
    ...examples.flatMap(([line, does]) => [
      '.Pp',
      ...paragraph(`${does}:`),
      `.Dl edgectl ${escapeText(line)}`,
    ]),
  ];
}

function flagList(flags: Readonly<Record<string, FlagDeclaration>>): string[] {
  return list(
    Object.entries(flags)
      .filter(([, { hidden }]) => hidden !== true)
      .map(([name, { short, kind, placeholder = 'VALUE', about }]) => {
        const value = kind === 'boolean' || kind === 'switch' ? '' : ` Ar ${escapeText(placeholder)}`;
        const long = `Fl Fl ${escapeText(name)}${value}`;
        return [`.It ${short === undefined ? '' : `Fl ${short} , `}${long}`, about];
      }),
  );
}

function programSections(): string[] {
  return [
    '.Sh GLOBAL FLAGS',
    ...flagList(globalFlags),
    ...(['configuration', 'credentials', 'output', 'undo', 'sandbox', 'seed', 'filters'] as const).flatMap(
      (topic) => [
        `.Sh ${topic.toUpperCase()}`,
        ...paragraph(`${topics[topic]}.`),
        ...topicTexts[topic].flatMap((part) =>
          typeof part === 'string' ? ['.Pp', ...paragraph(part)] : table(part),
        ),
      ],
    ),
    '.Sh ENVIRONMENT',
    ...list(environmentVariables.map(([name, about]) => [`.It Ev ${escapeText(name)}`, about])),
    '.Sh EXIT STATUS',
    ...table(exitCodeMeanings.map(([code, about]) => [String(code), about])),
  ];
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  return list(rows.map(([left, right]) => [`.It Ic ${quoteArgument(left)}`, right]));
}

function list(items: readonly (readonly string[])[]): string[] {
  if (items.length === 0) return [];
  return [
    '.Bl -tag -width Ds',
    ...items.flatMap(([head = '', text = '']) => [head, ...paragraph(text)]),
    '.El',
  ];
}

/** Quotes text as one argument of a macro. */
function quoteArgument(text: string): string {
  return `"${escapeText(text).replaceAll('"', '\\(dq')}"`;
}

/** Maximum length of a source line in bytes, as mdoc(7) recommends. */
const maxLineBytes = 78;

/** Returns text as source lines. Each sentence starts a new line. */
function paragraph(text: string): string[] {
  return text.split(/(?<=[.;:!?]\)?) (?=\S)/).flatMap((sentence) => {
    const lines = [''];
    for (const word of sentence.split(' ')) {
      const line = lines.at(-1) ?? '';
      const isFull = line !== '' && Buffer.byteLength(escapeText(`${line} ${word}`)) > maxLineBytes;
      if (isFull) lines.push(word);
      else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
    }
    return lines.map(escapeText);
  });
}

/** Escapes text so that nothing is read as a macro or an escape. */
function escapeText(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('--', '\\-\\-')
    .replace(/^[.']/, '\\&$&')
    .replaceAll('…', '\\&...')
    .replaceAll('’', "'");
}
