import * as v from 'valibot';

/**
 * The answer of a command with `--json`, on standard output. Declared once, in the `answers.ts` beside the command: its JSON Schema
 * (`docs/schema`) and the types of what it may answer follow. Only types of it are imported by the program, which
 * therefore neither ships nor loads it.
 */
export interface AnswerShape {
  /** The one JSON value; null where it writes none. */
  readonly value: v.GenericSchema | null;
  /** A JSON value on each line, any number of them; null where it writes none. */
  readonly lines: v.GenericSchema | null;
  /** Sentences on it: when lines take the place of the value, or, of a command without JSON, what it writes. */
  readonly about: string;
}

/** One JSON value. */
export function value<const S extends v.GenericSchema>(shape: S, about = '') {
  return { value: shape, lines: null, about } as const;
}

/** A JSON value on each line. */
export function lines<const S extends v.GenericSchema>(shape: S, about = '') {
  return { value: null, lines: shape, about } as const;
}

/** One JSON value or lines, as `about` says. */
export function valueOrLines<const S extends v.GenericSchema, const L extends v.GenericSchema>(
  shape: S,
  line: L,
  about: string,
) {
  return { value: shape, lines: line, about } as const;
}

/** No JSON, but what `about` names. */
export function noJson(about: string) {
  return { value: null, lines: null, about } as const;
}

/** A value of a shape, as JSON takes it: lists may be read-only, and what may be left out may be undefined. */
export type Told<S> = S extends v.GenericSchema ? Writable<v.InferOutput<S>> : never;

type Writable<T> = T extends readonly (infer Item)[]
  ? readonly Writable<Item>[]
  : T extends object
    ? {
        readonly [Name in keyof T]: object extends Pick<T, Name>
          ? Writable<T[Name]> | undefined
          : Writable<T[Name]>;
      }
    : T;

export const optional = v.exactOptional;
export const nullable = v.nullable;

/** An object with these fields and no others. */
export const object = v.strictObject;

export const anyOf = v.union;

export function text(about: string) {
  return v.pipe(v.string(), v.description(about));
}

export function texts(about: string) {
  return v.pipe(v.array(v.string()), v.description(about));
}

export function bool(about: string) {
  return v.pipe(v.boolean(), v.description(about));
}

/** A whole number from 0: of things, bytes or seconds, as `about` says. */
export function count(about: string) {
  return v.pipe(v.number(), v.integer(), v.minValue(0), v.description(about));
}

export function number(about: string) {
  return v.pipe(v.number(), v.description(about));
}

/** A time of RFC 3339, with its zone. */
export function time(about: string) {
  return v.pipe(v.string(), v.isoTimestamp(), v.description(about));
}

export function oneOf<const Words extends readonly string[]>(words: Words, about: string) {
  return v.pipe(v.picklist(words), v.description(about));
}

/** A field that has this value and no other. */
export function only<const Value extends string | number | boolean>(is: Value, about: string) {
  return v.pipe(v.literal(is), v.description(about));
}

export function list<const S extends v.GenericSchema>(item: S, about: string) {
  return v.pipe(v.array(item), v.description(about));
}

/** An object whose names are data. */
export function map<const S extends v.GenericSchema>(item: S, about: string) {
  return v.pipe(v.record(v.string(), item), v.description(about));
}

/** Any JSON value: what somebody else has stored. */
export function anything(about: string) {
  return v.pipe(v.unknown(), v.description(about));
}
