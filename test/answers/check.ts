import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { commandRoot } from '../../src/cli/commands/table.ts';
import { listExitCodes } from '../../src/cli/output/exit-codes.ts';
import { answerSchema, otherSchemas, type PublishedSchema, shapes } from '../../src/cli/output/schemas.ts';
import type { CommandRow } from '../../src/cli/parsing/command.ts';
import { readCommandLine } from '../../src/cli/parsing/command-line.ts';
import { fitsSchema, isMoment } from './fits-schema.ts';

/** The result of a command line. */
export interface Answered {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const ajv = new Ajv2020({ strict: true, strictTypes: false });
ajv.addFormat('date-time', isMoment);

/** The number of checked answers per command in this process. */
const made = new Map<string, number>();

/** Returns how many of a command's answers were checked against its schema in this process. */
export function checksMade(words: string): number {
  return made.get(words) ?? 0;
}

const schemas = new Map<string, PublishedSchema>();

function getSchema(name: string, make: () => PublishedSchema): PublishedSchema {
  const schema = schemas.get(name) ?? make();
  schemas.set(name, schema);
  return schema;
}

/** Returns true if a schema is valid. */
export function isSchema(schema: PublishedSchema): boolean {
  return ajv.validateSchema(schema) === true;
}

/** Returns why a JSON value does not match a schema; undefined if the value matches. */
export function schemaFault(schema: object, value: unknown): string | undefined {
  return getFault(ajv.compile(schema), value);
}

/** Returns the same result as `schemaFault` for one of edgectl's own schemas, but compiles the schema only if the value does not match. */
function ownFault(schema: PublishedSchema, value: unknown): string | undefined {
  if (fitsSchema(schema, value)) return undefined;
  return schemaFault(schema, value) ?? 'the two validators do not agree';
}

/** Returns why a JSON value does not match the schema of a command; undefined if the value matches. */
export function answerFault(words: string, value: unknown): string | undefined {
  return ownFault(
    getSchema(words, () => answerSchema(words) ?? {}),
    value,
  );
}

function getFault(check: ValidateFunction, value: unknown): string | undefined {
  if (check(value)) return undefined;
  // The validator reports errors for all members of a union. The error with the deepest path belongs to the intended member.
  const [error] = (check.errors ?? []).toSorted((a, b) => b.instancePath.length - a.instancePath.length);
  const more = Object.values(error?.params ?? {}).join(', ');
  return `${error?.instancePath || 'it'} ${error?.message} (${more})`;
}

/**
 * Checks the `--json` output of a command line against the schema of the command, and throws if the output does not match. Called for every
 * command line that the tests run. Ignores an answer that a failure has cut off.
 */
export function checkJson(argv: readonly string[], { code, out, err }: Answered): void {
  // Parsing a command line takes longer than the checks below, and most lines have no `--json` flag and exit with a common code.
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
  const report = (fault: string, of: string) =>
    new Error(`edgectl ${words} --json: ${fault}\n${of.slice(0, 2000)}`);
  for (const line of err.split('\n').filter((one) => one.startsWith('{'))) {
    const fault = ownFault(getSchema('stderr', otherSchemas['stderr'] ?? (() => ({}))), JSON.parse(line));
    if (fault !== undefined) throw report(`a line on stderr: ${fault}`, line);
  }
  const isFailed = /^\{"type":"error"/m.test(err);
  if (out === '' && code === 0) throw report('no output', err);
  const values = getValues(out, shape.lines !== null);
  if (values === undefined) {
    if (isFailed || isGiven('format')) return;
    throw report('the output is not JSON', out);
  }
  for (const value of values) {
    const fault = answerFault(words, value);
    if (fault !== undefined) throw report(fault, JSON.stringify(value));
    made.set(words, checksMade(words) + 1);
  }
}

/** Throws if a command exited with a code that its help does not list. Codes above 128 are signals. */
function checkExit(row: CommandRow, code: number | null): void {
  // `sandbox exec` returns the exit code of the program that it runs.
  if (code === null || code > 128 || / exec$/.test(row.words)) return;
  if (!listExitCodes(row).includes(code))
    throw new Error(
      `edgectl ${row.words} has ended with ${code}, which src/cli/output/exit-codes.ts does not name for it`,
    );
}

/**
 * Parses output into a list: the single value, or one value per line if lines are allowed, or no value if the output is empty. Returns
 * undefined if the output is invalid.
 */
function getValues(out: string, hasLines: boolean): unknown[] | undefined {
  if (out === '') return [];
  try {
    return [JSON.parse(out)];
  } catch {
    // The output is not a single JSON value.
  }
  if (!hasLines) return undefined;
  try {
    return out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  } catch {
    return undefined;
  }
}
