import { movement, selected, waits, writes, writesSelected } from '../kit/keys/conditions.ts';
import type { Move } from '../kit/keys/cursor.ts';
import { type FindAction, finding } from '../kit/keys/finding.ts';
import { type FoldAction, folding } from '../kit/keys/folding.ts';
import { type LiveAction, live, liveText } from '../kit/keys/live.ts';
import { type LoadAction, loading } from '../kit/keys/loading.ts';
import { chosen, type MarkAction, marking, withCount, writesChosen } from '../kit/keys/marks.ts';
import { type SearchAction, searching } from '../kit/keys/searching.ts';
import type { Shortcut, Situation } from '../kit/keys/shortcut.ts';
import { type WrapAction, wrapping } from '../kit/keys/wrapping.ts';

export type ObjectsAction =
  | Move
  | MarkAction
  | 'open'
  | 'back'
  | FindAction
  | 'upload'
  | 'download'
  | 'copy-object'
  | 'link'
  | 'remove'
  | 'ask'
  | LoadAction
  | 'refresh'
  | LiveAction
  | 'copy';

export type PreviewAction =
  | Move
  | FoldAction
  | 'back'
  | 'next-view'
  | SearchAction
  | WrapAction
  | 'download'
  | 'copy-object'
  | 'link'
  | 'remove'
  | 'refresh'
  | LiveAction
  | 'copy';

/** For downloads: they write on this machine only, so a read-only session allows them. */
const saves = (situation: Situation) => waits(situation) || chosen(situation);

export const objectsKeymap: ReadonlyArray<Shortcut<ObjectsAction>> = [
  {
    press: ['enter', 'right', 'l'],
    label: 'open',
    about: 'Open the folder, or show the beginning of the object',
    does: 'open',
    unless: selected,
  },
  {
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Clear the filter, then the marks, then to the folder above',
    does: 'back',
  },
  ...finding,
  {
    press: ['u'],
    label: 'upload',
    about: 'Store a file of this machine, or all files below a folder, as a task',
    does: 'upload',
    unless: writes,
  },
  {
    press: ['s'],
    label: 'download',
    labelIn: withCount('download'),
    about: 'Download the marked ones below a folder, or else the selected one, as a task',
    does: 'download',
    unless: saves,
  },
  {
    press: ['d'],
    label: 'delete',
    labelIn: withCount('delete'),
    about: 'Delete the marked ones, or else the selected one, as a task; counts what is below folders first',
    does: 'remove',
    unless: writesChosen,
  },
  { press: ['p'], label: 'prefix', about: 'Ask the server for those that begin with a text', does: 'ask' },
  ...marking,
  {
    press: ['c'],
    label: 'copy',
    labelIn: withCount('copy'),
    about: 'Copy the marked ones to another prefix or bucket, or else the selected one, as a task',
    does: 'copy-object',
    unless: writesChosen,
  },
  {
    press: ['J'],
    label: 'link',
    about: 'Make a link that lets anybody read or store it for a while, and copy it',
    does: 'link',
    unless: selected,
  },
  { press: ['r'], label: 'reload', about: 'List again, with the selection kept', does: 'refresh' },
  ...live,
  ...loading,
  { press: ['y'], label: 'copy key', about: 'Copy its whole key', does: 'copy', unless: selected },
  ...movement,
];

export const previewKeymap: ReadonlyArray<Shortcut<PreviewAction>> = [
  { press: ['esc', 'left', 'h'], label: 'back', about: 'Back to the objects', does: 'back' },
  { press: ['tab', 'v'], label: 'view', about: 'The next view of the object', does: 'next-view' },
  ...folding,
  ...searching,
  {
    press: ['s'],
    label: 'download',
    about: 'Download it into a file, as a task',
    does: 'download',
    unless: saves,
  },
  {
    press: ['c'],
    label: 'copy',
    about: 'Copy it to another key or bucket, with its metadata, as a task',
    does: 'copy-object',
    unless: writesSelected,
  },
  {
    press: ['J'],
    label: 'link',
    about: 'Make a link that lets anybody read or store it for a while, and copy it',
    does: 'link',
    unless: selected,
  },
  {
    press: ['d'],
    label: 'delete',
    about: 'Delete the object, as a task',
    does: 'remove',
    unless: writesSelected,
  },
  ...wrapping,
  ...liveText,
  { press: ['y'], label: 'copy key', about: 'Copy the whole key', does: 'copy', quiet: true },
  { press: ['r'], label: 'reload', about: 'Read the beginning again', does: 'refresh' },
  ...movement,
];
