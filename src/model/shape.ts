import * as v from 'valibot';

/**
 * The building blocks of shapes. A shape is declared once; its type (`ValueOf`), the JSON Schema of command answers (`docs/schema`) and the
 * validation of answers are derived from it. The program imports shapes only as types, so declarations cost nothing at startup. A module
 * whose shape also validates data at run time states this in a comment.
 *
 * A shape is a valibot schema. The TypeScript type of a shape contains only the type of the value (as in Standard Schema,
 * https://standardschema.dev), so that the published types do not depend on valibot and compile quickly.
 */
export interface Shape<T> {
  readonly '~standard': { readonly types?: { readonly output: T } | undefined };
}

/** The shape of an optional field. */
export interface OptionalShape<T> extends Shape<T> {
  readonly type: 'exact_optional';
}

/** The value type of a shape, deeply read-only. */
export type ValueOf<S> = S extends Shape<infer T> ? ReadOnly<T> : never;

type ReadOnly<T> = T extends readonly (infer Item)[]
  ? readonly ReadOnly<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: ReadOnly<T[Name]> }
    : T;

type Fields = Readonly<Record<string, Shape<unknown>>>;

type OptionalNames<F> = { [Name in keyof F]: F[Name] extends OptionalShape<unknown> ? Name : never }[keyof F];

/** An object type whose intersected fields are merged. */
type Flat<T> = { readonly [Name in keyof T]: T[Name] };

export type FieldValues<F> = Flat<
  { readonly [Name in Exclude<keyof F, OptionalNames<F>>]: ValueOf<F[Name]> } & {
    readonly [Name in OptionalNames<F>]?: ValueOf<F[Name]>;
  }
>;

/** Returns a shape as a valibot schema. Every shape is a schema, but its TypeScript type shows only the type of the value. */
function toSchema(shape: Shape<unknown>): v.GenericSchema {
  return shape as v.GenericSchema;
}

function toSchemas(fields: Fields): Readonly<Record<string, v.GenericSchema>> {
  return fields as Readonly<Record<string, Shape<unknown> & v.GenericSchema>>;
}

function toShape<T>(schema: v.GenericSchema): Shape<T> {
  return schema as Shape<T>;
}

export function optional<T>(shape: Shape<T>): OptionalShape<T> {
  return v.exactOptional(toSchema(shape)) as OptionalShape<T>;
}

export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return toShape(v.nullable(toSchema(shape)));
}

/** Returns the shape of an object with exactly these fields. */
export function object<const F extends Fields>(fields: F): Shape<FieldValues<F>> {
  return toShape(v.strictObject(toSchemas(fields)));
}

/** Returns the shape of an object with these and any other fields. Other fields are preserved. */
export function openObject<const F extends Fields>(
  fields: F,
): Shape<FieldValues<F> & Readonly<Record<string, unknown>>> {
  return toShape(v.looseObject(toSchemas(fields)));
}

export function anyOf<const S extends readonly Shape<unknown>[]>(shapes: S): Shape<ValueOf<S[number]>> {
  return toShape(v.union(shapes.map(toSchema)));
}

export function text(about: string): Shape<string> {
  return v.pipe(v.string(), v.description(about));
}

export function texts(about: string): Shape<readonly string[]> {
  return v.pipe(v.array(v.string()), v.description(about));
}

export function bool(about: string): Shape<boolean> {
  return v.pipe(v.boolean(), v.description(about));
}

/** Returns the shape of a non-negative whole number. `about` states the number's unit: items, bytes or seconds. */
export function count(about: string): Shape<number> {
  return v.pipe(v.number(), v.integer(), v.minValue(0), v.description(about));
}

export function number(about: string): Shape<number> {
  return v.pipe(v.number(), v.description(about));
}

/** Returns the shape of an RFC 3339 time with its time zone. */
export function time(about: string): Shape<string> {
  return v.pipe(v.string(), v.isoTimestamp(), v.description(about));
}

export function oneOf<const Words extends readonly string[]>(
  words: Words,
  about: string,
): Shape<Words[number]> {
  return v.pipe(v.picklist(words), v.description(about));
}

/** Returns the shape of a field with a single allowed value. */
export function only<const Value extends string | number | boolean>(is: Value, about: string): Shape<Value> {
  return v.pipe(v.literal(is), v.description(about));
}

export function list<T>(item: Shape<T>, about: string): Shape<readonly T[]> {
  return toShape(v.pipe(v.array(toSchema(item)), v.description(about)));
}

/** Returns the shape of an object whose member names are part of the data. */
export function map<T>(item: Shape<T>, about: string): Shape<Readonly<Record<string, T>>> {
  return toShape(v.pipe(v.record(v.string(), toSchema(item)), v.description(about)));
}

/** Returns the shape of any JSON value, such as data that a user stored. */
export function anything(about: string): Shape<unknown> {
  return v.pipe(v.unknown(), v.description(about));
}
