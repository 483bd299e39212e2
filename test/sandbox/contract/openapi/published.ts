import type { NamedTypes, TypeSchema } from '../type-schema.ts';

/** A schema of the provider's published OpenAPI document, before its references and intersections are resolved. */
export interface PublishedSchema {
  readonly type?: string;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly anyOf?: readonly PublishedSchema[];
  readonly oneOf?: readonly PublishedSchema[];
  readonly allOf?: readonly PublishedSchema[];
  readonly items?: PublishedSchema;
  readonly properties?: Readonly<Record<string, PublishedSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: PublishedSchema | boolean;
  readonly nullable?: boolean;
  readonly example?: unknown;
  readonly $ref?: string;
}

/** A function that returns the schema with this reference, or undefined if the document does not contain the schema. */
export type FindSchema = (ref: string) => PublishedSchema | undefined;

type Mutable<T> = { -readonly [name in keyof T]: T[name] };

/**
 * Converts schemas of an OpenAPI document to schemas that answers are compared with. Objects are open, because the document allows
 * undeclared fields.
 */
export class SchemaReader {
  /** Types that the converted schemas refer to. */
  readonly types: Record<string, TypeSchema> = {};
  private readonly find: FindSchema;

  constructor(find: FindSchema) {
    this.find = find;
  }

  read(schema: PublishedSchema): TypeSchema {
    const { $ref, allOf, nullable, example } = schema;
    const type =
      $ref !== undefined
        ? this.readReference($ref)
        : allOf !== undefined
          ? this.readIntersection(schema, allOf)
          : this.readPlain(schema);
    const whole: TypeSchema = nullable === true ? unite([type, { type: 'null' }]) : type;
    return example === undefined || whole.$ref !== undefined ? whole : { ...whole, example: example ?? null };
  }

  private readReference(ref: string): TypeSchema {
    const name = ref.split(/[./]/).at(-1) ?? ref;
    const known = this.types[name];
    if (known !== undefined) return isSimple(known) ? known : { $ref: name };
    const found = this.find(ref);
    if (found === undefined) throw new Error(`The document has no schema ${ref}.`);
    // A schema may refer to itself.
    this.types[name] = {};
    const read = this.read(found);
    this.types[name] = read;
    return isSimple(read) ? read : { $ref: name };
  }

  private readIntersection(
    { allOf: _, example: __, ...own }: PublishedSchema,
    all: readonly PublishedSchema[],
  ) {
    const parts = Object.keys(own).length > 0 ? [...all, own] : all;
    return parts.map((one) => this.read(one)).reduce((left, right) => this.intersect(left, right), {});
  }

  private readPlain(schema: PublishedSchema): TypeSchema {
    const { type, enum: values, items, properties, required, additionalProperties } = schema;
    const either = schema.anyOf ?? schema.oneOf;
    if (either !== undefined) {
      const united = unite(either.map((one) => this.read(one)));
      return properties === undefined
        ? united
        : this.intersect(
            united,
            this.readPlain({ type: 'object', properties, ...(required && { required }) }),
          );
    }
    if (values !== undefined) return readValues(values);
    if (type === 'array') return { type, ...(items !== undefined && { items: this.read(items) }) };
    if (type !== 'object' && properties === undefined && required === undefined) return readSimple(type);
    const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, this.read(field)] as const);
    return {
      type: 'object',
      ...(fields.length > 0 && { properties: Object.fromEntries(fields) }),
      ...(required !== undefined && required.length > 0 && { required }),
      additionalProperties: typeof additionalProperties === 'object' ? this.read(additionalProperties) : {},
    };
  }

  /** Returns a schema that accepts only values accepted by both schemas. */
  private intersect(left: TypeSchema, right: TypeSchema): TypeSchema {
    if (isOpen(left)) return right;
    if (isOpen(right)) return left;
    if (left.$ref !== undefined && left.$ref === right.$ref) return left;
    const [a, b] = [this.dereference(left), this.dereference(right)];
    if (a.anyOf !== undefined) return this.intersectEach(a.anyOf, b);
    if (b.anyOf !== undefined) return this.intersectEach(b.anyOf, a);
    if (a.type === 'object' && b.type === 'object') return this.intersectObjects(a, b);
    if (a.type === 'array' && b.type === 'array')
      return { ...a, ...b, items: this.intersect(a.items ?? {}, b.items ?? {}) };
    if (a.enum !== undefined && b.enum !== undefined) {
      const both = a.enum.filter((value) => b.enum?.includes(value));
      return { ...b, enum: both.length > 0 ? both : b.enum };
    }
    return a.enum !== undefined ? a : b;
  }

  private intersectEach(all: readonly TypeSchema[], other: TypeSchema): TypeSchema {
    const kinds = getKinds(this.dereference(other));
    const fitting = all.filter((one) => overlaps(getKinds(this.dereference(one)), kinds));
    if (fitting.length === 0) return other;
    return unite(fitting.map((one) => this.intersect(one, other)));
  }

  private intersectObjects(a: TypeSchema, b: TypeSchema): TypeSchema {
    const properties: Record<string, TypeSchema> = { ...a.properties };
    for (const [name, field] of Object.entries(b.properties ?? {}))
      properties[name] = name in properties ? this.intersect(properties[name] ?? {}, field) : field;
    const required = [...new Set([...(a.required ?? []), ...(b.required ?? [])])];
    const example = b.example ?? a.example;
    return {
      type: 'object',
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(required.length > 0 && { required }),
      additionalProperties: this.intersect(a.additionalProperties ?? {}, b.additionalProperties ?? {}),
      ...(example !== undefined && { example }),
    };
  }

  private dereference(schema: TypeSchema): TypeSchema {
    const named = schema.$ref === undefined ? undefined : this.types[schema.$ref];
    return named === undefined ? schema : this.dereference(named);
  }
}

function readSimple(type: string | undefined): TypeSchema {
  if (type === undefined) return {};
  if (type === 'integer') return { type: 'number' };
  return { type: type as 'string' };
}

function readValues(values: NonNullable<PublishedSchema['enum']>): TypeSchema {
  const given = values.filter((value) => value !== null);
  const all = { enum: given };
  if (given.length === values.length) return all;
  return given.length === 0 ? { type: 'null' } : { anyOf: [all, { type: 'null' }] };
}

function unite(all: readonly TypeSchema[]): TypeSchema {
  const flat = all.flatMap((one) => one.anyOf ?? [one]);
  const [only] = flat;
  if (flat.some(isOpen)) return {};
  return flat.length === 1 && only !== undefined ? only : { anyOf: flat };
}

/** Returns true if a type has no parts, so that it needs no name. */
function isSimple(type: TypeSchema): boolean {
  return (
    type.enum !== undefined || (type.type !== undefined && type.type !== 'object' && type.items === undefined)
  );
}

function isOpen({ example: _, ...schema }: TypeSchema): boolean {
  return Object.keys(schema).length === 0;
}

function getKinds(schema: TypeSchema): string[] {
  if (schema.enum !== undefined) return [...new Set(schema.enum.map((value) => typeof value))];
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(getKinds);
  return schema.type === undefined ? [] : [schema.type];
}

/** Returns true if two schemas have a kind in common. A schema without a type has no kinds, and overlaps with every schema. */
function overlaps(left: readonly string[], right: readonly string[]): boolean {
  return left.length === 0 || right.length === 0 || left.some((kind) => right.includes(kind));
}

/** Returns the named types that the schemas reference, directly or indirectly. */
export function reachableTypes(roots: readonly TypeSchema[], types: NamedTypes): Record<string, TypeSchema> {
  const saved: Mutable<Record<string, TypeSchema>> = {};
  const visit = (schema: TypeSchema): void => {
    if (schema.$ref !== undefined && saved[schema.$ref] === undefined) {
      const named = types[schema.$ref] ?? {};
      saved[schema.$ref] = named;
      visit(named);
    }
    for (const one of schema.anyOf ?? []) visit(one);
    for (const one of Object.values(schema.properties ?? {})) visit(one);
    if (schema.items !== undefined) visit(schema.items);
    if (schema.additionalProperties !== undefined) visit(schema.additionalProperties);
  };
  for (const root of roots) visit(root);
  return saved;
}
