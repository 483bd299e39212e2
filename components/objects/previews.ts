import type { Bucket } from '../../src/model/objects/bucket.ts';
import type { ObjectEntry } from '../../src/model/objects/object.ts';
import { Problem } from '../../src/model/problem.ts';
import { escapeText } from '../../src/text/escape.ts';
import { formatSize } from '../../src/text/size.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { bytesContent } from '../ui/preview/bytes-content.ts';
import type { Previewed } from '../ui/preview/previewed.ts';
import { type Entry, entryLines } from '../ui/viewer/entries.ts';
import { type ObjectRow, toRows } from './rows.ts';

/** Number of bytes that a preview reads of an object: more than a screen shows. */
const startBytes = 16 * 1024;

/** Number of entries that the preview of a folder lists. */
const firstEntries = 100;

type Parts = Pick<PaneParts, 'services'>;

/** Shows the start of an object, or the first entries of a folder. */
export function objectPreview({ name: bucket }: Bucket, row: ObjectRow, parts: Parts): Previewed {
  if (row.entry === undefined) return folderPreview(bucket, row.key, parts);
  const { key, size } = row.entry;
  return {
    id: `object ${bucket} ${key}`,
    title: row.name === '' ? key : row.name,
    async read(signal) {
      const bytes = await requireService(parts, 'objects').readHead({ bucket, key }, startBytes, signal);
      if (bytes === undefined) throw new Problem('not-found', 'This object was deleted.');
      return bytesContent(bytes, { size, ...previewType(row.entry) });
    },
  };
}

function previewType(entry: ObjectEntry | undefined): { readonly words?: string } {
  const type = entry?.httpMetadata.contentType;
  return type === undefined ? {} : { words: escapeText(type) };
}

/** Shows the metadata of a bucket, and its first objects and folders. */
export function bucketPreview(bucket: Bucket, parts: Parts): Previewed {
  return folderPreview(bucket.name, '', parts, bucketEntries(bucket));
}

function bucketEntries({ createdOn, location, storageClass, jurisdiction }: Bucket): Entry[] {
  const facts = [
    ['created', Date.parse(createdOn ?? '') > 0 ? createdOn : undefined],
    ['location', location],
    ['storage class', storageClass],
    ['jurisdiction', jurisdiction],
  ] as const;
  return facts.flatMap(([name, value]): Entry[] =>
    value === undefined ? [] : [{ text: `${name.padEnd(13)} ${value}`, role: 'dim' }],
  );
}

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
      const pages = requireService(parts, 'objects').list(bucket, {
        prefix: folder,
        limit: firstEntries,
        signal,
      });
      const page = await pages.next();
      await pages.return(undefined);
      const rows = page.done === true ? [] : toRows(folder, page.value);
      const entries = rows.map(({ name, entry }) => ({
        text: `${entry === undefined ? 'folder' : formatSize(entry.size).padStart(6)}  ${escapeText(name)}`,
      }));
      const counts =
        rows.length < firstEntries
          ? `${rows.length} ${rows.length === 1 ? 'entry' : 'entries'}`
          : `first ${rows.length}`;
      return { counts, lines: (surface) => entryLines([...before, ...entries], surface) };
    },
  };
}
