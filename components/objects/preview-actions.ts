import {
  objectDelete,
  objectGet,
  objectList,
  objectPresign,
} from '../../src/services/equivalents/objects.ts';
import type { PaneAction } from '../kit/keys/action.ts';
import { cannotWriteSelected, moveShortcuts, noSelection, whileBusy } from '../kit/keys/conditions.ts';
import { foldShortcuts } from '../kit/keys/folding.ts';
import { dangerOfSeveral } from '../kit/keys/marks.ts';
import { searchShortcuts } from '../kit/keys/searching.ts';
import { wrapShortcuts } from '../kit/keys/wrapping.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { ActionResult } from '../ui/forms/dialog.ts';
import { nextView } from '../ui/viewer/bytes-view.ts';
import type { ViewOutcome } from '../ui/viewer/view-source.ts';
import type { Chosen } from './chosen.ts';
import { offeringLink } from './links.ts';
import type { Preview } from './preview.ts';
import { ownView } from './preview.ts';
import { type ObjectView, readingPreview } from './preview-view.ts';
import { askToRemove } from './removal.ts';
import { askToCopy, downloadForm, downloading } from './transfers.ts';

/** The input of the actions: the viewer of an object, and the parts of its pane. */
interface Here {
  readonly view: ObjectView;
  readonly parts: PaneParts;
}

/** The actions on the object on the screen. */
export const previewActions: ReadonlyArray<PaneAction<Here, ActionResult<ViewOutcome<Preview>>>> = [
  ...foldShortcuts,
  {
    does: 'download',
    press: ['w'],
    label: 'download',
    about: 'Download the object to a file, as a task',
    // A read-only session allows downloads, because they write only on this machine.
    unless: (situation) => whileBusy(situation) || noSelection(situation),
    run: ({ view, parts }) => ({
      dialog: downloadForm(shownObject(view), (wanted) => downloading(wanted, parts)),
    }),
    equivalents: ({ view: { address } }) => [objectGet(address.bucket, address.key)],
  },
  {
    does: 'copy-object',
    press: ['c'],
    label: 'copy',
    about: 'Copy the object to another key or bucket, with its metadata, as a task',
    unless: cannotWriteSelected,
    run: ({ view, parts }) => askToCopy(shownObject(view), parts),
  },
  ...searchShortcuts,
  {
    does: 'next-view',
    press: ['tab'],
    label: 'view',
    about: 'Show the object as text, JSON or hex, or show its metadata',
    run: () => ({
      content: (before) => ({ ...before, view: nextView(before.view, ownView) }),
      afresh: true,
    }),
  },
  {
    does: 'remove',
    press: ['d'],
    label: 'delete',
    about: 'Delete the object, as a task',
    danger: dangerOfSeveral,
    unless: cannotWriteSelected,
    run: ({ view, parts }) =>
      askToRemove(shownObject(view), parts, (id) => {
        view.removal = id;
      }),
    equivalents: ({ view: { address } }) => [objectDelete(address.bucket, address.key)],
  },
  {
    does: 'link',
    press: ['J'],
    label: 'link',
    about: 'Create a temporary link that lets anyone read, store or delete the object',
    unless: noSelection,
    run: ({ view, parts }) => offeringLink(view.address, parts),
    equivalents: ({ view: { address }, parts }) => [
      objectPresign(
        address.bucket,
        address.key,
        requireService(parts, 'objects').findJurisdiction(address.bucket),
      ),
    ],
  },
  {
    does: 'copy',
    press: ['y'],
    label: 'copy key',
    about: 'Copy the full key of the object',
    quiet: true,
    run({ view, parts }) {
      const { key } = view.address;
      return { notice: parts.copy(Buffer.from(key), `the key ${key}`) };
    },
  },
  {
    does: 'refresh',
    press: ['r'],
    label: 'reload',
    about: 'Reload the beginning of the object',
    run: ({ view, parts }) => readingPreview(view.address, parts),
  },
  ...wrapShortcuts,
  {
    does: 'back',
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Go back to the objects',
    equivalents: ({ view }) => [{ ...objectList(view.address.bucket, ''), place: 'last' }],
  },
  ...moveShortcuts,
];

/** Returns the object on the screen as if it were selected in its folder. */
export function shownObject({ address: { bucket, key }, content }: ObjectView): Chosen {
  const folder = key.slice(0, key.lastIndexOf('/') + 1);
  return { bucket, folder, marked: [{ key, size: content.entry.size }], hidden: 0 };
}
