import type { CliEquivalent } from '../../src/services/equivalents/cli-equivalent.ts';
import {
  folderDelete,
  folderGet,
  objectDelete,
  objectGet,
  objectList,
  objectPresign,
} from '../../src/services/equivalents/objects.ts';
import type { PaneAction } from '../kit/keys/action.ts';
import { cannotWrite, moveShortcuts, noSelection, whileBusy } from '../kit/keys/conditions.ts';
import { filterShortcuts } from '../kit/keys/finding.ts';
import { loadShortcuts } from '../kit/keys/loading.ts';
import {
  cannotWriteChosen,
  dangerOfSeveral,
  markShortcuts,
  noChosenRows,
  withCount,
} from '../kit/keys/marks.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { ActionResult } from '../ui/forms/dialog.ts';
import type { Chosen } from './chosen.ts';
import { offeringLink } from './links.ts';
import { chosenObjects, type ObjectList, type OpenObjects } from './object-list.ts';
import { askToRemove } from './removal.ts';
import { syncForm } from './sync-actions.ts';
import { askToCopy, downloadForm, downloading, uploadForm, uploading } from './transfers.ts';

/** The input of the actions: the list of a folder's objects, the folder, and the parts of the pane. */
interface Here {
  readonly list: Pick<ObjectList, 'list' | 'selected'>;
  readonly opened: OpenObjects;
  readonly parts: PaneParts;
}

/**
 * Returns the `run` function of an action. The function passes the marked objects and folders to `run`, or the selected row if no row is
 * marked.
 */
function onChosen(run: (chosen: Chosen, parts: PaneParts) => ActionResult) {
  return ({ list, opened, parts }: Here): ActionResult => {
    const from = chosenObjects(opened, list.list);
    return from && run(from, parts);
  };
}

type OnKey = (bucket: string, key: string) => CliEquivalent;

/** Returns a function that lists the equivalent command for the selected object or folder. */
function onRow(onObject: OnKey, onFolder?: OnKey) {
  return ({ list: { selected: row }, opened: { bucket } }: Here): readonly CliEquivalent[] => {
    const command = row?.entry === undefined ? onFolder : onObject;
    return row === undefined || command === undefined ? [] : [command(bucket.name, row.key)];
  };
}

/** The actions in the list of a folder's objects. */
export const objectActions: ReadonlyArray<PaneAction<Here, ActionResult>> = [
  {
    does: 'open',
    press: ['enter', 'right', 'l'],
    label: 'open',
    about: 'Open the folder, or show the beginning of the object',
    unless: noSelection,
    run({ list: { selected: row }, opened: { bucket } }) {
      if (row === undefined) return undefined;
      if (row.entry === undefined) return { opens: { pane: 'objects', bucket, folder: row.key } };
      return { opens: { pane: 'preview', bucket, entry: row.entry } };
    },
    equivalents: ({ list: { selected: row }, opened: { bucket } }) =>
      row !== undefined && row.entry === undefined ? [objectList(bucket.name, row.key)] : [],
  },
  {
    does: 'upload',
    press: ['u'],
    label: 'upload',
    about: 'Upload a file, or all files below a folder, as a task',
    unless: cannotWrite,
    run: ({ opened: { bucket, folder }, parts }) => ({
      dialog: uploadForm(bucket.name, folder, (wanted) => uploading(wanted, parts)),
    }),
  },
  {
    does: 'download',
    press: ['w'],
    label: 'download',
    labelIn: withCount('download'),
    about: 'Download the object, or all marked objects, to a folder, as a task',
    // A read-only session allows downloads, because they write only on this machine.
    unless: (situation) => whileBusy(situation) || noChosenRows(situation),
    run: onChosen((from, parts) => ({
      dialog: downloadForm(from, (wanted) => downloading(wanted, parts)),
    })),
    equivalents: onRow(objectGet, folderGet),
  },
  {
    does: 'remove',
    press: ['d'],
    label: 'delete',
    labelIn: withCount('delete'),
    about: 'Delete the object, or all marked objects, as a task; counts the content of folders first',
    danger: dangerOfSeveral,
    unless: cannotWriteChosen,
    run: onChosen((from, parts) => askToRemove(from, parts)),
    equivalents: onRow(objectDelete, folderDelete),
  },
  ...filterShortcuts,
  {
    does: 'copy-object',
    press: ['c'],
    label: 'copy',
    labelIn: withCount('copy'),
    about: 'Copy the object, or all marked objects, to another prefix or bucket, as a task',
    unless: cannotWriteChosen,
    run: onChosen(askToCopy),
  },
  {
    does: 'sync',
    press: ['ctrl+s'],
    label: 'sync',
    about: 'Sync this folder with a folder on this machine, in either direction; shows the steps first',
    unless: whileBusy,
    quiet: true,
    run: ({ opened, parts }) => syncForm(opened, parts),
  },
  {
    does: 'link',
    press: ['J'],
    label: 'link',
    about: 'Create a temporary link that lets anyone read, store or delete the object',
    unless: noSelection,
    run: ({ list: { selected: row }, opened: { bucket }, parts }) =>
      row?.entry === undefined
        ? { refusal: 'A link points to one object, not to a folder.' }
        : offeringLink({ bucket: bucket.name, key: row.key }, parts),
    equivalents: (here) => {
      const jurisdiction = requireService(here.parts, 'objects').findJurisdiction(here.opened.bucket.name);
      return onRow((bucket, key) => objectPresign(bucket, key, jurisdiction))(here);
    },
  },
  {
    does: 'copy',
    press: ['y'],
    label: 'copy key',
    about: 'Copy the full key of the object',
    unless: noSelection,
    run: ({ list: { selected: row }, parts }) =>
      row && { notice: parts.copy(Buffer.from(row.key), `the key ${row.key}`) },
  },
  { does: 'ask', press: ['p'], label: 'prefix', about: 'List only names with a prefix, from the server' },
  {
    does: 'refresh',
    press: ['r'],
    label: 'reload',
    about: 'Reload the list and keep the selection',
    equivalents: ({ list: { selected: row }, opened: { bucket, folder } }) =>
      row !== undefined && row.entry === undefined ? [] : [objectList(bucket.name, folder)],
  },
  ...markShortcuts,
  ...loadShortcuts,
  {
    does: 'back',
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Clear the filter, then the marks, then go to the parent folder',
  },
  ...moveShortcuts,
];
