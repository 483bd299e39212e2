import { movement, selected, writes, writesSelected, writing } from '../kit/keys/conditions.ts';
import type { Move } from '../kit/keys/cursor.ts';
import { type FindAction, finding } from '../kit/keys/finding.ts';
import { type LiveAction, live } from '../kit/keys/live.ts';
import { type MarkAction, marking, withCount, writesChosen } from '../kit/keys/marks.ts';
import type { Shortcut } from '../kit/keys/shortcut.ts';

export type RecordsAction =
  | Move
  | MarkAction
  | 'open'
  | 'create'
  | 'edit'
  | 'copy-record'
  | 'remove'
  | 'proxied'
  | 'export'
  | FindAction
  | 'status'
  | 'refresh'
  | LiveAction
  | 'copy'
  | 'back';

export const recordsKeymap: ReadonlyArray<Shortcut<RecordsAction>> = [
  {
    press: ['enter', 'right', 'l'],
    label: 'record',
    about: 'Show its fields, and change them',
    does: 'open',
    unless: writesSelected,
    quiet: true,
  },
  { press: ['n'], label: 'new', about: 'Add a DNS record', does: 'create', unless: writes },
  {
    press: ['e'],
    label: 'edit',
    about: 'Change its content, whether it is proxied, and its time to live',
    does: 'edit',
    unless: writesSelected,
  },
  {
    press: ['X'],
    label: 'proxied',
    about: 'Send its visitors through the edge, or directly again; asks',
    does: 'proxied',
    unless: writesSelected,
  },
  {
    press: ['c'],
    label: 'copy',
    about: 'Add another record that is like it',
    does: 'copy-record',
    unless: writesSelected,
  },
  {
    press: ['d'],
    label: 'delete',
    labelIn: withCount('delete'),
    about: 'Delete it, or the marked ones; asks, and for the number of many',
    does: 'remove',
    unless: writesChosen,
  },
  ...marking,
  ...finding,
  {
    press: ['s'],
    label: 'show only',
    about: 'Show only one type of them, or the proxied ones, with how many there are',
    does: 'status',
  },
  { press: ['w'], label: 'export', about: 'Write all of them into a file, as JSON', does: 'export' },
  { press: ['r'], label: 'reload', about: 'List again, with the selection kept', does: 'refresh' },
  ...live,
  { press: ['y'], label: 'copy content', about: 'Copy its content', does: 'copy', unless: selected },
  {
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Clear the filter, what is shown only, the marks, then back',
    does: 'back',
    unless: writing,
  },
  ...movement,
];
