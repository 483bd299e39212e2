import { type Fault, type Kind, rewritten } from '../fault.ts';

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const writes = /^(?!GET )/;

/** Creates a fault that answers a write with another value in one field of the result. */
function other(name: string, field: string, change: (value: unknown) => unknown, places = writes): Fault {
  const fault = rewritten(name, ({ result, ...rest }) => {
    const fields = isRecord(result) ? result : {};
    return { ...rest, result: { ...fields, [field]: change(fields[field]) } };
  });
  return {
    ...fault,
    concerns(right, place) {
      if (!places.test(place) || right.status >= 400 || fault.concerns?.(right, place) === false)
        return false;
      const { result } = JSON.parse(String(right.body));
      return isRecord(result) && field in result && change(result[field]) !== result[field];
    },
  };
}

const counted = (name: string, change: (count: number) => unknown): Fault =>
  other(`${name} were written`, 'successful_key_count', (count) =>
    typeof count === 'number' ? change(count) : count,
  );

const named = (field: string, places = writes): Fault =>
  other(
    `another ${field}`,
    field,
    (value) => (typeof value === 'string' ? `another-${value}` : value),
    places,
  );

/** Successful answers whose result differs from the request. */
export const agreementKinds: readonly Kind[] = [
  {
    name: 'a wrong count',
    faults: [
      counted('none', () => 0),
      counted('all but one', (count) => count - 1),
      counted('one more', (count) => count + 1),
      counted('a negative count', () => -1),
      counted('a fraction', (count) => count - 0.5),
    ],
  },
  { name: 'another title', faults: [named('title')] },
  { name: 'another name', faults: [named('name')] },
  { name: 'another hostname', faults: [named('hostname')] },
  { name: 'another origin', faults: [named('origin', /^PUT /)] },
  { name: 'another key', faults: [named('key')] },
  { name: 'other bytes', faults: [other('another etag', 'etag', () => '0123456789abcdef'.repeat(2))] },
  { name: 'the opposite', faults: [other('the opposite hold', 'hold', (hold) => hold !== true)] },
];
