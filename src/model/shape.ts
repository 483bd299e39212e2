import * as v from 'valibot';

/**
 * The parts of which a thing's shape is declared once: its type (`ValueOf`), the JSON Schema of what commands answer about it
 * (`docs/schema`) and its check follow. Modules of the program import shapes as types only, so a declaration costs nothing at
 * start; where a shape also checks data at run time, its module says so.
 */

/** A value of a shape, read-only all the way down. */
export type ValueOf<S> = S extends v.GenericSchema ? ReadOnly<v.InferOutput<S>> : never;

type ReadOnly<T> = T extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: ReadOnly<T[Name]> }
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
