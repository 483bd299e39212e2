/**
 * An SDK type as a JSON Schema. Unlike in JSON Schema, an object without `additionalProperties` has only the declared fields, and a `$ref`
 * is the name of another type.
 */
export interface TypeSchema {
  readonly type?: 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';
  readonly enum?: readonly (string | number | boolean)[];
  readonly anyOf?: readonly TypeSchema[];
  readonly items?: TypeSchema;
  readonly properties?: Readonly<Record<string, TypeSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: TypeSchema;
  readonly $ref?: string;
  /** An example value from the document. */
  readonly example?: unknown;
}

/** Types by name. */
export type NamedTypes = Readonly<Record<string, TypeSchema>>;
