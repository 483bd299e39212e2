import type { KeyEntry, Namespace } from '../../src/model/kv/kv.ts';
import { kvKeyDelete, kvKeyGet, kvKeyList, kvKeyPut } from '../../src/services/equivalents/kv.ts';
import type { Action, PaneAction } from '../kit/keys/action.ts';
import {
  cannotWrite,
  cannotWriteSelected,
  moveShortcuts,
  noLine,
  noSelection,
} from '../kit/keys/conditions.ts';
import { filterShortcuts } from '../kit/keys/finding.ts';
import { loadShortcuts } from '../kit/keys/loading.ts';
import {
  cannotWriteChosen,
  dangerOfMarked,
  markShortcuts,
  noChosenRows,
  withCount,
} from '../kit/keys/marks.ts';
import type { ActionResult } from '../ui/forms/dialog.ts';
import { markCount } from '../ui/lists/marks.ts';
import type { PagedList } from '../ui/lists/paged-list.ts';
import { importForm } from './import-actions.ts';
import {
  copyName,
  createKey,
  editing,
  editingOutside,
  expiring,
  type KeyOutcome,
  type NamespacePane,
  removeKey,
} from './key-work.ts';
import { copyMarked, expireMarked, exportMarked, removeMarked } from './marked-keys.ts';

/** The input of the actions: the list of keys, and the selected key. */
interface Here extends NamespacePane {
  readonly list: PagedList<KeyEntry>;
  readonly entry: KeyEntry | undefined;
}

/** The action that compares a key, used by each pane that shows a key. */
export const comparing: ReadonlyArray<
  Action<{ readonly namespace: Namespace; readonly entry: KeyEntry | undefined }, ActionResult<KeyOutcome>>
> = [
  {
    does: 'compare',
    press: ['='],
    label: 'compare',
    helpLabel: 'compare the key',
    about: 'Compare the key with its preview, with local data or with another namespace',
    unless: noLine,
    quiet: true,
    run: ({ namespace, entry }) => entry && { opens: { pane: 'comparison', namespace, key: entry.name } },
  },
];

/** The actions in the list of keys. */
export const keyActions: ReadonlyArray<PaneAction<Here, ActionResult<KeyOutcome>>> = [
  {
    does: 'open',
    press: ['enter', 'right', 'l'],
    label: 'value',
    helpLabel: 'show the value',
    labelIn: ({ folder }) => (folder === true ? 'open' : undefined),
    about: 'Show the value of the key; in a tree, open the folder',
    unless: noLine,
    run: ({ namespace, entry }) => entry && { opens: { pane: 'value', namespace, entry } },
    equivalents: ({ namespace, entry }) => (entry ? [kvKeyGet(namespace.id, entry.name)] : []),
  },
  {
    does: 'create',
    press: ['n'],
    label: 'new',
    helpLabel: 'new key',
    about: 'Write a new key',
    unless: cannotWrite,
    run: (here) => createKey(here),
  },
  {
    does: 'edit',
    press: ['e'],
    label: 'edit',
    helpLabel: 'edit the value',
    about: 'Edit the value (if it is short text), expiry and metadata of the key',
    unless: cannotWriteSelected,
    run: ({ entry, ...pane }) => entry && editing(entry.name, pane),
    equivalents: ({ namespace, entry }) => (entry ? [kvKeyPut(namespace.id, entry.name)] : []),
  },
  {
    does: 'remove',
    press: ['d'],
    label: 'delete',
    helpLabel: 'delete the key',
    labelIn: withCount('delete'),
    about: 'Delete the key, or all marked keys',
    danger: dangerOfMarked,
    unless: cannotWriteChosen,
    run: ({ entry, list, ...pane }) =>
      markCount(list) > 0 ? removeMarked(list, pane) : entry && removeKey(entry.name, pane),
    equivalents: ({ namespace, entry }) => (entry ? [kvKeyDelete(namespace.id, entry.name)] : []),
  },
  ...filterShortcuts,
  {
    does: 'expire',
    press: ['ctrl+e'],
    label: 'ttl',
    helpLabel: 'set expiry',
    labelIn: withCount('ttl'),
    about: 'Set the expiry of the key, or of all marked keys',
    unless: cannotWriteChosen,
    run: ({ entry, list, ...pane }) =>
      markCount(list) > 0 ? expireMarked(list, pane) : entry && expiring(entry.name, pane),
  },
  {
    does: 'export',
    press: ['w'],
    label: 'export',
    helpLabel: 'export to a file',
    labelIn: withCount('export'),
    about: 'Export the key, or all marked keys, with metadata and expiry, to a file',
    unless: noChosenRows,
    run: ({ list, ...pane }) => exportMarked(list, pane),
  },
  {
    does: 'copy-keys',
    press: ['c'],
    label: 'copy',
    helpLabel: 'copy to a namespace',
    labelIn: withCount('copy'),
    about: 'Copy the key, or all marked keys, to a namespace of any target or profile',
    unless: cannotWriteChosen,
    run: ({ list, ...pane }) => copyMarked(list, pane),
  },
  {
    does: 'import',
    press: ['i'],
    label: 'import',
    helpLabel: 'import a file',
    about: 'Import a file of entries; shows the changes first',
    unless: cannotWrite,
    run: (here) => importForm(here),
  },
  {
    does: 'edit-outside',
    press: ['E'],
    label: '$EDITOR',
    helpLabel: 'edit in $EDITOR',
    about: 'Change the value of the key in $EDITOR',
    unless: cannotWriteSelected,
    run: ({ entry, ...pane }) => entry && editingOutside(entry.name, pane),
  },
  ...comparing,
  {
    does: 'copy',
    press: ['y'],
    label: 'copy name',
    about: 'Copy the name of the key',
    unless: noSelection,
    run: ({ entry, ...pane }) => entry && copyName(entry.name, pane),
  },
  {
    does: 'ask',
    press: ['p'],
    label: 'prefix',
    helpLabel: 'list by prefix',
    about: 'List only names with a prefix, from the server',
  },
  {
    does: 'tree',
    press: ['T'],
    label: 'tree',
    helpLabel: 'tree or list',
    about: 'Switch between a tree of folders and a list',
  },
  {
    does: 'separator',
    press: ['S'],
    label: 'separator',
    helpLabel: 'next separator',
    about: 'Split the names in the tree at another separator: colon, slash or dot',
    quiet: true,
  },
  {
    does: 'refresh',
    press: ['r'],
    label: 'reload',
    about: 'Reload the list and keep the selection',
    equivalents: ({ namespace }) => [kvKeyList(namespace.id)],
  },
  ...markShortcuts,
  ...loadShortcuts,
  {
    does: 'back',
    press: ['esc'],
    label: 'back',
    helpLabel: 'clear, then back',
    about: 'Clear the filter, then the marks, then go to the namespaces',
  },
  {
    does: 'out',
    press: ['left', 'h'],
    label: 'out',
    helpLabel: 'close or back',
    about: 'Like Esc; in a tree, close the folder, or go to its parent',
    quiet: true,
  },
  ...moveShortcuts,
];
