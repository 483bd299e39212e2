import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { commandRoot } from '../../src/cli/commands/table.ts';
import { exitCodesOf } from '../../src/cli/output/exit-codes.ts';
import { answerSchema, furtherSchemas, type PublishedSchema, shapes } from '../../src/cli/output/schemas.ts';
import type { CommandRow } from '../../src/cli/parsing/command.ts';
import { readCommandLine } from '../../src/cli/parsing/command-line.ts';
import { fitsSchema, isMoment } from './fits-schema.ts';

/** What a command line came to. */
export interface Answered {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const ajv = new Ajv2020({ strict: true, strictTypes: false });
ajv.addFormat('date-time', isMoment);

/** How many answers of each command were held against its schema here. */
const made = new Map<string, number>();

/** How many answers of a command were held against its schema in this process. */
export function checksMade(words: string): number {
  return made.get(words) ?? 0;
}

const schemas = new Map<string, PublishedSchema>();

function schemaOf(name: string, make: () => PublishedSchema): PublishedSchema {
  const schema = schemas.get(name) ?? make();
  schemas.set(name, schema);
  return schema;
}

/** Whether a schema is one at all. */
export function isSchema(schema: PublishedSchema): boolean {
  return ajv.validateSchema(schema) === true;
}

/** Why a JSON value does not fit a schema; undefined where it does. */
export function schemaFault(schema: object, value: unknown): string | undefined {
  return faultOf(ajv.compile(schema), value);
}

/** The same of a schema of ours, which is compiled only where the value does not fit. */
function ownFault(schema: PublishedSchema, value: unknown): string | undefined {
  if (fitsSchema(schema, value)) return undefined;
  return schemaFault(schema, value) ?? 'the two validators do not agree';
}

/** Why a JSON value is not as the schema of a command says; undefined where it is. */
export function answerFault(words: string, value: unknown): string | undefined {
  return ownFault(
    schemaOf(words, () => answerSchema(words) ?? {}),
    value,
  );
}

function faultOf(check: ValidateFunction, value: unknown): string | undefined {
  if (check(value)) return undefined;
  // The last form of a union is told last; the deepest is the one that was meant.
  const [error] = (check.errors ?? []).toSorted((a, b) => b.instancePath.length - a.instancePath.length);
  const more = Object.values(error?.params ?? {}).join(', ');
  return `${error?.instancePath || 'it'} ${error?.message} (${more})`;
}

/**
 * Holds what a command line wrote with `--json` against the schema of its command, and throws where it is otherwise.
 * Called of every command line that the tests run. An answer that a failure has cut is passed over.
 */
export function checkJson(argv: readonly string[], { code, out, err }: Answered): void {
  // To take a line apart takes longer than all that follows, and most have no such flag and a code that all may have.
  const mayBeJson = argv.some((one) => one.startsWith('--json'));
  if (!mayBeJson && (code === null || code <= 2)) return;
  const { at, flags, help } = readCommandLine([...argv], commandRoot);
  const isGiven = (name: string) => flags.some((flag) => flag.name === name);
  if (at.row === undefined || help || isGiven('help')) return;
  checkExit(at.row, code);
  const shape = shapes[at.row.words];
  if (shape === undefined || !isGiven('json')) return;
  if (shape.value === null && shape.lines === null) return;
  const { words } = at.row;
  const told = (fault: string, of: string) =>
    new Error(`edgectl ${words} --json: ${fault}\n${of.slice(0, 2000)}`);
  for (const line of err.split('\n').filter((one) => one.startsWith('{'))) {
    const fault = ownFault(schemaOf('stderr', furtherSchemas['stderr'] ?? (() => ({}))), JSON.parse(line));
    if (fault !== undefined) throw told(`of a line on stderr, ${fault}`, line);
  }
  const isFailed = /^\{"type":"error"/m.test(err);
  if (out === '' && code === 0) throw told('nothing is answered', err);
  const values = valuesOf(out, shape.lines !== null);
  if (values === undefined) {
    if (isFailed || isGiven('format')) return;
    throw told('that is no JSON', out);
  }
  for (const value of values) {
    const fault = answerFault(words, value);
    if (fault !== undefined) throw told(fault, JSON.stringify(value));
    made.set(words, checksMade(words) + 1);
  }
}

/** Throws where a command has ended with a code that help does not name. Those above 128 are of signals. */
function checkExit(row: CommandRow, code: number | null): void {
  // What it ends with is that of the program that it runs.
  if (code === null || code > 128 || row.words === 'sandbox exec') return;
  if (!exitCodesOf(row).includes(code))
    throw new Error(
      `edgectl ${row.words} has ended with ${code}, which src/cli/output/exit-codes.ts does not name for it`,
    );
}

/** The one value, or those of the lines where there may be such; undefined where it is neither. */
function valuesOf(out: string, hasLines: boolean): unknown[] | undefined {
  if (out === '') return [];
  try {
    return [JSON.parse(out)];
  } catch {
    // Lines, or none of it.
  }
  if (!hasLines) return undefined;
  try {
    return out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  } catch {
    return undefined;
  }
}
