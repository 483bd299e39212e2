import { plainName } from '../../model/dns/dns.ts';
import type { StoredRecord } from '../../store/zones/dns-records.ts';
import { plainText } from '../http/exchange.ts';
import { isDescending, wordOf } from '../http/paging.ts';

/** Whether a record is asked for. */
type Test = (record: StoredRecord) => boolean;

/** The fields that a list of records can be filtered by, as texts; a comment that there is none of is undefined. */
const fields: Readonly<Record<string, (record: StoredRecord) => string | undefined>> = {
  type: ({ type }) => type,
  name: ({ name }) => name,
  content: ({ content }) => content,
  proxied: ({ proxied }) => String(proxied),
  comment: ({ more }) => (typeof more['comment'] === 'string' ? more['comment'] : undefined),
};

/**
 * The records that a query asks for: by fields, exactly or by `.contains`, `.startswith`, `.endswith` (of a comment also
 * `.present` and `.absent`), by `tag`, and by `search` in any of them. With `match=any` one condition suffices. Case is ignored, and a
 * name may end in a dot.
 */
export function recordFilter(query: URLSearchParams): Test {
  const tests = [...query].flatMap(([key, value]) => testOf(key, value) ?? []);
  const any = wordOf(query, 'match', ['all', 'any']) === 'any';
  if (tests.length === 0) return () => true;
  return (record) => (any ? tests.some((test) => test(record)) : tests.every((test) => test(record)));
}

function testOf(key: string, value: string): Test | undefined {
  const [field = '', way = 'exact'] = key.split('.');
  const wanted = field === 'name' ? plainName(value) : value.toLowerCase();
  if (key === 'search')
    return (record) => Object.values(fields).some((read) => low(read(record)).includes(wanted));
  if (key === 'tag') return (record) => tagsOf(record).includes(wanted);
  const read = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (read === undefined) return undefined;
  if (field !== 'content') return (record) => compare(read(record)?.toLowerCase(), way, wanted);
  // A name in a content may be asked for with the dot that ends it.
  const plain = wanted.replace(/\.$/, '');
  return ({ content }) => [wanted, plain].some((one) => compare(content.toLowerCase(), way, one));
}

function compare(actual: string | undefined, way: string, wanted: string): boolean {
  switch (way) {
    case 'present':
      return actual !== undefined;
    case 'absent':
      return actual === undefined;
    case 'contains':
      return actual?.includes(wanted) === true;
    case 'startswith':
      return actual?.startsWith(wanted) === true;
    case 'endswith':
      return actual?.endsWith(wanted) === true;
    default:
      return actual === wanted;
  }
}

function low(text: string | undefined): string {
  return (text ?? '').toLowerCase();
}

function tagsOf({ more }: StoredRecord): readonly string[] {
  const tags = more['tags'];
  return Array.isArray(tags) ? tags.map((tag) => plainText(tag).toLowerCase()) : [];
}

/** The order that a query asks for; that of their creation where it asks for none. */
export function recordOrder(query: URLSearchParams): (left: StoredRecord, right: StoredRecord) => number {
  const field = wordOf(query, 'order', ['type', 'name', 'content', 'ttl', 'proxied']);
  const turn = isDescending(query) ? -1 : 1;
  if (field === undefined) return () => 0;
  return (left, right) => {
    if (field === 'ttl') return turn * (left.ttl - right.ttl);
    const [one, other] = [String(left[field]), String(right[field])];
    return turn * (one < other ? -1 : one > other ? 1 : 0);
  };
}
