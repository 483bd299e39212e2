import { type Bucket, bucketLocations, bucketNameFault } from '../../src/model/objects/bucket.ts';
import type { ObjectCount } from '../../src/services/objects/remove.ts';
import { escapeText } from '../../src/text/escape.ts';
import { formatSize, groupDigits } from '../../src/text/size.ts';
import type { FormDialog } from '../ui/forms/dialog.ts';
import { formValues, openForm } from '../ui/forms/form-state.ts';
import type { FormRead } from '../ui/lists/list-source.ts';

/** Commands of the pane to the services. */
export type BucketsCommand =
  | { readonly does: 'create'; readonly name: string; readonly location: string | undefined }
  | { readonly does: 'count'; readonly bucket: Bucket }
  | { readonly does: 'remove'; readonly bucket: Bucket };

/** A bucket, and what it held when it was asked whether to delete it. */
interface BucketSubject {
  readonly bucket: Bucket;
  readonly count: ObjectCount;
}

/** The list of buckets. */
export interface BucketParts {
  readonly row: Bucket;
  readonly command: BucketsCommand;
  readonly purpose: 'create' | 'remove';
  readonly subject: BucketSubject;
}

type BucketForm = FormDialog<BucketParts['purpose'], BucketSubject>;

/** The form of a new bucket. */
export function createForm(): BucketForm {
  const form = openForm('New bucket', [
    { name: 'name', label: 'Name', value: '', note: '3 to 63 lower-case letters, digits and hyphens.' },
    {
      name: 'location',
      label: 'Location',
      value: '',
      choices: [
        { value: '', label: 'wherever the platform likes' },
        ...bucketLocations.map((value) => ({ value, label: value })),
      ],
    },
  ]);
  return { kind: 'form', purpose: 'create', subject: undefined, form };
}

/** Asks for the name of a bucket before it is deleted, and says what it holds. */
export function removeForm(subject: BucketSubject): BucketForm {
  const { objects } = subject.count;
  const lines = [
    `It holds ${amountOf(subject.count)}. ${objects === 0 ? '' : 'All will be lost. There is no undo.'}`.trim(),
    'Type its name to delete it.',
  ];
  const field = { name: 'name', label: 'Name', value: '' };
  const form = openForm(`Delete the bucket ${escapeText(subject.bucket.name)}`, [field], lines);
  return { kind: 'form', purpose: 'remove', subject, form: { ...form, submit: 'delete', asks: true } };
}

/** A count in words: "no object", "12 objects (3.2 MiB)", "more than 10,000 objects". */
export function amountOf({ objects, bytes, more }: ObjectCount): string {
  if (objects === 0) return 'no object';
  const counted = `${groupDigits(objects)} ${objects === 1 ? 'object' : 'objects'}`;
  return more ? `more than ${counted}` : `${counted} (${formatSize(bytes)})`;
}

/** Reads a filled form: a command, or the faults by the names of the fields. */
export function readBucketForm({ subject, form }: BucketForm): FormRead<BucketParts> {
  const { name = '', location = '' } = formValues(form);
  if (subject !== undefined) {
    const { bucket } = subject;
    return name === escapeText(bucket.name)
      ? { command: { does: 'remove', bucket } }
      : { errors: { name: 'This is not its name.' } };
  }
  const fault = bucketNameFault(name);
  const wanted = location.trim().toLowerCase();
  const errors = {
    ...(fault === undefined ? {} : { name: `Not a name: ${fault}.` }),
    ...(wanted === '' || bucketLocations.includes(wanted) ? {} : { location: 'There is no such location.' }),
  };
  if (Object.keys(errors).length > 0) return { errors };
  return { command: { does: 'create', name, location: wanted === '' ? undefined : wanted } };
}
