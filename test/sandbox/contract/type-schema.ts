/**
 * An SDK type as JSON Schema. Unlike there, an object without `additionalProperties` has only the named fields. A
 * `$ref` is the name of another type.
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
  /** A value that the document gives as an example. */
  readonly example?: unknown;
}

/** Types by name. */
export type NamedTypes = Readonly<Record<string, TypeSchema>>;
