import { answers } from '../commands/answers.ts';
import { commandTable } from '../commands/table.ts';
import { type AnswerShape, object, only } from './answer-shape.ts';
import { dryRunShape } from './dry-run-shape.ts';
import { helpShape } from './help-shape.ts';
import { jsonSchemaOf } from './json-schema-of.ts';
import { talk } from './talk-shape.ts';

/** A JSON Schema as it is published. */
export type PublishedSchema = Readonly<Record<string, unknown>>;

/** Answers by the words of any command. */
export const shapes: Readonly<Record<string, AnswerShape>> = answers;

/** The name of a command's schema: `kv-key-list`. */
export function schemaName(words: string): string {
  return words.replaceAll(' ', '-');
}

/** The file of a command's schema in the package; null where its answer is no JSON. */
export function schemaFile(words: string): string | null {
  return formOf(words) === 'no JSON' ? null : `docs/schema/${schemaName(words)}.json`;
}

/** The form of a command's answer with `--json`. */
export function formOf(words: string): 'one value' | 'lines' | 'one value or lines' | 'no JSON' {
  const { value, lines } = shapes[words] ?? { value: null, lines: null };
  if (value === null) return lines === null ? 'no JSON' : 'lines';
  return lines === null ? 'one value' : 'one value or lines';
}

/** A line of help on what a command answers with `--json`. */
export function answerLine(words: string): string {
  const { about = '' } = shapes[words] ?? {};
  const form = formOf(words);
  if (form === 'no JSON') return `--json has no effect on the answer. ${about}`.trim();
  return `--json answers ${form}. ${about} Schema: edgectl help schema ${words}`.replace('  ', ' ');
}

/** The schema of what a command answers with `--json`; undefined where that is no JSON. */
export function answerSchema(words: string): PublishedSchema | undefined {
  const shape = shapes[words];
  if (shape === undefined) return undefined;
  const { value, lines, about } = shape;
  const one = value === null ? [] : [jsonSchemaOf(value)];
  const each =
    lines === null
      ? []
      : [
          { title: 'Each line', ...jsonSchemaOf(lines) },
          { title: 'The only line, where there are none', ...jsonSchemaOf(noLines) },
        ];
  const plan = plansChange(words) ? [{ title: 'With --dry-run', ...jsonSchemaOf(dryRunShape) }] : [];
  const [form, ...others] = [...one, ...each, ...plan];
  if (form === undefined) return undefined;
  const told = [
    lines === null ? 'One JSON value.' : value === null ? 'A JSON value on each line.' : '',
    about,
  ];
  return {
    ...headOf(schemaName(words), `edgectl ${words} --json`),
    $comment: told.filter((sentence) => sentence !== '').join(' '),
    ...(others.length === 0 ? form : { anyOf: [form, ...others] }),
  };
}

/** Whether a command may answer lines, and then `{"count":0}` where it has none. */
export function answersLines(words: string): boolean {
  return (shapes[words]?.lines ?? null) !== null;
}

const noLines = object({ count: only(0, 'There is nothing to list') });

/** Whether --dry-run of a command answers the plan that all have. */
function plansChange(words: string): boolean {
  return commandTable.some((row) => row.words === words && row.plans === true);
}

/** The schema of each line of standard error with `--json`. */
export function talkSchema(): PublishedSchema {
  return { ...headOf('stderr', 'A line of standard error with --json'), ...jsonSchemaOf(talk) };
}

/** The schema of `edgectl help --json`. */
function helpSchema(): PublishedSchema {
  return { ...headOf('help', 'edgectl help --json'), ...jsonSchemaOf(helpShape) };
}

/** Schemas of what no command answers, by their names. */
export const furtherSchemas: Readonly<Record<string, () => PublishedSchema>> = {
  stderr: talkSchema,
  help: helpSchema,
};

function headOf(name: string, title: string): PublishedSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:edgectl:schema:${name}`,
    title,
  };
}

/** Columns of a line in a published file. */
const width = 110;

/** JSON with each object and list on one line where it fits there, as the formatter of the project writes it. */
export function fittingJson(value: unknown, indent = '', beside = 0): string {
  const flat = flatJson(value);
  if (typeof value !== 'object' || value === null || indent.length + beside + flat.length <= width)
    return flat;
  const deeper = `${indent}  `;
  /** A comma stands behind all but the last. */
  const comma = (index: number, all: readonly unknown[]) => (index === all.length - 1 ? 0 : 1);
  if (Array.isArray(value)) {
    const items = value.map((item, index) => deeper + fittingJson(item, deeper, comma(index, value)));
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  const fields = Object.entries(value).map(([name, field], index, all) => {
    const label = `${JSON.stringify(name)}: `;
    return `${deeper}${label}${fittingJson(field, deeper, label.length + comma(index, all))}`;
  });
  return `{\n${fields.join(',\n')}\n${indent}}`;
}

function flatJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flatJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${flatJson(field)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
