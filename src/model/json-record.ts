import * as v from 'valibot';
import { isObject } from './json-object.ts';

/**
 * A JSON object with any member names. Replaces `v.record`, which drops names that every object inherits (`constructor`,
 * `prototype`, `__proto__`): no metadata may be lost.
 */
export function jsonRecord<T = unknown>(message?: string, isValue: (value: unknown) => boolean = () => true) {
  return v.custom<Readonly<Record<string, T>>>(
    (value) => isObject(value) && Object.values(value).every(isValue),
    message,
  );
}

/**
 * A field that the platform may omit. Null counts as omitted: the OpenAPI document makes fields optional and does not
 * mention null, but the answers have both.
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
