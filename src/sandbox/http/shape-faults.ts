import * as v from 'valibot';
import { shortText } from '../../model/long-text.ts';
import { nearest } from '../../text/nearest.ts';

type Schema = v.GenericSchema;

/** Path to a part of a document: field names, and list indexes starting at 0. */
export type FieldPath = readonly (string | number)[];

/** A fault in a document: its path, and a message that continues `<path>:`. */
export interface ShapeFault {
  readonly at: FieldPath;
  readonly message: string;
}

/** Formats a fault as `hostnames[3].status: "activ" is not one of ...`, or `the seed: ...` for the whole document. */
export function formatShapeFault({ at, message }: ShapeFault, whole: string): string {
  const way = at.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return `${way === '' ? whole : way.replace(/^\./, '')}: ${message}`;
}

const expectations: Readonly<Record<string, string>> = {
  Array: 'must be a list',
  Object: 'must be an object with fields',
  string: 'must be a string',
  number: 'must be a number',
  boolean: 'must be true or false',
};

/** Messages for limits on numbers and lists, by type of check. */
const limits: Readonly<Record<string, (requirement: unknown) => string>> = {
  min_value: (least) => `must be ${String(least)} or more`,
  max_value: (max) => `must be ${String(max)} or less`,
  min_length: (least) => `must have ${String(least)} or more entries`,
  integer: () => 'must be a whole number',
  safe_integer: () => 'must be a whole number',
};

/** Maximum number of collected issues. Each issue takes about a kilobyte, and a seed with five million values can cause as many issues. */
const maxIssues = 10_000;

/**
 * Parses a value by its shape, with edgectl's messages for issues that have no message. If there are too many issues, only the first issue
 * is returned.
 */
export function parseShape<S extends Schema>(shape: S, value: unknown): v.SafeParseResult<S> {
  const tooMany = new Error('too many issues');
  let count = 0;
  const message = ({ type, requirement, message: own }: v.BaseIssue<unknown>) =>
    limits[type]?.(requirement) ?? own;
  const counted = (issue: v.BaseIssue<unknown>) => {
    if (++count > maxIssues) throw tooMany;
    return message(issue);
  };
  try {
    return v.safeParse(shape, value, { message: counted });
  } catch (error) {
    if (error !== tooMany) throw error;
    return v.safeParse(shape, value, { message, abortEarly: true });
  }
}

/** Converts an issue of `parseShape` to a fault with a message. */
export function toShapeFault(shape: Schema, issue: v.GenericIssue): ShapeFault {
  const at = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
  return { at, message: describeIssue(shape, at, issue) };
}

function describeIssue(shape: Schema, at: FieldPath, issue: v.GenericIssue): string {
  const { type, expected, received, input } = issue;
  if (expected === 'never')
    return describeUnknownField(String(at.at(-1)), listFieldsAt(shape, at.slice(0, -1), issue));
  if (received === 'undefined')
    return type === 'variant' ? `is missing; ${formatChoices(expected)}` : 'is missing';
  if (type === 'picklist' || type === 'variant' || type === 'literal') {
    const meant = nearest(String(input), listQuotedWords(expected));
    return `${JSON.stringify(input)} ${formatChoices(expected)}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
  }
  const words = expectations[expected ?? ''] ?? issue.message;
  return `${shortText(received, 60)} is invalid: it ${words}`;
}

function describeUnknownField(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === undefined
    ? `unknown field; valid fields are ${known.join(', ')}`
    : `unknown field; did you mean ${meant}?`;
}

function listQuotedWords(expected: string | null): string[] {
  return [...(expected ?? '').matchAll(/"([^"]+)"/g)].map(([, word = '']) => word);
}

function formatChoices(expected: string | null): string {
  return `is not one of ${listQuotedWords(expected).join(', ')}`;
}

/** Returns the field names that an object at this path can have. */
function listFieldsAt(shape: Schema, way: FieldPath, issue: v.GenericIssue): string[] {
  let schemas: readonly Schema[] = [shape];
  for (const step of way) schemas = schemas.flatMap((schema) => subschemas(unwrapSchema(schema), step));
  const parent = issue.path?.at(-1)?.input;
  const type = typeof parent === 'object' && parent !== null && 'type' in parent ? parent.type : undefined;
  return schemas.flatMap((schema) => listFields(unwrapSchema(schema), type));
}

function listFields(schema: Schema, type: unknown): string[] {
  if ('entries' in schema) return Object.keys(schema.entries as object);
  if (!('options' in schema)) return [];
  const options = schema.options as readonly (Schema & {
    readonly entries: Record<string, { literal?: unknown }>;
  })[];
  const meant = options.filter(({ entries }) => entries['type']?.literal === type);
  return [...new Set((meant.length > 0 ? meant : options).flatMap(({ entries }) => Object.keys(entries)))];
}

/** Returns the schemas that can apply to a part of a value. */
function subschemas(schema: Schema, step: string | number): readonly Schema[] {
  if ('item' in schema && typeof step === 'number') return [schema.item as Schema];
  if (!('entries' in schema)) return [];
  const found = (schema.entries as Record<string, Schema>)[String(step)];
  return found === undefined ? [] : [found];
}

/** Removes the wrapper of an optional field from a schema. */
function unwrapSchema(schema: Schema): Schema {
  return 'wrapped' in schema ? unwrapSchema(schema.wrapped as Schema) : schema;
}
