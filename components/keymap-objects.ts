import type { Move } from './cursor.ts';
import type { Shortcut, Situation } from './shortcut.ts';
import { movement, selected, writes, writesSelected, writing } from './shortcut-conditions.ts';

export type BucketsAction =
  | Move
  | 'open'
  | 'create'
  | 'remove'
  | 'filter'
  | 'refresh'
  | 'copy'
  | 'stop'
  | 'back';

export type ObjectsAction =
  | Move
  | 'open'
  | 'back'
  | 'filter'
  | 'upload'
  | 'download'
  | 'copy-object'
  | 'remove'
  | 'more'
  | 'refresh'
  | 'copy'
  | 'stop';

export type PreviewAction =
  | Move
  | 'back'
  | 'next-view'
  | 'text'
  | 'json'
  | 'hex'
  | 'about'
  | 'search'
  | 'next-match'
  | 'download'
  | 'copy-object'
  | 'remove'
  | 'refresh'
  | 'copy'
  | 'stop';

const stop = {
  press: ['x'],
  label: 'stop',
  about: 'Stop the transfer or the deletion that is under way',
  does: 'stop',
  unless: ({ busy }) => busy === undefined && 'Nothing is under way',
} as const satisfies Shortcut<'stop'>;

/** Local data have the buckets that objects are in. */
function creates(situation: Situation): string | false {
  if (situation.local) return 'Local data have a bucket as soon as an object is put into it';
  return writes(situation);
}

/** For what goes further down: what is under way is watched by the pane that began it. */
const leaves = (situation: Situation) => writing(situation) || selected(situation);

/** What writes on this machine and not on the platform. */
const free = (situation: Situation) =>
  (situation.busy !== undefined && `Wait: ${situation.busy}`) || selected(situation);

const download = {
  press: ['s'],
  label: 'save',
  about: 'Download it into a file',
  does: 'download',
  unless: free,
} as const satisfies Shortcut<'download'>;

const copyObject = {
  press: ['c'],
  label: 'copy',
  about: 'Copy it to another key or bucket, with its metadata',
  does: 'copy-object',
  unless: writesSelected,
} as const satisfies Shortcut<'copy-object'>;

export const bucketsKeymap: ReadonlyArray<Shortcut<BucketsAction>> = [
  {
    press: ['enter', 'right', 'l'],
    label: 'objects',
    about: 'List its objects',
    does: 'open',
    unless: leaves,
  },
  { press: ['n'], label: 'new', about: 'Create a bucket', does: 'create', unless: creates },
  { press: ['/'], label: 'filter', about: 'Show only names that contain a text', does: 'filter' },
  { press: ['r'], label: 'refresh', about: 'List again, with the selection kept', does: 'refresh' },
  {
    press: ['d'],
    label: 'delete',
    about: 'Count its objects, ask for its name, and delete it with all of them',
    does: 'remove',
    unless: writesSelected,
  },
  { press: ['y'], label: 'copy name', about: 'Copy its name', does: 'copy', unless: selected },
  stop,
  {
    press: ['esc'],
    label: 'back',
    about: 'Clear the filter',
    does: 'back',
    quiet: true,
  },
  ...movement,
];

export const objectsKeymap: ReadonlyArray<Shortcut<ObjectsAction>> = [
  {
    press: ['enter', 'right', 'l'],
    label: 'open',
    about: 'Open the folder, or show the beginning of the object',
    does: 'open',
    unless: leaves,
  },
  {
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Clear the filter, then to the folder above',
    does: 'back',
    unless: writing,
  },
  {
    press: ['/'],
    label: 'filter',
    about: 'Show loaded names that contain a text; Enter asks the platform for that prefix',
    does: 'filter',
  },
  { press: ['u'], label: 'upload', about: 'Store a file of this machine', does: 'upload', unless: writes },
  download,
  copyObject,
  {
    press: ['d'],
    label: 'delete',
    about: 'Delete the object; of a folder, count what is below it and ask for its name',
    does: 'remove',
    unless: writesSelected,
  },
  { press: ['r'], label: 'refresh', about: 'List again, with the selection kept', does: 'refresh' },
  { press: ['m'], label: 'more', about: 'Load one more page', does: 'more' },
  { press: ['y'], label: 'copy key', about: 'Copy its whole key', does: 'copy', unless: selected },
  stop,
  ...movement,
];

export const previewKeymap: ReadonlyArray<Shortcut<PreviewAction>> = [
  { press: ['esc', 'left', 'h'], label: 'back', about: 'Back to the objects', does: 'back', unless: writing },
  { press: ['tab', 'v'], label: 'view', about: 'The next view of the object', does: 'next-view' },
  { press: ['1'], label: 'text', about: 'As text', does: 'text', quiet: true },
  { press: ['2'], label: 'json', about: 'As JSON, indented', does: 'json', quiet: true },
  { press: ['3'], label: 'hex', about: 'As bytes', does: 'hex', quiet: true },
  {
    press: ['4'],
    label: 'about',
    about: 'Size, type, dimensions of an image, and all metadata',
    does: 'about',
    quiet: true,
  },
  download,
  copyObject,
  { press: ['d'], label: 'delete', about: 'Delete the object', does: 'remove', unless: writesSelected },
  { press: ['/'], label: 'search', about: 'Find a text in what was read', does: 'search', unless: selected },
  {
    press: ['n'],
    label: 'next match',
    about: 'To the next match of the search',
    does: 'next-match',
    unless: selected,
    quiet: true,
  },
  { press: ['y'], label: 'copy key', about: 'Copy the whole key', does: 'copy', quiet: true },
  { press: ['r'], label: 'refresh', about: 'Read the beginning again', does: 'refresh' },
  stop,
  ...movement,
];
