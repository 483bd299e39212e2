import { kvKeyDelete, kvKeyGet, kvKeyList, kvKeyPut } from '../../src/services/equivalents/kv.ts';
import type { PaneAction } from '../kit/keys/action.ts';
import { reading } from '../kit/keys/busy.ts';
import { cannotWriteSelected, moveShortcuts, noSelection } from '../kit/keys/conditions.ts';
import { foldShortcuts } from '../kit/keys/folding.ts';
import { searchShortcuts } from '../kit/keys/searching.ts';
import { wrapShortcuts } from '../kit/keys/wrapping.ts';
import type { ActionResult, Work } from '../ui/forms/dialog.ts';
import { nextView, withoutBytes } from '../ui/viewer/bytes-view.ts';
import { comparing } from './key-actions.ts';
import {
  copyName,
  editing,
  editingOutside,
  expiring,
  type KeyOutcome,
  type NamespacePane,
  removeKey,
} from './key-work.ts';
import { ownView, type ShownKey, withValue } from './value.ts';

interface Here extends NamespacePane, Pick<ShownKey, 'entry' | 'bytes'> {}

/** The actions on the value on the screen. */
export const valueActions: ReadonlyArray<PaneAction<Here, ActionResult<KeyOutcome>>> = [
  ...foldShortcuts,
  {
    does: 'edit',
    press: ['e'],
    label: 'edit',
    helpLabel: 'edit the value',
    about: 'Change the value (if it is short text), expiry and metadata',
    unless: cannotWriteSelected,
    run: ({ entry, ...pane }) => editing(entry.name, pane),
    equivalents: ({ namespace, entry }) => [kvKeyPut(namespace.id, entry.name)],
  },
  {
    does: 'copy',
    press: ['y'],
    label: 'copy',
    helpLabel: 'copy the value',
    about: 'Copy the value',
    unless: noSelection,
    run: ({ bytes, parts }) =>
      bytes instanceof Uint8Array ? { notice: parts.copy(bytes, 'the value') } : undefined,
  },
  ...searchShortcuts,
  {
    does: 'next-view',
    press: ['tab'],
    label: 'view',
    helpLabel: 'next view',
    about: 'Show the value as text, JSON or hex, or show its metadata',
    run: () => ({
      content: (before) => ({ ...before, view: nextView(before.view, ownView) }),
      afresh: true,
    }),
  },
  {
    does: 'remove',
    press: ['d'],
    label: 'delete',
    helpLabel: 'delete the key',
    about: 'Delete the key',
    danger: 'undoable',
    unless: cannotWriteSelected,
    run: ({ entry, ...pane }) => removeKey(entry.name, pane, { closesPane: true }),
    equivalents: ({ namespace, entry }) => [kvKeyDelete(namespace.id, entry.name)],
  },
  {
    does: 'expire',
    press: ['ctrl+e'],
    label: 'ttl',
    helpLabel: 'set expiry',
    about: 'Set the expiry of the key',
    unless: cannotWriteSelected,
    run: ({ entry, ...pane }) => expiring(entry.name, pane),
  },
  {
    does: 'edit-outside',
    press: ['E'],
    label: '$EDITOR',
    helpLabel: 'edit in $EDITOR',
    about: 'Change the value in $EDITOR',
    unless: cannotWriteSelected,
    run: ({ entry, ...pane }) => editingOutside(entry.name, pane),
  },
  ...comparing,
  {
    does: 'copy-name',
    press: ['K'],
    label: 'copy name',
    about: 'Copy the name of the key',
    quiet: true,
    run: ({ entry, ...pane }) => copyName(entry.name, pane),
  },
  {
    does: 'refresh',
    press: ['r'],
    label: 'reload',
    about: 'Reload the value',
    run: ({ entry, ...pane }) => readingValue(entry.name, pane),
    equivalents: ({ namespace, entry }) => [{ ...kvKeyGet(namespace.id, entry.name), place: 'first' }],
  },
  ...wrapShortcuts,
  {
    does: 'back',
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Go back to the keys',
    equivalents: ({ namespace }) => [kvKeyList(namespace.id)],
  },
  ...moveShortcuts,
];

/** Returns the work that rereads the displayed value. */
export function readingValue(key: string, { namespace: { id }, parts }: NamespacePane): Work<KeyOutcome> {
  return {
    busy: reading,
    async run(signal) {
      const subject = await parts.services.kv.readKey(id, key, signal);
      if (subject !== undefined) return { content: (before) => withValue(before, subject) };
      return {
        content: withoutBytes,
        change: { changed: 'key', namespaceId: id, name: key, entry: undefined },
      };
    },
  };
}
