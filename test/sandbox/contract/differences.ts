import type { NamedTypes, TypeSchema } from './type-schema.ts';

/** Where a value is not as a type says. */
export interface Difference {
  /** The type of the SDK that has the field, or the route where none has a name. */
  readonly of: string;
  /** Its fields down to the value, as in `ssl.settings` or `result[]`; empty of the value itself. */
  readonly field: string;
  /** `undeclared` of a field that the type does not have, `missing` of one that it wants; else what was given: `null`, `"pending"`. */
  readonly is: string;
  /** What the type says: `string or null`. */
  readonly says: string;
}

/** All that is not as the schema says in a JSON value. `of` names what the schema is of. */
export function listDifferences(
  schema: TypeSchema,
  types: NamedTypes,
  value: unknown,
  of: string,
): Difference[] {
  // Nearly all do, and whoever looks for places takes five times as long.
  return fits(schema, types, value) ? [] : [...findDifferences({ types, of, field: '' }, schema, value)];
}

/** Whether a value is as the schema says. */
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

/** The type of a field; undefined of one that the type does not have. */
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

/** Of the type that is meant: the one without a difference, else that with the fewest. */
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

/** A literal that differs, such as the type of a DNS record, says that another type is meant. */
function scoreDifferences(found: readonly Difference[]): number {
  return found.reduce((sum, { says }) => sum + (says.startsWith('"') ? 100 : 1), 0);
}

/** Whether a value can be of a type at all. */
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

/** A short text is told, because it may be meant for one of those that a type names. */
function formatGiven(value: unknown): string {
  return typeof value === 'string' && value.length < 30 ? JSON.stringify(value) : toTypeName(value);
}

function describeSchema(schema: TypeSchema, types: NamedTypes): string {
  if (schema.$ref !== undefined) return schema.$ref;
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => describeSchema(one, types)).join(' or ');
  return schema.enum?.map((one) => JSON.stringify(one)).join(' or ') ?? schema.type ?? 'anything';
}
