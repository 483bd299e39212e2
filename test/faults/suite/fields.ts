import type { ProxyAnswer } from '../../support/proxy.ts';
import { type Fault, rewritten } from './fault.ts';

type Step = string | number;

const missing = Symbol('missing');
const replacements = [
  ['null', null],
  ['a number', 7],
  ['a text', 'text'],
  ['a list', []],
  ['an object', {}],
  ['missing', missing],
] as const;

/** Numbers that replace the value of a numeric field: zero, and numbers that are invalid as a count. */
const counts = [0, -1, 1.5, 1e308, 2 ** 53] as const;

/** Returns the paths of all values in an answer; only the first item of each list is included. */
function getWays(value: unknown, way: readonly Step[] = []): (readonly Step[])[] {
  const below = Array.isArray(value)
    ? value.slice(0, 1).flatMap((item) => getWays(item, [...way, 0]))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, one]) => getWays(one, [...way, name]))
      : [];
  return way.length === 0 ? below : [way, ...below];
}

function valueAt(value: unknown, [step, ...rest]: readonly Step[]): unknown {
  if (step === undefined) return value;
  return valueAt((value as Record<Step, unknown>)[step], rest);
}

/** Returns a copy with another value at a path; `missing` removes the value. */
function replaced(value: unknown, [step, ...rest]: readonly Step[], other: unknown): unknown {
  if (step === undefined) return other;
  const copy: unknown = Array.isArray(value) ? [...value] : { ...(value as object) };
  const record = copy as Record<Step, unknown>;
  record[step] = replaced(record[step], rest, other);
  if (record[step] === missing) delete record[step];
  return Array.isArray(copy) ? copy.filter((_, at) => at in copy) : copy;
}

/** A field in an answer, with one fault for each wrong value to test. */
export interface Field {
  readonly name: string;
  readonly faults: readonly Fault[];
}

/** Returns every field of an answer. The answer confirms nothing unless `success` is true. */
export function fieldsOf(body: Buffer | string): Field[] {
  const right: unknown = JSON.parse(String(body));
  return getWays(right).map((way) => {
    const mayPass = ({ status }: ProxyAnswer) => way.join() !== 'success' || status >= 400;
    const name = way.join('.');
    const value = valueAt(right, way);
    const types = replacements.map(([type, other]) =>
      rewritten(`${name} is ${type}`, (envelope) => replaced(envelope, way, other), { mayPass }),
    );
    const numbers = counts.map((count) =>
      rewritten(`${name} is ${count}`, (envelope) => replaced(envelope, way, count), { mayPass }),
    );
    return { name, faults: typeof value === 'number' ? [...numbers, ...types] : types };
  });
}
