import type { PublishedSchema } from '../../src/cli/output/schemas.ts';

type Rule = (said: unknown, value: unknown, schema: PublishedSchema) => boolean;

const says: Rule = () => true;

/** The keywords in edgectl's schemas, each with a function that checks a value against the keyword. */
const rules: Readonly<Record<string, Rule>> = {
  $schema: says,
  $id: says,
  $comment: says,
  title: says,
  description: says,
  type: (type, value) => getType(value) === type || (type === 'integer' && Number.isInteger(value)),
  enum: (values, value) => (values as readonly unknown[]).includes(value),
  const: (only, value) => only === value,
  anyOf: (forms, value) => (forms as readonly PublishedSchema[]).some((form) => fitsSchema(form, value)),
  items: (form, value) =>
    !Array.isArray(value) || value.every((item) => fitsSchema(form as PublishedSchema, item)),
  required: (names, value) =>
    !isFields(value) || (names as readonly string[]).every((name) => Object.hasOwn(value, name)),
  properties: (forms, value) =>
    !isFields(value) ||
    Object.entries(forms as Readonly<Record<string, PublishedSchema>>).every(
      ([name, form]) => !Object.hasOwn(value, name) || fitsSchema(form, value[name]),
    ),
  additionalProperties: (form, value, { properties = {} }) =>
    !isFields(value) ||
    Object.keys(value).every(
      (name) =>
        Object.hasOwn(properties as object, name) ||
        (form !== false && fitsSchema(form as PublishedSchema, value[name])),
    ),
  pattern: (pattern, value) => typeof value !== 'string' || new RegExp(String(pattern), 'u').test(value),
  minimum: (least, value) => typeof value !== 'number' || value >= Number(least),
  minLength: (least, value) => typeof value !== 'string' || [...value].length >= Number(least),
  format: (_, value) => typeof value !== 'string' || isMoment(value),
};

/** Returns true if a string is a time in the format of the API; `date-time` is the only format in edgectl's schemas. */
export function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) && Number.isFinite(Date.parse(text));
}

/**
 * Returns true if a JSON value matches one of edgectl's schemas. Compiling each schema with Ajv would take longer than all tests that use
 * schemas, so Ajv only explains mismatches, and must agree with this function.
 */
export function fitsSchema(schema: PublishedSchema, value: unknown): boolean {
  for (const [keyword, said] of Object.entries(schema)) {
    const rule = rules[keyword];
    if (rule === undefined)
      throw new Error(`test/answers/fits-schema.ts does not know the keyword ${keyword}`);
    if (!rule(said, value, schema)) return false;
  }
  return true;
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function getType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
