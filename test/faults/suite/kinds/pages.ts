import type { Passing } from '../../../support/proxy.ts';
import { type Fault, type Kind, rewritten } from '../fault.ts';

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the items of an answer that is a list. */
function getItems({ result }: Json): readonly unknown[] | undefined {
  if (Array.isArray(result)) return result;
  const lists = isRecord(result) ? Object.values(result).filter(Array.isArray) : [];
  return lists[0];
}

function withItems(
  { result, ...rest }: Json,
  change: (items: readonly unknown[]) => readonly unknown[],
): Json {
  if (Array.isArray(result)) return { ...rest, result: change(result) };
  const lists = Object.entries(isRecord(result) ? result : {}).map(([name, value]) => [
    name,
    Array.isArray(value) ? change(value) : value,
  ]);
  return { ...rest, result: Object.fromEntries(lists) };
}

/** Returns different items on each page: each string contains the number of the page. */
function renewed(envelope: Json, step: number): Json {
  const other = (item: unknown): unknown =>
    isRecord(item)
      ? Object.fromEntries(
          Object.entries(item).map(([name, value]) => [
            name,
            ['id', 'name', 'key', 'title'].includes(name) ? `${value}${step}` : value,
          ]),
        )
      : item;
  return withItems(envelope, (items) => items.map(other));
}

const report = (envelope: Json, info: Json): Json => ({ ...envelope, result_info: info });
const listed = ({ result_info: _, ...envelope }: Json, info?: Json): Json =>
  info === undefined ? envelope : report(envelope, info);

/** Returns true if the command requested a second page, which shows that it needs the whole list. */
function isFollowed(asked: readonly Passing[]): boolean {
  return asked.some(({ path }) => /[?&](?:cursor=|page=(?:[2-9]|1\d))/.test(path));
}

/** Returns a fault that modifies the pages of a list. A command that reads only one page of the list may succeed. */
function endless(
  name: string,
  change: (envelope: Json, step: number) => Json,
  concerns: (envelope: Json) => boolean = () => true,
): Fault {
  return rewritten(name, change, {
    mayPass: (_, asked) => !isFollowed(asked),
    concerns: (envelope) => (getItems(envelope)?.length ?? 0) > 0 && concerns(envelope),
  });
}

/** Returns true if the pages of a list are linked by cursors instead of numbered. */
function isLinked({ result_info: info }: Json): boolean {
  return !isRecord(info) || info['page'] === undefined;
}

/** Lists that never end, or that end at a different page than the server announced. */
export const pageKinds: readonly Kind[] = [
  {
    name: 'numbered pages that are always the same',
    faults: [
      endless('total_pages of 1e9', (envelope) => report(envelope, { page: 1, total_pages: 1e9 })),
      endless('total_count of 1e9', (envelope) => report(envelope, { total_count: 1e9 })),
      endless('a total for each page', (envelope, step) =>
        report(envelope, { page: step, total_pages: step + 1 }),
      ),
      endless('full pages without totals', (envelope) =>
        report(envelope, { per_page: getItems(envelope)?.length ?? 1 }),
      ),
      endless('no paging facts', (envelope) => listed(envelope)),
    ],
  },
  {
    name: 'endless cursors',
    faults: [
      endless('the same cursor', (envelope) => report(envelope, { cursor: 'same' })),
      endless(
        'two alternating cursors',
        (envelope, step) => report(renewed(envelope, step), { cursor: `c${step % 2}` }),
        isLinked,
      ),
      endless('always new cursors, the same page', (envelope, step) =>
        report(envelope, { cursor: `c${step}` }),
      ),
      endless('a cursor and totals', (envelope, step) =>
        report(envelope, { cursor: `c${step}`, total_pages: 1, total_count: 1 }),
      ),
      endless('truncated without a cursor', (envelope) => report(envelope, { is_truncated: true })),
    ],
  },
  {
    name: 'pages that are counted but missing',
    faults: [
      endless('empty after the first', (envelope, step) =>
        report(
          withItems(envelope, (items) => (step === 1 ? items : [])),
          { total_pages: 1e9, total_count: 1e9 },
        ),
      ),
      endless('wrong types', (envelope) =>
        report(envelope, { page: '1', per_page: {}, total_pages: 'many', total_count: [], cursor: 7 }),
      ),
      endless('negative totals', (envelope) =>
        report(envelope, { page: -1, per_page: -1, total_pages: -1, total_count: -1 }),
      ),
    ],
  },
];

/**
 * Faults for the soak tests: endless lists in which every page has new items. Only a limit distinguishes these lists
 * from long lists.
 */
export const longKinds: readonly Kind[] = [
  {
    name: 'always new pages',
    faults: [
      endless('with totals', (envelope, step) => report(renewed(envelope, step), { total_pages: 1e9 })),
      endless('with cursors', (envelope, step) => report(renewed(envelope, step), { cursor: `c${step}` })),
      endless('empty pages with cursors', (envelope, step) =>
        report(
          withItems(envelope, () => []),
          { cursor: `c${step}` },
        ),
      ),
    ],
  },
];
