import { movement, selected, writes, writesSelected, writing } from '../kit/keys/conditions.ts';
import type { Move } from '../kit/keys/cursor.ts';
import { type FindAction, finding } from '../kit/keys/finding.ts';
import { type LiveAction, live } from '../kit/keys/live.ts';
import { type SearchAction, searching } from '../kit/keys/searching.ts';
import type { Shortcut } from '../kit/keys/shortcut.ts';
import { type WrapAction, wrapping } from '../kit/keys/wrapping.ts';

export type WorkersAction =
  | Move
  | 'open'
  | 'logs'
  | 'remove'
  | FindAction
  | 'refresh'
  | LiveAction
  | 'copy'
  | 'back';

export type WorkerAction =
  | Move
  | FindAction
  | 'create'
  | 'edit'
  | 'remove'
  | 'roll-back'
  | 'logs'
  | 'refresh'
  | LiveAction
  | 'copy'
  | 'back';

export type LogsAction = Move | SearchAction | WrapAction | LiveAction | 'next' | 'refresh' | 'copy' | 'back';

/** What opens the live log of a worker. */
const logs = {
  press: ['C'],
  label: 'logs',
  about: 'Follow what it does and writes to its console, live',
  does: 'logs',
} as const;

export const workersKeymap: ReadonlyArray<Shortcut<WorkersAction>> = [
  {
    press: ['enter', 'right', 'l'],
    label: 'worker',
    about: 'Show its deployments, bindings and the names of its secrets',
    does: 'open',
    unless: selected,
  },
  { ...logs, unless: selected },
  {
    press: ['d'],
    label: 'delete',
    about: 'Delete it with its versions and secrets',
    does: 'remove',
    unless: writesSelected,
  },
  ...finding,
  { press: ['r'], label: 'reload', about: 'List again, with the selection kept', does: 'refresh' },
  ...live,
  { press: ['y'], label: 'copy name', about: 'Copy its name', does: 'copy', unless: selected },
  { press: ['esc'], label: 'back', about: 'Clear the filter', does: 'back', quiet: true },
  ...movement,
];

export const workerKeymap: ReadonlyArray<Shortcut<WorkerAction>> = [
  { press: ['esc', 'left', 'h'], label: 'back', about: 'Back to the workers', does: 'back', unless: writing },
  {
    press: ['n'],
    label: 'new secret',
    about: 'Set a secret; its text is not shown',
    does: 'create',
    unless: writes,
  },
  {
    press: ['e'],
    label: 'new text',
    about: 'Give the secret another text',
    does: 'edit',
    unless: writesSelected,
  },
  { press: ['d'], label: 'delete', about: 'Delete the secret', does: 'remove', unless: writesSelected },
  {
    press: ['B'],
    label: 'roll back',
    about: 'Run the selected version again, or else the one before',
    does: 'roll-back',
    unless: writes,
  },
  logs,
  ...finding,
  { press: ['r'], label: 'reload', about: 'Read it again', does: 'refresh' },
  ...live,
  {
    press: ['y'],
    label: 'copy',
    about: 'Copy the id of the version, or the name',
    does: 'copy',
    unless: selected,
  },
  ...movement,
];

export const logsKeymap: ReadonlyArray<Shortcut<LogsAction>> = [
  { press: ['esc', 'left', 'h'], label: 'back', about: 'End it, and go back', does: 'back' },
  {
    press: ['F'],
    label: 'pause',
    about: 'Keep the lines as they are while more come, or go on with those that have come',
    does: 'live',
  },
  ...searching,
  {
    press: ['tab'],
    label: 'next failure',
    about: 'To the next run that has failed',
    does: 'next',
    unless: selected,
  },
  ...wrapping,
  { press: ['r'], label: 'reconnect', about: 'Connect anew', does: 'refresh' },
  {
    press: ['y'],
    label: 'copy',
    about: 'Copy the line; on the first one of a run all of it, as JSON',
    does: 'copy',
    unless: selected,
  },
  ...movement,
];
