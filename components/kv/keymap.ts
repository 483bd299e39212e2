import { movement, onLine, selected, writes, writesSelected, writing } from '../kit/keys/conditions.ts';
import type { Move } from '../kit/keys/cursor.ts';
import { type FindAction, finding } from '../kit/keys/finding.ts';
import { type FoldAction, folding } from '../kit/keys/folding.ts';
import { type LiveAction, live, liveText } from '../kit/keys/live.ts';
import { type LoadAction, loading } from '../kit/keys/loading.ts';
import { chosen, type MarkAction, marking, withCount, writesChosen } from '../kit/keys/marks.ts';
import { type SearchAction, searching } from '../kit/keys/searching.ts';
import type { Shortcut } from '../kit/keys/shortcut.ts';
import { type WrapAction, wrapping } from '../kit/keys/wrapping.ts';

/** What compares the selected key with another one. */
export type CompareAction = 'compare';

/** How a key is compared in every pane that shows it. */
export const comparing: ReadonlyArray<Shortcut<CompareAction>> = [
  {
    press: ['='],
    label: 'compare',
    about: 'Compare it with its preview, with local data or with another namespace',
    does: 'compare',
    unless: onLine,
    quiet: true,
  },
];

export type KeysAction =
  | Move
  | CompareAction
  | 'tree'
  | 'separator'
  | 'out'
  | MarkAction
  | 'open'
  | 'create'
  | 'edit'
  | 'edit-outside'
  | 'expire'
  | 'remove'
  | 'export'
  | 'copy-keys'
  | 'import'
  | LoadAction
  | FindAction
  | 'ask'
  | 'refresh'
  | LiveAction
  | 'copy'
  | 'back';
export type ValueAction =
  | Move
  | CompareAction
  | FoldAction
  | 'next-view'
  | SearchAction
  | WrapAction
  | 'edit'
  | 'edit-outside'
  | 'expire'
  | 'remove'
  | 'refresh'
  | LiveAction
  | 'copy'
  | 'copy-name'
  | 'back';

export const keysKeymap: ReadonlyArray<Shortcut<KeysAction>> = [
  {
    press: ['enter', 'right', 'l'],
    label: 'value',
    labelIn: ({ folder }) => (folder === true ? 'open' : undefined),
    about: 'Show its value; in a tree open the folder',
    does: 'open',
    unless: onLine,
  },
  { press: ['n'], label: 'new', about: 'Write a new key', does: 'create', unless: writes },
  {
    press: ['e'],
    label: 'edit',
    about: 'Change its value (a short text), time to live and metadata',
    does: 'edit',
    unless: writesSelected,
  },
  {
    press: ['d'],
    label: 'delete',
    labelIn: withCount('delete'),
    about: 'Delete it, or the marked ones',
    does: 'remove',
    unless: writesChosen,
  },
  {
    press: ['esc'],
    label: 'back',
    about: 'Clear the filter, then the marks, then to the namespaces',
    does: 'back',
    unless: writing,
  },
  {
    press: ['left', 'h'],
    label: 'out',
    about: 'As Esc; in a tree close the folder, or go to the one around',
    does: 'out',
    unless: writing,
    quiet: true,
  },
  ...finding,
  {
    press: ['T'],
    label: 'tree',
    about: 'Show the keys as a tree of folders, or as a list again',
    does: 'tree',
  },
  {
    press: ['S'],
    label: 'separator',
    about: 'Cut the names of the tree at another of : / . than now',
    does: 'separator',
    quiet: true,
  },
  ...marking,
  { press: ['p'], label: 'prefix', about: 'Ask the server for those that begin with a text', does: 'ask' },
  {
    press: ['s'],
    label: 'ttl',
    about: 'Set when it expires, or the marked ones',
    does: 'expire',
    unless: writesChosen,
  },
  {
    press: ['w'],
    label: 'export',
    about: 'Write it, or the marked ones, into a file with metadata and expiry',
    does: 'export',
    unless: chosen,
  },
  {
    press: ['c'],
    label: 'copy',
    about: 'Copy it, or the marked ones, to another namespace, here or elsewhere',
    does: 'copy-keys',
    unless: writesChosen,
  },
  {
    press: ['i'],
    label: 'import',
    about: 'Import a file of entries; shows first what it would change',
    does: 'import',
    unless: writes,
  },
  {
    press: ['E'],
    label: '$EDITOR',
    about: 'Change its value in $EDITOR',
    does: 'edit-outside',
    unless: writesSelected,
  },
  { press: ['r'], label: 'reload', about: 'List again, with the selection kept', does: 'refresh' },
  ...comparing,
  ...live,
  ...loading,
  { press: ['y'], label: 'copy name', about: 'Copy its name', does: 'copy', unless: selected },
  ...movement,
];

export const valueKeymap: ReadonlyArray<Shortcut<ValueAction>> = [
  { press: ['esc', 'left', 'h'], label: 'back', about: 'Back to the keys', does: 'back', unless: writing },
  { press: ['tab', 'v'], label: 'view', about: 'The next view of the value', does: 'next-view' },
  ...folding,
  ...searching,
  {
    press: ['e'],
    label: 'edit',
    about: 'Change the value (a short text), time to live and metadata',
    does: 'edit',
    unless: writesSelected,
  },
  { press: ['d'], label: 'delete', about: 'Delete the key', does: 'remove', unless: writesSelected },
  { press: ['y'], label: 'copy', about: 'Copy the value', does: 'copy', unless: selected },
  ...wrapping,
  ...liveText,
  { press: ['s'], label: 'ttl', about: 'Set when the key expires', does: 'expire', unless: writesSelected },
  {
    press: ['E'],
    label: '$EDITOR',
    about: 'Change the value in $EDITOR',
    does: 'edit-outside',
    unless: writesSelected,
  },
  { press: ['K'], label: 'copy name', about: 'Copy the name of the key', does: 'copy-name', quiet: true },
  { press: ['r'], label: 'reload', about: 'Read the value again', does: 'refresh', unless: writing },
  ...comparing,
  ...movement,
];
