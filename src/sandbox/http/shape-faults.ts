import * as v from 'valibot';
import { shortText } from '../../model/long-text.ts';
import { nearest } from '../../text/nearest.ts';

type Schema = v.GenericSchema;

/** Steps from the whole to a part: names of fields, and places in lists from 0. */
export type Way = readonly (string | number)[];

/** A fault in a document: where, and a sentence that continues `<where>:`. */
export interface ShapeFault {
  readonly at: Way;
  readonly message: string;
}

/** `hostnames[3].status: "activ" is none of ...`; of the whole, `the seed: ...`. */
export function faultLine({ at, message }: ShapeFault, whole: string): string {
  const way = at.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return `${way === '' ? whole : way.replace(/^\./, '')}: ${message}`;
}

const expectations: Readonly<Record<string, string>> = {
  Array: 'has to be a list',
  Object: 'has to be an object with fields',
  string: 'has to be a string',
  number: 'has to be a number',
  boolean: 'has to be true or false',
};

/** Limits of numbers and lists in words, by the kind of check. */
const limits: Readonly<Record<string, (requirement: unknown) => string>> = {
  min_value: (least) => `has to be ${String(least)} or more`,
  max_value: (most) => `has to be ${String(most)} or less`,
  min_length: (least) => `has to have ${String(least)} or more`,
  integer: () => 'has to be a whole number',
  safe_integer: () => 'has to be a whole number',
};

/** Issues that are gathered: each takes about a kilobyte, and a seed of five million `1` has as many. */
const mostIssues = 10_000;

/**
 * Reads a value in its shape. Issues of it that the shape has no words for have ours. Of far too many only the first one
 * comes back.
 */
export function parseShape<S extends Schema>(shape: S, value: unknown): v.SafeParseResult<S> {
  const tooMany = new Error('too many issues');
  let count = 0;
  const message = ({ type, requirement, message: own }: v.BaseIssue<unknown>) =>
    limits[type]?.(requirement) ?? own;
  const counted = (issue: v.BaseIssue<unknown>) => {
    if (++count > mostIssues) throw tooMany;
    return message(issue);
  };
  try {
    return v.safeParse(shape, value, { message: counted });
  } catch (error) {
    if (error !== tooMany) throw error;
    return v.safeParse(shape, value, { message, abortEarly: true });
  }
}

/** An issue of `parseShape`, in words. */
export function shapeFaultOf(shape: Schema, issue: v.GenericIssue): ShapeFault {
  const at = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
  return { at, message: messageOf(shape, at, issue) };
}

function messageOf(shape: Schema, at: Way, issue: v.GenericIssue): string {
  const { type, expected, received, input } = issue;
  if (expected === 'never') return unknownField(String(at.at(-1)), fieldsAt(shape, at.slice(0, -1), issue));
  if (received === 'undefined') return type === 'variant' ? `is missing; ${oneOf(expected)}` : 'is missing';
  if (type === 'picklist' || type === 'variant' || type === 'literal') {
    const meant = nearest(String(input), wordsOf(expected));
    return `${JSON.stringify(input)} ${oneOf(expected)}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
  }
  const words = expectations[expected ?? ''] ?? issue.message;
  return `${shortText(received, 60)} does not fit: it ${words}`;
}

function unknownField(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === undefined
    ? `there is no such field; there are ${known.join(', ')}`
    : `there is no such field; did you mean ${meant}?`;
}

function wordsOf(expected: string | null): string[] {
  return [...(expected ?? '').matchAll(/"([^"]+)"/g)].map(([, word = '']) => word);
}

function oneOf(expected: string | null): string {
  return `is none of ${wordsOf(expected).join(', ')}`;
}

/** The names of the fields that an object at this way can have. */
function fieldsAt(shape: Schema, way: Way, issue: v.GenericIssue): string[] {
  let schemas: readonly Schema[] = [shape];
  for (const step of way) schemas = schemas.flatMap((schema) => below(bare(schema), step));
  const parent = issue.path?.at(-1)?.input;
  const type = typeof parent === 'object' && parent !== null && 'type' in parent ? parent.type : undefined;
  return schemas.flatMap((schema) => fieldsOf(bare(schema), type));
}

function fieldsOf(schema: Schema, type: unknown): string[] {
  if ('entries' in schema) return Object.keys(schema.entries as object);
  if (!('options' in schema)) return [];
  const options = schema.options as readonly (Schema & {
    readonly entries: Record<string, { literal?: unknown }>;
  })[];
  const meant = options.filter(({ entries }) => entries['type']?.literal === type);
  return [...new Set((meant.length > 0 ? meant : options).flatMap(({ entries }) => Object.keys(entries)))];
}

/** The schemas of a part. */
function below(schema: Schema, step: string | number): readonly Schema[] {
  if ('item' in schema && typeof step === 'number') return [schema.item as Schema];
  if (!('entries' in schema)) return [];
  const found = (schema.entries as Record<string, Schema>)[String(step)];
  return found === undefined ? [] : [found];
}

/** A schema without its wrapper for an optional field. */
function bare(schema: Schema): Schema {
  return 'wrapped' in schema ? bare(schema.wrapped as Schema) : schema;
}
