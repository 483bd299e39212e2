import { type Fault, instead, json, type Kind } from '../fault.ts';

const refusal = (message: string): string =>
  JSON.stringify({ success: false, errors: [{ code: 10_000, message }], messages: [], result: null });

function asking(status: number, wait: string): Fault {
  return instead(`${status} with Retry-After: ${wait}`, status, refusal('not now'), {
    ...json,
    'retry-after': wait,
  });
}

/** Reports waits that a person would not accept, individually or in total. */
export function waitFaults(slept: readonly number[]): string[] {
  const wrong = slept.filter((wait) => !(wait >= 0 && wait <= 5 * 60_000));
  return wrong.length === 0 ? [] : [`it waited for ${wrong.join(', ')} ms`];
}

/** Temporary refusals that announce a wait: in seconds, as a date, or as an invalid value. The suite uses the clock of the stage. */
export const waitKinds: readonly Kind[] = [
  { name: 'Retry-After in seconds', faults: [asking(429, '7'), asking(503, '7'), asking(429, '0')] },
  {
    name: 'Retry-After as a date',
    faults: [
      asking(429, 'Sat, 21 Nov 2026 10:00:20 GMT'),
      asking(503, 'Sat, 21 Nov 2026 09:00:00 GMT'),
      asking(429, 'Sat, 21 Nov 2099 10:00:00 GMT'),
      asking(503, 'Thu, 01 Jan 1970 00:00:00 GMT'),
    ],
  },
  {
    name: 'a huge Retry-After',
    faults: [asking(429, '86400'), asking(503, '999999999999'), asking(429, '9'.repeat(400))],
  },
  {
    name: 'an invalid Retry-After',
    faults: [
      asking(429, '-5'),
      asking(503, 'soon'),
      asking(429, '1e9'),
      asking(503, '0x7'),
      asking(429, '1.5'),
    ],
  },
];
