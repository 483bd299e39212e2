import type { KeyEntry, Namespace } from '../../src/model/kv/kv.ts';
import { Problem } from '../../src/model/problem.ts';
import { markText } from '../../src/text/mark.ts';
import { groupDigits } from '../../src/text/size.ts';
import { closeDuration, utcMinute } from '../../src/text/time.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { bytesContent } from '../ui/preview/bytes-content.ts';
import { entriesContent, stackLines } from '../ui/preview/entries-content.ts';
import type { Previewed } from '../ui/preview/previewed.ts';
import { type Entry, entryLines, factEntries, headingEntry } from '../ui/viewer/entries.ts';
import { jsonStretches } from '../ui/viewer/json-source.ts';
import { metadataCell, metadataLines } from './metadata.ts';
import { formatExpiry } from './value.ts';

/** Number of bytes of a value that a preview reads: more than a screen shows. */
const startBytes = 64 * 1024;

/** Number of keys that the preview of a namespace reads (in one request), and number of keys that the preview lists. */
const keyCounts = { read: 1000, listed: 100 } as const;

/** Maximum number of rows for key groups, and for keys that expire next, in the preview of a namespace. */
const maxSummaryRows = 8;

type Parts = Pick<PaneParts, 'services' | 'world'>;

/** Returns the preview of a key: its facts, and the beginning of its value. */
export function valuePreview(
  namespace: Namespace,
  entry: KeyEntry,
  { services: { kv }, world }: Parts,
): Previewed {
  const { name, expiration, metadata } = entry;
  return {
    id: `value ${namespace.id} ${name} ${JSON.stringify([expiration, metadata])}`,
    title: name,
    async read(signal) {
      const start = await kv.readValueStart(namespace.id, name, startBytes, signal);
      if (start === undefined) throw new Problem('not-found', 'This key was deleted or has expired.');
      const content = bytesContent(start.bytes, { size: start.isWhole ? start.bytes.length : undefined });
      const facts = [...shortFacts(entry, world.now()), { text: '' }];
      return {
        ...content,
        lines: (surface, hasDetails) =>
          stackLines(entryLines(facts, surface), content.lines(surface, hasDetails)),
      };
    },
  };
}

/** Columns of the labels of a key's facts. */
export const factWidth = 10;

/** Returns the expiry and the metadata of a key, from its listing. `now` is in milliseconds. */
export function keyFacts({ expiration, metadata }: KeyEntry, now: number): Entry[] {
  const lines = metadataLines(metadata);
  return [
    ...factEntries('expires', expiryFact(expiration, now), { width: factWidth }),
    ...(expiration === undefined
      ? []
      : [{ text: utcMinute(expiration * 1000), indent: factWidth, role: 'dim' } as const]),
    ...(lines.length === 0
      ? factEntries('metadata', 'none', { width: factWidth })
      : metadataEntries(lines, factWidth)),
  ];
}

/** Returns the same facts as `keyFacts` in fewer lines, with metadata formatted as in the list of keys. */
function shortFacts({ expiration, metadata }: KeyEntry, now: number): Entry[] {
  return [
    ...factEntries(
      'expires',
      expiration === undefined ? 'never' : `${expiryFact(expiration, now)}, ${utcMinute(expiration * 1000)}`,
      { width: factWidth },
    ),
    ...factEntries('metadata', metadataCell(metadata) || 'none', { width: factWidth }),
  ];
}

/** Formats the time until a key expires, as in the list of keys. `now` is in milliseconds. */
function expiryFact(expiration: number | undefined, now: number): string {
  return expiration === undefined ? 'never' : formatExpiry(expiration, now);
}

/** Returns metadata in the colors of JSON, with its label. */
function metadataEntries(lines: readonly string[], width: number): Entry[] {
  return lines.map((line, index): Entry => {
    const label = (index === 0 ? 'metadata' : '').padEnd(width);
    const parts = () => [{ text: label, role: 'dim' } as const, ...jsonStretches(markText(line), true)];
    return { text: label + line, labelLength: width, labelRole: 'dim', parts };
  });
}

/** Returns the preview of a namespace: the number of keys, key groups, the keys that expire next, and the first keys. */
export function namespacePreview(namespace: Namespace, { services: { kv }, world }: Parts): Previewed {
  return {
    id: `keys ${namespace.id}`,
    title: namespace.title,
    async read(signal) {
      const pages = kv.listKeys(namespace.id, { prefix: '', limit: keyCounts.read, signal });
      const page = await pages.next();
      await pages.return(undefined);
      const keys = page.done === true ? [] : page.value;
      const isWhole = keys.length < keyCounts.read;
      const counts = isWhole ? countKeys(keys.length) : `first ${groupDigits(keys.length)} keys`;
      const width = 15;
      const restriction = factEntries('jurisdiction', namespace.jurisdiction, { width });
      if (keys.length === 0)
        return entriesContent({ counts, entries: [...restriction, { text: 'No keys.', role: 'dim' }] });
      return entriesContent({
        counts,
        entries: [
          ...factEntries('id', namespace.id, { width, isId: true }),
          ...restriction,
          ...factEntries(
            'keys',
            isWhole ? groupDigits(keys.length) : `${groupDigits(keys.length)} and more`,
            { width },
          ),
          ...factEntries('with metadata', groupDigits(keys.filter(hasMetadata).length), { width }),
          { text: '' },
          ...groupEntries(keys),
          ...expiryEntries(keys, world.now()),
        ],
        details: { title: 'First keys', isHeaded: true, entries: listedKeys(keys) },
      });
    },
  };
}

function listedKeys(keys: readonly KeyEntry[]): Entry[] {
  return keys.slice(0, keyCounts.listed).map(({ name }) => ({ text: name, indent: 2 }));
}

function hasMetadata({ metadata }: KeyEntry): boolean {
  return metadata !== undefined && metadata !== null;
}

function countKeys(count: number): string {
  return count === 1 ? '1 key' : `${groupDigits(count)} keys`;
}

/** Counts keys by their first part, up to the first `/` or `:`. Returns nothing if no key has a separator. */
function groupEntries(keys: readonly KeyEntry[]): Entry[] {
  const groups = Map.groupBy(keys, ({ name }) => /^[^/:]*[/:]/.exec(name)?.[0] ?? '');
  const ranked = [...groups].map(([prefix, { length }]) => ({ prefix, length }));
  ranked.sort((one, other) => other.length - one.length);
  if (ranked.every(({ prefix }) => prefix === '')) return [];
  const shown = ranked.slice(0, maxSummaryRows);
  const rest = ranked.slice(maxSummaryRows).reduce((sum, { length }) => sum + length, 0);
  return [
    headingEntry('Groups'),
    ...shown.map(({ prefix, length }) => countEntry(length, prefix === '' ? '(no group)' : prefix)),
    ...(rest === 0 ? [] : [countEntry(rest, '(other groups)')]),
    { text: '' },
  ];
}

function countEntry(count: number, text: string): Entry {
  const head = `${groupDigits(count).padStart(5)}  `;
  return { text: head + text, labelLength: head.length, labelRole: 'dim', indent: 2 };
}

function expiryEntries(keys: readonly KeyEntry[], now: number): Entry[] {
  const ending = keys.flatMap(({ name, expiration }) =>
    expiration === undefined ? [] : [{ name, expiration }],
  );
  if (ending.length === 0) return [];
  ending.sort((one, other) => one.expiration - other.expiration);
  return [
    headingEntry(`Expire next (${groupDigits(ending.length)} in all)`),
    ...ending.slice(0, maxSummaryRows).map(({ name, expiration }): Entry => {
      const left = expiration - now / 1000;
      const head = `${(left <= 0 ? 'now' : closeDuration(left)).padStart(5)}  `;
      return { text: head + name, labelLength: head.length, labelRole: 'dim', indent: 2 };
    }),
  ];
}
