import { version } from '../../model/version.ts';
import { listPermissions } from '../commands/permissions.ts';
import type { CommandNode, CommandRow } from '../parsing/command.ts';
import type { ArgumentDeclaration, FlagDeclaration, Flags } from '../parsing/declaration.ts';
import { globalFlags } from '../parsing/flags.ts';
import { exitCodeMeanings, listExitCodes } from './exit-codes.ts';
import { answerForm, schemaFile } from './schemas.ts';

/** Describes the commands at and below a node as JSON: the content of help as data. */
export function helpJson({ rows }: CommandNode): object {
  return {
    version,
    globalFlags: flagsJson(globalFlags),
    exitCodes: exitCodeMeanings.map(([code, meaning]) => ({ code, meaning })),
    commands: rows.map(commandJson),
  };
}

function commandJson(row: CommandRow): object {
  const { words, about, effect, loss, needs, arguments: args, flags, examples, notes } = row;
  return {
    command: words,
    about,
    effect,
    asks: loss?.asks !== undefined,
    loss: loss ?? null,
    needs,
    arguments: Object.entries(args).map(([name, argument]) => argumentJson(name, argument)),
    flags: flagsJson(flags),
    answer: answerForm(words),
    schema: schemaFile(words),
    exitCodes: listExitCodes(row),
    examples: (examples ?? []).map(([line, does]) => ({ command: `edgectl ${line}`, does })),
    notes: notes ?? [],
    permissions: listPermissions(row),
  };
}

function argumentJson(name: string, { about, kind, optional, many }: ArgumentDeclaration): object {
  return { name, type: kind ?? 'string', required: optional !== true, many: many === true, about };
}

/** JSON names of flag types. */
const types: Readonly<Record<FlagDeclaration['kind'], string>> = {
  boolean: 'boolean',
  switch: 'switch',
  text: 'string',
  texts: 'string',
  number: 'integer',
  id: 'id',
  path: 'path',
};

function flagsJson(flags: Flags): readonly object[] {
  return Object.entries(flags)
    .filter(([, { hidden }]) => hidden !== true)
    .map(([name, { kind, short, placeholder, completes, about }]) => ({
      name: `--${name}`,
      ...(short !== undefined && { short: `-${short}` }),
      type: types[kind],
      ...(kind === 'texts' && { repeatable: true }),
      ...(placeholder !== undefined && { value: placeholder }),
      ...(Array.isArray(completes) && { values: completes }),
      about,
    }));
}
