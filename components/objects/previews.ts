import type { Bucket } from '../../src/model/objects/bucket.ts';
import type { ObjectEntry } from '../../src/model/objects/object.ts';
import { asProblem, isProblem, Problem } from '../../src/model/problem.ts';
import { formatSize, groupDigits } from '../../src/text/size.ts';
import { relativeTime, utcMinute } from '../../src/text/time.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { bytesContent, dumpLines } from '../ui/preview/bytes-content.ts';
import { entriesContent, stackLines } from '../ui/preview/entries-content.ts';
import type { Previewed } from '../ui/preview/previewed.ts';
import { type Entry, entryLines, factEntries, headingEntry } from '../ui/viewer/entries.ts';
import { type ObjectRow, toRows } from './rows.ts';

/** Number of bytes of an object that a preview reads: more than a screen shows. */
const startBytes = 16 * 1024;

/** Number of entries that the preview of a folder lists. */
const firstEntries = 100;

type Parts = Pick<PaneParts, 'services' | 'world'>;

/** Returns the preview of a row: the facts about an object and its beginning, or the first entries of a folder. */
export function objectPreview({ name: bucket }: Bucket, row: ObjectRow, parts: Parts): Previewed {
  if (row.entry === undefined) return folderPreview(bucket, row.key, parts);
  const { key, size } = row.entry;
  return {
    id: `object ${bucket} ${key} ${row.entry.etag}`,
    title: row.name === '' ? key : row.name,
    async read(signal) {
      const bytes = await requireService(parts, 'objects').readHead({ bucket, key }, startBytes, signal);
      if (bytes === undefined) throw new Problem('not-found', 'This object was deleted.');
      const content = bytesContent(bytes, { size, ...previewType(row.entry) });
      const facts = row.entry === undefined ? [] : objectFacts(row.entry, parts.world.now());
      return {
        ...content,
        lines: (surface, hasDetails) =>
          hasDetails
            ? content.lines(surface, hasDetails)
            : stackLines(entryLines([...facts, { text: '' }], surface), content.lines(surface, hasDetails)),
        details: {
          title: 'Details',
          lines: (surface) =>
            content.isHex === true
              ? entryLines(facts, surface)
              : stackLines(entryLines([...facts, { text: '' }], surface), dumpLines(bytes, surface)),
        },
      };
    },
  };
}

function previewType(entry: ObjectEntry | undefined): { readonly words?: string } {
  const type = entry?.httpMetadata.contentType;
  return type === undefined ? {} : { words: type };
}

/** Returns the preview of a bucket: its metadata, and its first objects and folders. */
export function bucketPreview(bucket: Bucket, parts: Parts): Previewed {
  return folderPreview(bucket.name, '', parts, bucketEntries(bucket, parts.world.now()));
}

/** Returns the facts about an object from its listing. `now` is in milliseconds. */
function objectFacts({ size, etag, uploaded, httpMetadata, ...rest }: ObjectEntry, now: number): Entry[] {
  const { contentType, contentDisposition, contentEncoding, contentLanguage, cacheControl, cacheExpiry } =
    httpMetadata;
  const custom = Object.entries(rest.customMetadata);
  const width = Math.max(0, ...custom.map(([name]) => name.length)) + 2;
  return [
    ...factEntries(
      'size',
      size < 1024 ? formatSize(size) : `${formatSize(size)}, ${groupDigits(size)} bytes`,
    ),
    ...factEntries('uploaded', `${utcMinute(uploaded)}, ${relativeTime((uploaded - now) / 1000)}`),
    ...factEntries('type', contentType),
    ...factEntries('cache', cacheControl),
    ...factEntries('cached until', cacheExpiry === undefined ? undefined : utcMinute(cacheExpiry)),
    ...factEntries('disposition', contentDisposition),
    ...factEntries('encoding', contentEncoding),
    ...factEntries('language', contentLanguage),
    ...factEntries('class', rest.storageClass),
    ...factEntries('etag', etag, { isId: true, isCut: true }),
    ...(custom.length === 0 ? [] : [{ text: '' }, headingEntry('Custom metadata')]),
    // A custom name can have any length, so it is part of the text, not a label of fixed width.
    ...custom.map(
      ([name, value]): Entry => ({ text: `${name.padEnd(Math.min(width, 20))}${value}`, indent: 2 }),
    ),
  ];
}

function bucketEntries({ createdOn, location, storageClass, jurisdiction }: Bucket, now: number): Entry[] {
  const created = Date.parse(createdOn ?? '');
  return [
    ...factEntries(
      'created',
      created > 0 ? `${utcMinute(created)}, ${relativeTime((created - now) / 1000)}` : undefined,
    ),
    ...factEntries('location', location),
    ...factEntries('class', storageClass),
    ...factEntries('jurisdiction', jurisdiction),
  ];
}

/** Summarizes the rows of a folder in one line. `now` is in milliseconds. */
function describeRows(rows: readonly ObjectRow[], isWhole: boolean, now: number): string {
  const objects = rows.flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
  const folders = rows.length - objects.length;
  const bytes = objects.reduce((sum, { size }) => sum + size, 0);
  const newest = Math.max(0, ...objects.map(({ uploaded }) => uploaded));
  const more = isWhole ? '' : ' and more';
  return [
    ...(folders === 0 ? [] : [`${count(folders, 'folder')}${more}`]),
    `${count(objects.length, 'object')}${more}`,
    ...(objects.length === 0 ? [] : [`${formatSize(bytes)}${more}`]),
    ...(newest === 0 ? [] : [`newest ${relativeTime((newest - now) / 1000)}`]),
  ].join(' · ');
}

function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${groupDigits(number)} ${number === 1 ? noun : plural}`;
}

/** Returns the preview of a folder: its entries, and the beginning of its newest object. */
function folderPreview(
  bucket: string,
  folder: string,
  parts: Parts,
  before: readonly Entry[] = [],
): Previewed {
  return {
    id: `folder ${bucket} ${folder}`,
    title: folder === '' ? bucket : folder,
    async read(signal) {
      const objects = requireService(parts, 'objects');
      const pages = objects.list(bucket, { prefix: folder, limit: firstEntries, signal });
      const page = await pages.next();
      await pages.return(undefined);
      const rows = page.done === true ? [] : toRows(folder, page.value);
      const isWhole = rows.length < firstEntries;
      const newest = rows
        .flatMap(({ entry }) => (entry === undefined ? [] : [entry]))
        .reduce<ObjectEntry | undefined>(
          (one, other) => (one === undefined || other.uploaded > one.uploaded ? other : one),
          undefined,
        );
      // If reading the newest object fails, the problem is shown instead of the object's content, and the entries stay.
      const head =
        newest && (await objects.readHead({ bucket, key: newest.key }, startBytes, signal).catch(asProblem));
      const entries = [
        ...before,
        ...(before.length === 0 ? [] : [{ text: '' }]),
        { text: describeRows(rows, isWhole, parts.world.now()), role: 'dim' } as const,
        ...listedEntries(rows),
      ];
      const list = entriesContent({
        counts: isWhole ? count(rows.length, 'entry', 'entries') : `first ${rows.length}`,
        entries,
      });
      if (newest === undefined || head === undefined) return list;
      const content = isProblem(head)
        ? entriesContent({ entries: [{ text: head.message, role: 'fault' }] })
        : bytesContent(head, { size: newest.size, ...previewType(newest) });
      const title = `Newest: ${newest.key.slice(folder.length)}`;
      return {
        ...list,
        lines: (surface, hasDetails) =>
          hasDetails
            ? list.lines(surface, hasDetails)
            : stackLines(
                entryLines([...entries, { text: '' }, headingEntry(title)], surface),
                content.lines(surface, hasDetails),
              ),
        details: {
          title,
          ...(content.counts !== undefined && { counts: content.counts }),
          lines: (surface) => content.lines(surface, true),
        },
      };
    },
  };
}

function listedEntries(rows: readonly ObjectRow[]): Entry[] {
  return rows.map(({ name, entry }): Entry => {
    const head = `${(entry === undefined ? '' : formatSize(entry.size)).padStart(8)}  `;
    return {
      text: head + name,
      labelLength: head.length,
      labelRole: 'dim',
      role: entry === undefined ? 'title' : 'plain',
    };
  });
}
