import type { NamedTypes, TypeSchema } from './type-schema.ts';

/** A difference between a value and its type. */
export interface Difference {
  /** The SDK type that has the field, or the route if the type has no name. */
  readonly of: string;
  /** The path of fields to the value, such as `ssl.settings` or `result[]`; empty for the value itself. */
  readonly field: string;
  /**
   * `undeclared` for a field that the type lacks, `missing` for an absent required field; otherwise the actual value:
   * `null`, `"pending"`.
   */
  readonly is: string;
  /** The expected type: `string or null`. */
  readonly says: string;
}

/** Returns all differences between a JSON value and a schema. `of` is the name of the schema. */
export function listDifferences(
  schema: TypeSchema,
  types: NamedTypes,
  value: unknown,
  of: string,
): Difference[] {
  // Almost all values match, and finding the differences takes five times as long as a check.
  return fits(schema, types, value) ? [] : [...findDifferences({ types, of, field: '' }, schema, value)];
}

/** Returns true if a value matches the schema. */
function fits(schema: TypeSchema, types: NamedTypes, value: unknown): boolean {
  const { $ref, anyOf, items, type } = schema;
  if ($ref !== undefined) return fits(types[$ref] ?? {}, types, value);
  if (anyOf !== undefined) return anyOf.some((one) => fits(one, types, value));
  if (!matchesType(schema, value)) return false;
  if (Array.isArray(value)) return items === undefined || value.every((item) => fits(items, types, item));
  return type !== 'object' || !isFields(value) || hasFields(schema, types, value);
}

function hasFields(schema: TypeSchema, types: NamedTypes, value: Fields): boolean {
  for (const name of schema.required ?? []) if (value[name] === undefined) return false;
  for (const name in value) {
    const type = fieldType(schema, name);
    if (type === undefined || !fits(type, types, value[name])) return false;
  }
  return true;
}

/** Returns the type of a field; undefined if the type does not declare the field. */
function fieldType({ properties, additionalProperties }: TypeSchema, name: string): TypeSchema | undefined {
  const own = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return own ?? additionalProperties;
}

interface Place {
  readonly types: NamedTypes;
  readonly of: string;
  readonly field: string;
}

function* findDifferences(place: Place, schema: TypeSchema, value: unknown): Generator<Difference> {
  const { $ref, anyOf } = schema;
  if ($ref !== undefined)
    yield* findDifferences({ ...place, of: $ref, field: '' }, place.types[$ref] ?? {}, value);
  else if (anyOf !== undefined) yield* findNearestDifferences(place, schema, anyOf, value);
  else if (!matchesType(schema, value)) yield differenceAt(place, formatGiven(value), schema);
  else if (Array.isArray(value)) {
    const items = { ...place, field: `${place.field}[]` };
    for (const item of value) yield* findDifferences(items, schema.items ?? {}, item);
  } else if (schema.type === 'object' && isFields(value)) yield* findFieldDifferences(place, schema, value);
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function* findFieldDifferences(place: Place, schema: TypeSchema, value: Fields): Generator<Difference> {
  const { properties = {}, required = [] } = schema;
  for (const name of required) {
    if (value[name] === undefined)
      yield differenceAt(toFieldPlace(place, name), 'missing', properties[name] ?? {});
  }
  for (const [name, field] of Object.entries(value)) {
    const type = fieldType(schema, name);
    if (type === undefined)
      yield { ...differenceAt(toFieldPlace(place, name), 'undeclared', {}), says: 'nothing' };
    else yield* findDifferences(toFieldPlace(place, name), type, field);
  }
}

function toFieldPlace(place: Place, name: string): Place {
  return { ...place, field: place.field === '' ? name : `${place.field}.${name}` };
}

/**
 * Returns the differences from the intended member of a union: a member without differences, otherwise the member with the fewest
 * differences.
 */
function* findNearestDifferences(
  place: Place,
  whole: TypeSchema,
  all: readonly TypeSchema[],
  value: unknown,
): Generator<Difference> {
  let nearest: readonly Difference[] | undefined;
  for (const one of all) {
    if (!canMatchType(one, place.types, value)) continue;
    const found = [...findDifferences(place, one, value)];
    if (found.length === 0) return;
    if (nearest === undefined || scoreDifferences(found) < scoreDifferences(nearest)) nearest = found;
  }
  yield* nearest ?? [differenceAt(place, formatGiven(value), whole)];
}

/**
 * Returns a score that increases with the differences. A wrong literal, such as the type of a DNS record, counts most, because it means
 * that another type is intended.
 */
function scoreDifferences(found: readonly Difference[]): number {
  return found.reduce((sum, { says }) => sum + (says.startsWith('"') ? 100 : 1), 0);
}

/** Returns true if the schema, or one of its variants, describes the type of a value. */
function canMatchType(schema: TypeSchema, types: NamedTypes, value: unknown): boolean {
  if (schema.$ref !== undefined) return canMatchType(types[schema.$ref] ?? {}, types, value);
  return schema.anyOf?.some((one) => canMatchType(one, types, value)) ?? matchesType(schema, value);
}

function matchesType({ type, enum: values }: TypeSchema, value: unknown): boolean {
  if (values !== undefined) return values.some((one) => one === value);
  return type === undefined || toTypeName(value) === type;
}

function toTypeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function differenceAt({ of, field, types }: Place, is: string, schema: TypeSchema): Difference {
  return { of, field, is, says: describeSchema(schema, types) };
}

/** Formats a value; short strings are shown, because they may be intended as a value of an enumeration. */
function formatGiven(value: unknown): string {
  return typeof value === 'string' && value.length < 30 ? JSON.stringify(value) : toTypeName(value);
}

function describeSchema(schema: TypeSchema, types: NamedTypes): string {
  if (schema.$ref !== undefined) return schema.$ref;
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => describeSchema(one, types)).join(' or ');
  return schema.enum?.map((one) => JSON.stringify(one)).join(' or ') ?? schema.type ?? 'anything';
}
