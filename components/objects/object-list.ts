import type { MarkedObject } from '../../src/services/tasks/objects.ts';
import type { Change } from '../kit/changes.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import { countHiddenMarks, markedNames } from '../ui/lists/marks.ts';
import { findRow, type PagedList, pageLimit } from '../ui/lists/paged-list.ts';
import { byName, nameColumn, type RowKind } from '../ui/lists/row-kind.ts';
import { isAboutBucket } from '../ui/tasks/ends.ts';
import type { Chosen } from './chosen.ts';
import { type ObjectRow, toRow, toRows } from './rows.ts';

export type OpenObjects = Extract<OpenPane, { pane: 'objects' }>;

export type ObjectList = ListController<ObjectRow>;

export const declaredObjectColumns = declareColumns<ObjectRow>()(
  {
    SIZE: ({ entry }) => entry?.size,
    AGE: ({ entry }) => (entry === undefined ? undefined : -entry.uploaded),
    TYPE: ({ entry }) => entry?.httpMetadata.contentType,
    MODIFIED: 'unsorted',
    CLASS: ({ entry }) => entry?.storageClass,
    ETAG: ({ entry }) => entry?.etag,
  },
  nameColumn('NAME'),
);

/** The kind of rows for objects and folders. Folders have neither size nor age. */
const objectKind: RowKind<ObjectRow> = {
  ...byName,
  sorts: declaredObjectColumns.sorts,
};

/** Returns the list of a folder in a bucket: the objects and folders directly below its prefix. */
export function objectList({ bucket: { name: bucket }, folder }: OpenObjects, parts: PaneParts): ObjectList {
  const objects = requireService(parts, 'objects');
  return new ListController<ObjectRow>(parts, {
    place: { kind: 'objects', bucket, folder },
    kind: objectKind,
    whole: false,
    serverFilter: 'prefix',
    async *pages(prefix, signal) {
      const options = { prefix: `${folder}${prefix}`, limit: pageLimit, signal };
      for await (const page of objects.list(bucket, options)) yield toRows(folder, page);
    },
    rowChange: (change) =>
      change.changed === 'object' && change.bucket === bucket ? rowOfChange(folder, change) : undefined,
    tasks: {
      isAbout: (task) => isAboutBucket(task, bucket),
      changes: ({ work }) => work.does !== 'download',
    },
  });
}

/** Returns the row that a changed object affects; undefined if the object is outside the folder, or was deleted below a subfolder. */
export function rowOfChange(folder: string, { key, entry }: Extract<Change, { changed: 'object' }>) {
  const row = toRow(folder, key, entry);
  if (row === undefined) return undefined;
  if (entry !== undefined) return { id: row.name, row };
  return row.key === key ? { id: row.name, row: undefined } : undefined;
}

/** Returns the marked objects and folders, or otherwise the selected row; undefined if there is no row. */
export function chosenObjects(
  { bucket, folder }: OpenObjects,
  list: PagedList<ObjectRow>,
): Chosen | undefined {
  const marked = markedNames(list).map((name): MarkedObject => {
    const key = `${folder}${name}`;
    if (name.endsWith('/')) return { prefix: key };
    const size = findRow(list, name)?.entry?.size;
    return size === undefined ? { key } : { key, size };
  });
  return marked.length === 0
    ? undefined
    : { bucket: bucket.name, folder, marked, hidden: countHiddenMarks(list) };
}
