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
