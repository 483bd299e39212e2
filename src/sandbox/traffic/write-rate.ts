import { refused } from '../../v4/envelope.ts';
import type { Call } from '../../v4/send.ts';
import { pathWithoutQuery, type StrictAnswer } from './effect.ts';
import { readEntryKey } from './effects.ts';

/** Minimum milliseconds between two writes to a key (specification, Limits). */
const minIntervalMs = 1000;
const one = /^(.*\/namespaces\/[^/]+)\/values\/(.+)$/;
const many = /^(.*\/namespaces\/[^/]+)\/bulk(?:\/delete)?$/;

/** Returns a function that refuses a second write to a key within a second, with 429. Single and bulk writes count equally. */
export function openWriteRate(now: () => number): (call: Call, route: string) => StrictAnswer | undefined {
  const lastByKey = new Map<string, number>();
  return (call, route) => {
    if (call.method === 'GET' || !/\/(?:values\/\*key|bulk|bulk\/delete)$/.test(route)) return undefined;
    const at = now();
    for (const [key, last] of lastByKey) {
      if (last > at - minIntervalMs) break;
      lastByKey.delete(key);
    }
    const keys = listWrittenKeys(call);
    const again = keys.find((key) => lastByKey.has(key));
    for (const key of keys) {
      // The key is deleted first, so that the map stays ordered by time.
      lastByKey.delete(key);
      lastByKey.set(key, at);
    }
    return again === undefined ? undefined : refuseTooFrequent(again.slice(again.indexOf(' ') + 1));
  };
}

function refuseTooFrequent(key: string): StrictAnswer {
  const answer = refused(429, 10_013, 'Too Many Requests: at most one write per second to the same key');
  const reason = `the key ${JSON.stringify(key)} was written twice within a second`;
  return { answer: { ...answer, headers: { ...answer.headers, 'retry-after': '1' } }, reason };
}

/** Returns the keys that a call writes, each prefixed with its namespace. */
function listWrittenKeys(call: Call): string[] {
  const path = pathWithoutQuery(call);
  const [, namespace, key] = one.exec(path) ?? [];
  if (key !== undefined) return [`${namespace} ${decodeURIComponent(key)}`];
  const [, bulk] = many.exec(path) ?? [];
  return bulk === undefined ? [] : listBulkKeys(call).map((name) => `${bulk} ${name}`);
}

function listBulkKeys({ body }: Call): string[] {
  if (!(body instanceof Uint8Array)) return [];
  try {
    const list: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return Array.isArray(list) ? list.map(readEntryKey) : [];
  } catch {
    // An invalid body counts as no keys, because the route refuses it.
    return [];
  }
}
