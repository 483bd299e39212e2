import { formatSize } from '../../src/text/size.ts';
import { compactDuration, utcMinute } from '../../src/text/time.ts';
import { actionHandlers, listEquivalents } from '../kit/keys/action.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { type DrawnColumn, type DrawnColumns, drawColumns } from '../ui/lists/declared-columns.ts';
import { ListPane } from '../ui/lists/ListPane.tsx';
import { markCount } from '../ui/lists/marks.ts';
import { objectActions } from './object-actions.ts';
import { chosenObjects, declaredObjectColumns, type OpenObjects, objectList } from './object-list.ts';
import { objectPreview } from './previews.ts';
import { isBeyondUndo } from './removal.ts';
import type { ObjectRow } from './rows.ts';

/** Lists a folder of a bucket: its subfolders, and its objects with size, age and content type. */
export function ObjectsPane({ opened, visible }: { opened: OpenObjects; visible: boolean }) {
  const parts = useConsole();
  const list = useController(() => objectList(opened, parts));
  const chosen = visible && markCount(list.list) < 2 ? chosenObjects(opened, list.list) : undefined;
  return (
    <ListPane
      list={list}
      mode="objects"
      visible={visible}
      rowNames={{ one: 'entry', many: 'entries' }}
      columns={objectColumns}
      name={{
        heading: 'NAME',
        cell: ({ name }) => (name === '' ? '(the folder itself)' : name),
        role: ({ entry }) => (entry === undefined ? 'badge' : 'plain'),
      }}
      hasDetails
      situation={{ beyondUndo: chosen !== undefined && isBeyondUndo(chosen) }}
      readsBelow
      preview={(row) => objectPreview(opened.bucket, row, parts)}
      emptyWords={({ readOnly }) => {
        const empty = `This ${opened.folder === '' ? 'bucket' : 'folder'} is empty`;
        return readOnly ? `${empty}.` : `${empty}. Press u to upload a file or a folder.`;
      }}
      equivalents={() => listEquivalents(objectActions, { list, opened, parts })}
      actions={() => actionHandlers(objectActions, { list, opened, parts }, list.take)}
    />
  );
}

/** The cell for the size and the age of a folder. To compute them, all objects in the folder would have to be listed. */
const unknown = '-';

/** Returns the columns after the name. `now` is in milliseconds. */
export function objectColumns(now: number): DrawnColumns<ObjectRow> {
  const size: DrawnColumn<ObjectRow> = {
    width: 6,
    importance: 6,
    align: 'right',
    cell: ({ entry }) => (entry === undefined ? unknown : formatSize(entry.size)),
    role: ({ entry }) => (entry === undefined ? 'dim' : 'plain'),
  };
  const age: DrawnColumn<ObjectRow> = {
    width: 5,
    importance: 5,
    align: 'right',
    cell: ({ entry }) => (entry === undefined ? unknown : compactDuration((now - entry.uploaded) / 1000)),
    role: () => 'dim',
  };
  const type: DrawnColumn<ObjectRow> = {
    width: 10,
    maxWidth: 28,
    beforePreview: 28,
    importance: 4,
    cell: ({ entry }) => (entry === undefined ? 'folder' : (entry.httpMetadata.contentType ?? '')),
    role: () => 'dim',
  };
  const modified: DrawnColumn<ObjectRow> = {
    width: 17,
    importance: 3,
    isExtra: true,
    cell: ({ entry }) => (entry === undefined ? unknown : utcMinute(entry.uploaded)),
    role: () => 'dim',
  };
  const storageClass: DrawnColumn<ObjectRow> = {
    width: 8,
    maxWidth: 16,
    importance: 2,
    isExtra: true,
    cell: ({ entry }) => entry?.storageClass ?? '',
    role: () => 'dim',
  };
  const etag: DrawnColumn<ObjectRow> = {
    width: 8,
    maxWidth: 34,
    importance: 1,
    isExtra: true,
    cell: ({ entry }) => entry?.etag ?? '',
    role: () => 'dim',
  };
  return drawColumns(declaredObjectColumns, {
    TYPE: type,
    SIZE: size,
    AGE: age,
    MODIFIED: modified,
    CLASS: storageClass,
    ETAG: etag,
  });
}
