import type { Bucket } from '../../src/model/objects/bucket.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import { byName, nameColumn, type RowKind } from '../ui/lists/row-kind.ts';
import { isAboutBucket } from '../ui/tasks/ends.ts';

export const bucketColumns = declareColumns<Bucket>()(
  { CREATED: ({ createdOn }) => createdOn, LOCATION: ({ location }) => location },
  nameColumn('NAME'),
);

const bucketKind: RowKind<Bucket> = {
  ...byName,
  sorts: bucketColumns.sorts,
};

/** Returns the list of the account's buckets. */
export function bucketList(parts: PaneParts): ListController<Bucket> {
  const objects = requireService(parts, 'objects');
  return new ListController<Bucket>(parts, {
    place: { kind: 'buckets' },
    kind: bucketKind,
    whole: true,
    // Each additional jurisdiction requires one listing request.
    extraRequests: 3,
    pages: (_, signal) => objects.listBuckets(signal),
    rowChange: (change) =>
      change.changed === 'bucket' ? { id: change.name, row: change.bucket } : undefined,
    tasks: { isAbout: (task) => isAboutBucket(task, undefined), changes: () => true },
  });
}
