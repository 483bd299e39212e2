import type { Bucket } from '../../src/model/objects/bucket.ts';
import { escapeText } from '../../src/text/escape.ts';
import { saving, starting } from '../kit/keys/busy.ts';
import { serviceOf } from '../kit/service-of.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import type { OwnActions } from '../ui/lists/list-action.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import type { ListOutcome } from '../ui/lists/list-source.ts';
import { byName, nameColumn, type RowKind } from '../ui/lists/row-kind.ts';
import { isAbout } from '../ui/tasks/ends.ts';
import {
  type BucketParts,
  type BucketsCommand,
  createForm,
  readBucketForm,
  removeForm,
} from './bucket-forms.ts';
import type { BucketsAction } from './keymap.ts';
import { startWords } from './work.ts';

export const bucketColumns = declareColumns<Bucket>()(
  { CREATED: ({ createdOn }) => createdOn, LOCATION: ({ location }) => location },
  nameColumn('NAME'),
);

const bucketKind: RowKind<Bucket> = {
  ...byName,
  sorts: bucketColumns.sorts,
};

/** The buckets of the account. */
export function bucketList(parts: PaneParts): ListController<BucketParts> {
  const objects = serviceOf(parts, 'objects');
  return new ListController<BucketParts>(parts, {
    place: { kind: 'buckets' },
    kind: bucketKind,
    whole: true,
    pages: (_, signal) => objects.listBuckets(signal),
    busyWith: { create: saving, count: { kind: 'reading', words: 'counting' }, remove: starting },
    carryOut: (command, signal) => carryOut(command, parts, signal),
    readForm: readBucketForm,
    rowOf: (change) => (change.changed === 'bucket' ? { id: change.name, row: change.bucket } : undefined),
    tasks: { isAbout: (task) => isAbout(task, undefined), changes: () => true },
  });
}

async function carryOut(
  command: BucketsCommand,
  parts: PaneParts,
  signal: AbortSignal,
): Promise<ListOutcome<BucketParts>> {
  const objects = serviceOf(parts, 'objects');
  switch (command.does) {
    case 'create': {
      const bucket = await objects.createBucket(command.name, { location: command.location }, signal);
      const change = { changed: 'bucket', name: bucket.name, bucket } as const;
      return { change, notice: `Created ${escapeText(bucket.name)}.`, unfilter: true };
    }
    case 'count': {
      const { bucket } = command;
      const count = await objects.count(bucket.name, '', signal);
      return { dialog: removeForm({ bucket, count }) };
    }
    case 'remove': {
      const { name } = command.bucket;
      await parts.tasks.start({ does: 'delete-bucket', bucket: name }, []);
      return { notice: startWords('Deleting', `the bucket ${escapeText(name)}`) };
    }
  }
}

/** Actions of the pane's keys. */
export function bucketActions(
  list: ListController<BucketParts>,
  parts: PaneParts,
): OwnActions<BucketsAction> {
  const bucket = list.selected;
  return {
    open: () => bucket && parts.open({ pane: 'objects', bucket, folder: '' }),
    create: () => list.ask(createForm()),
    remove: () => bucket && list.perform({ does: 'count', bucket }),
    copy: () => bucket && parts.notify(parts.copy(Buffer.from(bucket.name), 'the name')),
  };
}
