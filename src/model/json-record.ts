import * as v from 'valibot';
import { isObject } from './json-object.ts';

/**
 * A JSON object with any names. Instead of `v.record`, which drops the names that every object has already (`constructor`,
 * `prototype`, `__proto__`): no metadata may be lost.
 */
export function jsonRecord<T = unknown>(message?: string, isValue: (value: unknown) => boolean = () => true) {
  return v.custom<Readonly<Record<string, T>>>(
    (value) => isObject(value) && Object.values(value).every(isValue),
    message,
  );
}
