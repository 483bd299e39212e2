import { bucketJurisdictions } from '../../src/model/jurisdiction.ts';
import {
  type Bucket,
  bucketLocations,
  bucketNameFault,
  storageClasses,
} from '../../src/model/objects/bucket.ts';
import { bucketDelete, bucketList, objectList } from '../../src/services/equivalents/objects.ts';
import type { ObjectCount } from '../../src/services/objects/remove.ts';
import type { PaneAction } from '../kit/keys/action.ts';
import { saving, starting } from '../kit/keys/busy.ts';
import {
  cannotWrite,
  cannotWriteSelected,
  moveShortcuts,
  noSelection,
  withoutCapability,
} from '../kit/keys/conditions.ts';
import { filterShortcuts } from '../kit/keys/finding.ts';
import type { Situation } from '../kit/keys/shortcut.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import {
  type ActionResult,
  type FormValues,
  formDialog,
  type Submitted,
  type Work,
} from '../ui/forms/dialog.ts';
import { openForm } from '../ui/forms/form-state.ts';
import { jurisdictionFault, jurisdictionField } from '../ui/forms/jurisdiction-field.ts';
import { isTypedName } from '../ui/forms/typed-name.ts';
import { formatAmount } from './chosen.ts';
import { startNotice } from './task-start.ts';

/** The input of the actions: the selected bucket, and the parts of the pane. */
interface Here {
  readonly bucket: Bucket | undefined;
  readonly parts: PaneParts;
}

/** The actions of the list of buckets. */
export const bucketActions: ReadonlyArray<PaneAction<Here, ActionResult>> = [
  {
    does: 'open',
    press: ['enter', 'right', 'l'],
    label: 'objects',
    about: 'List the objects of the bucket',
    unless: noSelection,
    run: ({ bucket }) => bucket && { opens: { pane: 'objects', bucket, folder: '' } },
    equivalents: ({ bucket }) => (bucket ? [objectList(bucket.name, '')] : []),
  },
  {
    does: 'create',
    press: ['n'],
    label: 'new',
    about: 'Create a bucket',
    unless: creates,
    run: ({ parts }) => ({ dialog: createForm((wanted) => creating(wanted, parts)) }),
  },
  {
    does: 'remove',
    press: ['d'],
    label: 'delete',
    about: 'Delete the bucket with all its objects, as a task; shows their number and asks for the name',
    danger: 'permanent',
    unless: cannotWriteSelected,
    run: ({ bucket, parts }) => bucket && counting(bucket, parts),
    equivalents: ({ bucket }) => (bucket ? [bucketDelete(bucket.name)] : []),
  },
  ...filterShortcuts,
  {
    does: 'copy',
    press: ['y'],
    label: 'copy name',
    about: 'Copy the name of the bucket',
    unless: noSelection,
    run: ({ bucket, parts }) => bucket && { notice: parts.copy(Buffer.from(bucket.name), 'the name') },
  },
  {
    does: 'refresh',
    press: ['r'],
    label: 'reload',
    about: 'Reload the list and keep the selection',
    equivalents: () => [bucketList],
  },
  { does: 'back', press: ['esc'], label: 'back', about: 'Clear the filter', quiet: true },
  ...moveShortcuts,
];

/** Returns why a bucket cannot be created; false if it can be created. Local buckets exist only while they contain objects. */
function creates(situation: Situation): string | false {
  return withoutCapability(situation, 'createBuckets') || cannotWrite(situation);
}

interface NewBucket {
  readonly name: string;
  readonly location: string | undefined;
  readonly storageClass: string | undefined;
  readonly jurisdiction: string | undefined;
}

function creating({ name, ...options }: NewBucket, parts: PaneParts): Work {
  return {
    busy: saving,
    async run(signal) {
      const bucket = await requireService(parts, 'objects').createBucket(name, options, signal);
      const change = { changed: 'bucket', name: bucket.name, bucket } as const;
      return { change, notice: `Created ${bucket.name}.`, unfilter: true };
    },
  };
}

function counting(bucket: Bucket, parts: PaneParts): Work {
  return {
    busy: { kind: 'reading', words: 'counting' },
    async run(signal) {
      const count = await requireService(parts, 'objects').count(bucket.name, '', signal);
      return { dialog: removeForm(bucket, count, removing(bucket, parts)) };
    },
  };
}

function removing({ name }: Bucket, parts: PaneParts): Work {
  return {
    busy: starting,
    async run() {
      await parts.tasks.start({ does: 'delete-bucket', bucket: name }, []);
      return { notice: startNotice('Deleting', `the bucket ${name}`) };
    },
  };
}

/** Returns the form for a new bucket. */
export function createForm(create: (wanted: NewBucket) => Work) {
  const form = openForm('New bucket', [
    {
      name: 'name',
      label: 'Name',
      value: '',
      note: '3 to 63 lower-case letters, digits and hyphens.',
    },
    {
      name: 'location',
      label: 'Location',
      value: '',
      choices: [
        { value: '', label: 'chosen by the platform' },
        ...bucketLocations.map((value) => ({ value, label: value })),
      ],
    },
    {
      name: 'storageClass',
      label: 'Storage class',
      value: '',
      choices: [
        { value: '', label: "the platform's default" },
        ...storageClasses.map((value) => ({ value, label: value })),
      ],
    },
    jurisdictionField(bucketJurisdictions),
  ]);
  return formDialog(form, (values: FormValues): Submitted => {
    const { name = '', location = '', storageClass = '', jurisdiction = '' } = values;
    const fault = bucketNameFault(name);
    const place = jurisdictionFault(jurisdiction, bucketJurisdictions);
    const wanted = location.trim().toLowerCase();
    const errors = {
      ...(fault === undefined ? {} : { name: `Not a valid name: ${fault}.` }),
      ...(wanted === '' || bucketLocations.includes(wanted) ? {} : { location: 'Unknown location.' }),
      ...(storageClass === '' || storageClasses.includes(storageClass)
        ? {}
        : { storageClass: `Must be one of ${storageClasses.join(', ')}.` }),
      ...(place !== undefined && { jurisdiction: place }),
    };
    if (Object.keys(errors).length > 0) return { errors };
    return {
      work: create({
        name,
        location: wanted || undefined,
        storageClass: storageClass || undefined,
        jurisdiction: jurisdiction || undefined,
      }),
    };
  });
}

/** Asks for the name of a bucket before deleting the bucket. Shows the number and size of its objects. */
export function removeForm(bucket: Bucket, count: ObjectCount, remove: Work) {
  const lines = [
    count.objects === 0 ? 'The bucket is empty.' : `${formatAmount(count)} will be lost with the bucket.`,
    'Type the name of the bucket to delete it.',
  ];
  const field = { name: 'name', label: 'Name', value: '' };
  const form = openForm(`Delete the bucket ${bucket.name}`, [field], lines);
  return formDialog({ ...form, submit: 'delete', danger: 'permanent' }, ({ name }: FormValues) =>
    isTypedName(name, bucket.name) ? { work: remove } : { errors: { name: 'The name does not match.' } },
  );
}
