/** The part of JSON Schema that the schema of findings uses. */
interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

/** Why a value does not fit a schema, or undefined. */
export function schemaFault(schema: Schema, value: unknown, at = 'value'): string | undefined {
  if (schema.oneOf !== undefined) {
    const fitting = schema.oneOf.filter((one) => schemaFault(one, value, at) === undefined);
    return fitting.length === 1 ? undefined : `${at} fits ${fitting.length} forms`;
  }
  if (schema.anyOf !== undefined) {
    const faults = schema.anyOf.map((one) => schemaFault(one, value, at));
    return faults.every((fault) => fault !== undefined) ? faults[0] : undefined;
  }
  if ('const' in schema && schema.const !== value) return `${at} is not ${String(schema.const)}`;
  if (schema.enum !== undefined && !schema.enum.includes(value)) return `${at} is none of the enum`;
  if (schema.type !== undefined && schema.type !== typeOf(value)) return `${at} is no ${schema.type}`;
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(String(value)))
    return `${at} has not the pattern`;
  if (Array.isArray(value)) {
    const { items } = schema;
    const faults = value.map((one, index) => items && schemaFault(items, one, `${at}[${index}]`));
    return faults.find((fault) => fault !== undefined);
  }
  return typeof value === 'object' && value !== null ? fieldFault(schema, { ...value }, at) : undefined;
}

function fieldFault(
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
  at: string,
): string | undefined {
  const { properties = {}, required = [], additionalProperties } = schema;
  const missing = required.find((name) => !(name in value));
  if (missing !== undefined) return `${at}.${missing} is missing`;
  for (const [name, field] of Object.entries(value)) {
    const known = properties[name];
    if (known === undefined && additionalProperties === false) return `${at}.${name} is not known`;
    const fault = known && schemaFault(known, field, `${at}.${name}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
