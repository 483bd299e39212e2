import {
  anything,
  bool,
  count,
  list,
  nullable,
  object,
  oneOf,
  only,
  optional,
  text,
  texts,
} from '../../model/shape.ts';
import { answers } from '../commands/answers.ts';
import { commandTable } from '../commands/table.ts';
import type { AnswerShape } from './answer-shape.ts';
import { toJsonSchema } from './json-schema.ts';
import { talk } from './talk-shape.ts';

/** A published JSON Schema. */
export type PublishedSchema = Readonly<Record<string, unknown>>;

/** The answer shape of each command, by its words. */
export const shapes: Readonly<Record<string, AnswerShape>> = answers;

/** Returns the name of a command's schema, such as `kv-key-list`. */
export function schemaName(words: string): string {
  return words.replaceAll(' ', '-');
}

/** Returns the path of a command's schema in the package; null if its answer is not JSON. */
export function schemaFile(words: string): string | null {
  return answerForm(words) === 'no JSON' ? null : `docs/schema/${schemaName(words)}.json`;
}

/** Returns the form of a command's `--json` answer. */
export function answerForm(words: string): 'one value' | 'lines' | 'one value or lines' | 'no JSON' {
  const { value, lines } = shapes[words] ?? { value: null, lines: null };
  if (value === null) return lines === null ? 'no JSON' : 'lines';
  return lines === null ? 'one value' : 'one value or lines';
}

/** Returns the help line about a command's `--json` answer. */
export function answerLine(words: string): string {
  const { about = '' } = shapes[words] ?? {};
  const form = answerForm(words);
  if (form === 'no JSON') return `--json has no effect on the result. ${about}`.trim();
  return `--json prints ${form.replace('lines', 'JSON lines')}. ${about} Schema: edgectl help schema ${words}`.replace(
    '  ',
    ' ',
  );
}

/** Returns the schema of a command's `--json` answer; undefined if the answer is not JSON. */
export function answerSchema(words: string): PublishedSchema | undefined {
  const shape = shapes[words];
  if (shape === undefined) return undefined;
  const { value, lines, about } = shape;
  const one = value === null ? [] : [toJsonSchema(value)];
  const each =
    lines === null
      ? []
      : [
          { title: 'Each line', ...toJsonSchema(lines) },
          { title: 'The only line if the result is empty', ...toJsonSchema(noLines) },
        ];
  const plan = hasGeneralDryRun(words) ? [{ title: 'With --dry-run', ...toJsonSchema(dryRunShape) }] : [];
  const [form, ...others] = [...one, ...each, ...plan];
  if (form === undefined) return undefined;
  const descriptions = [
    lines === null ? 'One JSON value.' : value === null ? 'A JSON value on each line.' : '',
    about,
  ];
  return {
    ...schemaHeader(schemaName(words), `edgectl ${words} --json`),
    $comment: descriptions.filter((sentence) => sentence !== '').join(' '),
    ...(others.length === 0 ? form : { anyOf: [form, ...others] }),
  };
}

/** Returns whether a command can print one result per line. Without results, such a command prints the line `{"count":0}`. */
export function canAnswerLines(words: string): boolean {
  return (shapes[words]?.lines ?? null) !== null;
}

const noLines = object({ count: only(0, 'There is nothing to list') });

/** Returns whether a command's --dry-run prints the general plan. */
function hasGeneralDryRun(words: string): boolean {
  return commandTable.some((row) => row.words === words && row.plans === true);
}

/** Returns the schema of a stderr line with `--json`. */
export function talkSchema(): PublishedSchema {
  return { ...schemaHeader('stderr', 'A line on standard error with --json'), ...toJsonSchema(talk) };
}

/** Returns the schema of `edgectl help --json`. */
function helpSchema(): PublishedSchema {
  return { ...schemaHeader('help', 'edgectl help --json'), ...toJsonSchema(helpShape) };
}

/** Schemas of documents that are not command answers, by name. */
export const otherSchemas: Readonly<Record<string, () => PublishedSchema>> = {
  stderr: talkSchema,
  help: helpSchema,
};

function schemaHeader(name: string, title: string): PublishedSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:edgectl:schema:${name}`,
    title,
  };
}

/** Maximum line length of a published file, in columns. */
const width = 110;

/** Formats JSON with each object and list on one line if it fits, like the project's formatter. */
export function formatJson(value: unknown, indent = '', reservedColumns = 0): string {
  const flat = formatJsonLine(value);
  if (typeof value !== 'object' || value === null || indent.length + reservedColumns + flat.length <= width)
    return flat;
  const deeper = `${indent}  `;
  /** Returns the width of the comma that follows every item except the last. */
  const comma = (index: number, all: readonly unknown[]) => (index === all.length - 1 ? 0 : 1);
  if (Array.isArray(value)) {
    const items = value.map((item, index) => deeper + formatJson(item, deeper, comma(index, value)));
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  const fields = Object.entries(value).map(([name, field], index, all) => {
    const label = `${JSON.stringify(name)}: `;
    return `${deeper}${label}${formatJson(field, deeper, label.length + comma(index, all))}`;
  });
  return `{\n${fields.join(',\n')}\n${indent}}`;
}

function formatJsonLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatJsonLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, field]) => `${JSON.stringify(name)}: ${formatJsonLine(field)}`,
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/** The dry-run answer that most commands share. */
const dryRunShape = object({
  dryRun: only(true, 'Nothing was changed'),
  command: text('The words of the command'),
  target: optional(text('Description of where the command would act')),
  asks: texts('What would be lost, for each confirmation; --yes confirms all'),
  changes: list(
    object({
      does: text('The method of a request, or a verb'),
      what: text('The path of a request, or a name'),
      bytes: optional(count('Size of the body')),
      body: optional(anything('The body of a request, if it is JSON without secrets')),
      differences: optional(
        list(
          object({
            field: text(
              'Path of the field in the body. For a key: value (if short), size or sha256. For an object: size or etag. For a file: a column',
            ),
            from: optional(text('The current value; absent if there is none')),
            to: optional(text('The new value; absent if it would be removed')),
          }),
          'Fields that would change, if the current state was read; for a deletion, the current state',
        ),
      ),
    }),
    'All changes, if they are known in advance; otherwise the first request that changes something, because later requests depend on its response. Empty if nothing would change',
  ),
  hash: optional(
    text(
      'For hostname delete with a filter or a file: the hash for --confirm, to delete exactly these hostnames',
    ),
  ),
});

const about = text('Description, in a sentence');

const flag = object({
  name: text('Name of the flag, with its dashes'),
  short: optional(text('Short name, without the dash')),
  type: oneOf(
    ['boolean', 'switch', 'string', 'integer', 'id', 'path'],
    'boolean takes no value; switch takes a value only after =; id is a platform id',
  ),
  repeatable: optional(only(true, 'Present if the flag can be repeated')),
  value: optional(text('Placeholder of the value in help')),
  values: optional(texts('Allowed values')),
  about,
});

/** The shape of `edgectl help --json`. */
const helpShape = object({
  version: text('Version of the program'),
  globalFlags: list(flag, 'Flags that all commands accept'),
  exitCodes: list(
    object({ code: count('The exit code'), meaning: text('Meaning of the exit code') }),
    'All exit codes',
  ),
  commands: list(
    object({
      command: text('Words of the command after edgectl'),
      about,
      effect: oneOf(
        ['read', 'write', 'destroy', 'none'],
        'Effect on platform data; none: no effect, or only on this machine',
      ),
      asks: bool('Whether the command asks for confirmation, which --yes answers'),
      loss: nullable(
        object({
          names: optional(
            text('What the command overwrites or deletes without asking, because the command line names it'),
          ),
          keeps: optional(
            oneOf(
              ['by default', 'on request'],
              'When the command saves the old state of a single item for undo',
            ),
          ),
          asks: optional(text('The action that the user must confirm')),
        }),
      ),
      needs: oneOf(['account', 'zone', 'nothing'], 'What the command acts on'),
      arguments: list(
        object({
          name: text('Name of the argument in the usage line'),
          type: oneOf(['string', 'path'], 'Type of the argument'),
          required: bool('Whether the argument is required'),
          many: bool('Whether the argument takes all remaining words'),
          about,
        }),
        'Arguments, in order',
      ),
      flags: list(flag, 'Flags of this command only'),
      answer: oneOf(['one value', 'lines', 'one value or lines', 'no JSON'], 'On stdout, with --json'),
      schema: nullable(
        text(
          'File in the package that contains the schema, as printed by edgectl help schema COMMAND; null if the command prints no JSON',
        ),
      ),
      exitCodes: list(count('An exit code'), 'Possible exit codes'),
      examples: list(object({ command: text('The command line'), does: text('Description') }), 'Examples'),
      notes: texts('Further explanations'),
      permissions: texts('Token permissions that the command needs'),
    }),
    'All commands, or the requested ones',
  ),
});
