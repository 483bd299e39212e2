import { actionHandlers, listEquivalents } from '../kit/keys/action.ts';
import type { Situation } from '../kit/keys/shortcut.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { drawColumns } from '../ui/lists/declared-columns.ts';
import { ListPane } from '../ui/lists/ListPane.tsx';
import { bucketActions } from './bucket-actions.ts';
import { bucketColumns, bucketList } from './bucket-list.ts';
import { bucketPreview } from './previews.ts';

export const columnsOfBucket = drawColumns(bucketColumns, {
  CREATED: {
    width: 10,
    importance: 2,
    cell: ({ createdOn }) => formatDay(createdOn),
    role: () => 'dim',
  },
  LOCATION: {
    width: 8,
    importance: 1,
    cell: ({ location = '' }) => location,
    role: () => 'dim',
  },
});

/** Lists the account's object buckets. */
export function BucketsPane({ visible }: { visible: boolean }) {
  const parts = useConsole();
  const list = useController(() => bucketList(parts));
  const here = () => ({ bucket: list.selected, parts });
  return (
    <ListPane
      list={list}
      mode="buckets"
      visible={visible}
      rowNames={{ one: 'bucket', many: 'buckets' }}
      columns={() => columnsOfBucket}
      name={{ heading: 'NAME', cell: ({ name }) => name }}
      hasDetails
      readsBelow
      preview={(bucket) => bucketPreview(bucket, parts)}
      emptyWords={emptyText}
      equivalents={() => listEquivalents(bucketActions, here())}
      actions={() => actionHandlers(bucketActions, here(), list.take)}
    />
  );
}

/** Formats the day of an ISO 8601 time (UTC). Returns an empty string for an invalid time, and for the epoch, which local data uses. */
function formatDay(time: string | undefined): string {
  const milliseconds = Date.parse(time ?? '');
  return milliseconds > 0 ? new Date(milliseconds).toISOString().slice(0, 10) : '';
}

/** The text for an empty list of local buckets. A local bucket exists as soon as an object is stored in it. */
const noLocalBuckets = 'No buckets here: put an object with edgectl objstore object put BUCKET/KEY';

function emptyText({ readOnly, can }: Situation): string {
  if (can?.createBuckets === false) return noLocalBuckets;
  return readOnly ? 'No buckets.' : 'No buckets yet. Press n to create one.';
}
