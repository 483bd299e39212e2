import type * as v from 'valibot';
import type { Shape } from '../../model/shape.ts';

type Schema = v.GenericSchema;
type Json = Readonly<Record<string, unknown>>;

const plainTypes: Readonly<Record<string, Json>> = {
  string: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  unknown: {},
};

/**
 * Converts a shape, which is a valibot schema, to JSON Schema. Supports the schemas that seeds and answers use, and throws for any other
 * kind of schema.
 */
export function toJsonSchema(shape: Shape<unknown>): Json {
  const schema = shape as Schema;
  const { wrapped, item, options, entries, literal, value } = schema as {
    wrapped?: Schema;
    item?: Schema;
    options?: readonly (Schema | string)[];
    entries?: Record<string, Schema>;
    literal?: unknown;
    value?: Schema;
  };
  switch (schema.type) {
    case 'exact_optional':
      return toJsonSchema(wrapped as Schema);
    case 'nullable':
      return nullableSchema(toJsonSchema(wrapped as Schema));
    case 'array':
      return { ...descriptionKeywords(schema), type: 'array', items: toJsonSchema(item as Schema) };
    case 'picklist':
      return { ...descriptionKeywords(schema), enum: options };
    case 'literal':
      return { ...descriptionKeywords(schema), const: literal };
    case 'union':
    case 'variant':
      return { ...descriptionKeywords(schema), anyOf: (options as readonly Schema[]).map(toJsonSchema) };
    case 'record':
      return {
        ...descriptionKeywords(schema),
        type: 'object',
        additionalProperties: toJsonSchema(value as Schema),
      };
    case 'strict_object':
    case 'loose_object':
      return {
        ...descriptionKeywords(schema),
        ...objectSchema(entries ?? {}, schema.type === 'strict_object'),
      };
    default: {
      const found = plainTypes[schema.type];
      if (found === undefined) throw new Error(`no JSON Schema for ${schema.type}`);
      return { ...found, ...descriptionKeywords(schema) };
    }
  }
}

function objectSchema(entries: Record<string, Schema>, isStrict: boolean): Json {
  const required = Object.keys(entries).filter((name) => entries[name]?.type !== 'exact_optional');
  const properties = Object.entries(entries).map(([name, one]) => [name, toJsonSchema(one)]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    ...(isStrict && { additionalProperties: false }),
  };
}

/** Returns the JSON Schema keywords for the pipeline steps of a schema. */
function descriptionKeywords(schema: Schema): Json {
  const steps =
    'pipe' in schema ? (schema.pipe as readonly { type: string; [field: string]: unknown }[]) : [];
  return Object.assign({}, ...steps.map(stepKeywords));
}

function stepKeywords({ type, description, requirement }: { type: string; [field: string]: unknown }): Json {
  if (type === 'description') return { description };
  if (type === 'regex') return { pattern: (requirement as RegExp).source };
  if (type === 'min_value') return { minimum: requirement };
  if (type === 'integer') return { type: 'integer' };
  if (type === 'iso_timestamp') return { format: 'date-time' };
  return type === 'non_empty' ? { minLength: 1 } : {};
}

function nullableSchema(schema: Json): Json {
  return { anyOf: [schema, { type: 'null' }] };
}
