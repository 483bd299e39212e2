import * as v from 'valibot';
import { isObject } from './json-object.ts';

/**
 * Returns the schema of a JSON object with any member names. Replaces `v.record`, which drops names that all objects inherit
 * (`constructor`, `prototype`, `__proto__`) and would therefore lose metadata.
 */
export function jsonRecord<T = unknown>(message?: string, isValue: (value: unknown) => boolean = () => true) {
  return v.custom<Readonly<Record<string, T>>>(
    (value) => isObject(value) && Object.values(value).every(isValue),
    message,
  );
}

/**
 * Returns the schema of a field that the platform may omit. Null counts as omitted: the OpenAPI document makes such fields optional and
 * does not mention null, but the platform sends both forms.
 */
export function orMissing<const S extends v.GenericSchema>(shape: S) {
  const orNull = v.nullable(shape);
  return v.optional(
    v.pipe(
      orNull,
      v.transform((value) => value ?? undefined),
    ),
  );
}
