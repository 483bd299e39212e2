import { type Bucket, bucketLocations, bucketNameFault } from '../../src/model/objects/bucket.ts';
import type { Problem } from '../../src/model/problem.ts';
import type { ObjectCount } from '../../src/services/objects/remove.ts';
import { escapeText } from '../../src/text/escape.ts';
import { formatSize, groupDigits } from '../../src/text/size.ts';
import { type Dialog, whileCarriedOut } from '../forms/dialog.ts';
import { type FormEvent, formValues, openForm, reduceForm } from '../forms/form-state.ts';
import { atStart, type Cursor, type Move, moveCursor, putCursor } from '../lists/cursor.ts';

/** What the pane asks the services for. */
export type BucketsCommand =
  | { readonly does: 'list' }
  | { readonly does: 'create'; readonly name: string; readonly location: string | undefined }
  | { readonly does: 'count'; readonly bucket: Bucket }
  | { readonly does: 'remove'; readonly bucket: Bucket };

/** A bucket, and what it held when it was asked whether to delete it. */
interface BucketSubject {
  readonly bucket: Bucket;
  readonly count: ObjectCount;
}

export type BucketsDialog = Dialog<BucketsCommand, 'create' | 'remove', BucketSubject>;

export interface BucketsState {
  readonly buckets: readonly Bucket[];
  /** Whether more of the list is on its way. */
  readonly loading: boolean;
  readonly stopped: boolean;
  readonly cursor: Cursor;
  readonly contains: string;
  /** What is under way, in words. */
  readonly busy?: string | undefined;
  readonly dialog?: BucketsDialog | undefined;
}

export type BucketsEvent =
  | { readonly type: 'moved'; readonly move: Move; readonly height: number }
  | { readonly type: 'asked'; readonly dialog: BucketsDialog }
  | { readonly type: 'closed' | 'kept' | 'unfiltered' }
  | { readonly type: 'filtered'; readonly text: string }
  | { readonly type: 'form'; readonly event: FormEvent }
  | { readonly type: 'begun'; readonly command: BucketsCommand }
  /** Lists again beside whatever stands before the pane. */
  | { readonly type: 'stale' }
  | { readonly type: 'started' }
  | { readonly type: 'listed'; readonly buckets: readonly Bucket[]; readonly complete: boolean }
  | { readonly type: 'created'; readonly bucket: Bucket }
  | { readonly type: 'failed'; readonly problem: Problem; readonly command: BucketsCommand };

export const noBuckets: BucketsState = {
  buckets: [],
  loading: true,
  stopped: false,
  cursor: atStart,
  contains: '',
};

/** The state after an event. */
export function reduceBuckets(state: BucketsState, event: BucketsEvent): BucketsState {
  switch (event.type) {
    case 'moved': {
      const length = shownBuckets(state).length;
      return { ...state, cursor: moveCursor(state.cursor, event.move, length, event.height) };
    }
    case 'asked':
      return { ...state, busy: undefined, dialog: event.dialog };
    case 'closed':
      return filter({ ...state, dialog: undefined }, state.dialog?.kind === 'filter' ? '' : state.contains);
    case 'kept':
      return { ...state, dialog: undefined };
    case 'filtered':
      return filter({ ...state, dialog: { kind: 'filter', text: event.text } }, event.text);
    case 'unfiltered':
      return filter(state, '');
    case 'form':
      return changeForm(state, event.event);
    default:
      return reduceAnswer(state, event);
  }
}

type Answer = Exclude<
  BucketsEvent,
  { type: 'moved' | 'asked' | 'filtered' | 'form' } | { type: 'closed' | 'kept' | 'unfiltered' }
>;

function reduceAnswer(state: BucketsState, event: Answer): BucketsState {
  switch (event.type) {
    case 'begun':
      return begin(state, event.command);
    case 'stale':
      return { ...state, loading: true, stopped: false };
    case 'started':
      return settled(state);
    case 'listed': {
      const kept = event.complete || event.buckets.length >= state.buckets.length;
      const buckets = kept ? event.buckets : state.buckets;
      return select({ ...state, buckets, loading: !event.complete }, selectedBucket(state));
    }
    case 'created': {
      const buckets = [...without(state.buckets, event.bucket), event.bucket].toSorted(byName);
      return select({ ...settled(state), buckets, contains: '' }, event.bucket);
    }
    case 'failed':
      return fail(state, event.problem, event.command);
  }
}

/** The buckets that the filter lets through. */
export function shownBuckets({ buckets, contains }: BucketsState): readonly Bucket[] {
  return contains === '' ? buckets : buckets.filter(({ name }) => name.includes(contains.toLowerCase()));
}

/** The bucket under the cursor, or undefined in an empty list. */
export function selectedBucket(state: BucketsState): Bucket | undefined {
  return shownBuckets(state)[state.cursor.index];
}

/** How many there are, for the header. */
export function bucketCounts(state: BucketsState): string {
  const all = groupDigits(state.buckets.length);
  const end = state.stopped ? ', stopped: r reads the list again' : state.loading ? ' so far' : '';
  if (state.contains !== '') return `${groupDigits(shownBuckets(state).length)} of ${all}${end}`;
  return `${all} ${all === '1' ? 'bucket' : 'buckets'}${end}`;
}

/** The form of a new bucket. */
export function createDialog(): BucketsDialog {
  const form = openForm('New bucket', [
    { name: 'name', label: 'Name', value: '', note: '3 to 63 lower-case letters, digits and hyphens.' },
    { name: 'location', label: 'Location', value: '', note: `${bucketLocations.join(', ')}, or empty.` },
  ]);
  return { kind: 'form', purpose: 'create', subject: undefined, form };
}

/** Asks for the name of a bucket before it is deleted, and says what it holds. */
export function removeDialog(subject: BucketSubject): BucketsDialog {
  const { objects } = subject.count;
  const lines = [
    `It holds ${amountOf(subject.count)}. ${objects === 0 ? '' : 'All will be lost. There is no undo.'}`.trim(),
    'Type its name to delete it.',
  ];
  const field = { name: 'name', label: 'Name', value: '' };
  const form = openForm(`Delete the bucket ${escapeText(subject.bucket.name)}`, [field], lines);
  return { kind: 'form', purpose: 'remove', subject, form: { ...form, submit: 'delete' } };
}

/** A count in words: "no object", "12 objects (3.4 MB)", "more than 10,000 objects". */
export function amountOf({ objects, bytes, more }: ObjectCount): string {
  if (objects === 0) return 'no object';
  const counted = `${groupDigits(objects)} ${objects === 1 ? 'object' : 'objects'}`;
  return more ? `more than ${counted}` : `${counted} (${formatSize(bytes)})`;
}

/** What a filled form asks for, or what is wrong with it. */
export function readBucketForm(
  dialog: BucketsDialog | undefined,
): { command: BucketsCommand } | { errors: Record<string, string> } | undefined {
  if (dialog?.kind !== 'form') return undefined;
  const { name = '', location = '' } = formValues(dialog.form);
  if (dialog.subject !== undefined) {
    const { bucket } = dialog.subject;
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

function begin(state: BucketsState, command: BucketsCommand): BucketsState {
  if (command.does === 'list') return { ...state, loading: true, stopped: false, dialog: undefined };
  if (command.does === 'create') return { ...state, busy: 'saving', dialog: whileCarriedOut(state.dialog) };
  return { ...state, busy: command.does === 'count' ? 'counting' : 'starting', dialog: undefined };
}

function settled(state: BucketsState): BucketsState {
  return { ...state, busy: undefined, dialog: undefined };
}

function filter(state: BucketsState, contains: string): BucketsState {
  return select({ ...state, contains }, selectedBucket(state));
}

function changeForm(state: BucketsState, event: FormEvent): BucketsState {
  if (state.dialog?.kind !== 'form') return state;
  return { ...state, dialog: { ...state.dialog, form: reduceForm(state.dialog.form, event) } };
}

/** A failure of what a form asked for stays in the form, with everything typed. So does one of a list beside it. */
function fail(before: BucketsState, problem: Problem, command: BucketsCommand): BucketsState {
  const state = { ...before, busy: undefined };
  if (state.dialog?.kind === 'form' && command.does === 'create') {
    return changeForm(state, { type: 'failed', problem });
  }
  const stopped = state.stopped || command.does === 'list';
  if (state.dialog?.kind === 'form' && command.does === 'list') return { ...state, loading: false, stopped };
  return { ...state, loading: false, stopped, dialog: { kind: 'problem', problem, command } };
}

function select(state: BucketsState, selection: Bucket | undefined): BucketsState {
  const shown = shownBuckets(state);
  const found = shown.findIndex(({ name }) => name === selection?.name);
  const index = found === -1 ? state.cursor.index : found;
  return { ...state, cursor: putCursor(state.cursor, index, shown.length) };
}

function without(buckets: readonly Bucket[], { name }: Bucket): readonly Bucket[] {
  return buckets.filter((bucket) => bucket.name !== name);
}

function byName(one: Bucket, other: Bucket): number {
  return one.name < other.name ? -1 : one.name > other.name ? 1 : 0;
}
