import type { Move } from '../lists/cursor.ts';
import { movement, selected, writes, writesSelected, writing } from './conditions.ts';
import { type FindAction, finding } from './finding.ts';
import type { Shortcut } from './shortcut.ts';
import { type LiveAction, live } from './texts/live.ts';

/** Actions on one custom hostname, in the list and in its own pane. */
export type HostnameAction = 'diagnose' | 'fix' | 'revalidate' | 'authority' | 'remove';

export type HostnamesAction =
  | Move
  | HostnameAction
  | 'open'
  | 'create'
  | FindAction
  | 'status'
  | 'zone'
  | 'refresh'
  | LiveAction
  | 'ask'
  | 'copy'
  | 'back';
export type HostnameDetailAction =
  | Move
  | HostnameAction
  | 'instructions'
  | 'next'
  | 'copy'
  | 'refresh'
  | 'back';
export type DiagnosisAction = Move | 'fix' | 'refresh' | 'next' | 'copy' | 'back';

const onHostname: ReadonlyArray<Shortcut<HostnameAction>> = [
  {
    press: ['D'],
    label: 'diagnose',
    about: 'Say why it does not work, who must act, and how',
    does: 'diagnose',
    unless: selected,
  },
  {
    press: ['f'],
    label: 'fix',
    about: 'Diagnose it, and carry out the remedies that are ours after one confirmation',
    does: 'fix',
    unless: writesSelected,
  },
  {
    press: ['R'],
    label: 'restart validation',
    about: 'Restart its validation; a hostname in Moved comes back so; asks',
    does: 'revalidate',
    unless: writesSelected,
  },
  {
    press: ['c'],
    label: 'CA',
    about: 'Choose another certificate authority',
    does: 'authority',
    unless: writesSelected,
  },
  {
    press: ['d'],
    label: 'delete',
    about: 'Delete it with its certificate; asks',
    does: 'remove',
    unless: writesSelected,
  },
];

export const hostnamesKeymap: ReadonlyArray<Shortcut<HostnamesAction>> = [
  {
    press: ['enter', 'right', 'l'],
    label: 'detail',
    about: 'Show its record, its certificate and what its customer has to set',
    does: 'open',
    unless: selected,
  },
  { press: ['n'], label: 'new', about: 'Create a custom hostname', does: 'create', unless: writes },
  ...onHostname,
  ...finding,
  { press: ['p'], label: 'search', about: 'Ask the server for those that contain a text', does: 'ask' },
  {
    press: ['s'],
    label: 'show only',
    about:
      'Show only one kind of fault, or one status of the certificate or the hostname, with how many there are',
    does: 'status',
  },
  { press: ['r'], label: 'reload', about: 'List again, with the selection kept', does: 'refresh' },
  ...live,
  { press: ['y'], label: 'copy name', about: 'Copy the hostname', does: 'copy', unless: selected },
  { press: ['z'], label: 'zone', about: 'Choose another zone', does: 'zone', quiet: true },
  {
    press: ['esc'],
    label: 'back',
    about: 'Clear the filter, the search, then what is shown only',
    does: 'back',
    unless: writing,
    quiet: true,
  },
  ...movement,
];

export const hostnameKeymap: ReadonlyArray<Shortcut<HostnameDetailAction>> = [
  { press: ['y'], label: 'copy', about: 'Copy what the marked line holds', does: 'copy', unless: selected },
  { press: ['tab'], label: 'next record', about: 'To the next record to set', does: 'next' },
  {
    press: ['I'],
    label: 'instructions',
    about: 'Copy or save what its customer has to enter at their DNS provider',
    does: 'instructions',
  },
  ...onHostname,
  { press: ['r'], label: 'reload', about: 'Read it again', does: 'refresh' },
  {
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Back to the hostnames',
    does: 'back',
    unless: writing,
  },
  ...movement,
];

export const diagnosisKeymap: ReadonlyArray<Shortcut<DiagnosisAction>> = [
  {
    press: ['f'],
    label: 'fix',
    about: 'Carry out the remedies that are ours after one confirmation',
    does: 'fix',
    unless: writesSelected,
  },
  { press: ['y'], label: 'copy', about: 'Copy what the marked line holds', does: 'copy', unless: selected },
  {
    press: ['tab'],
    label: 'next remedy',
    about: 'To the next command or record of a remedy',
    does: 'next',
  },
  { press: ['r'], label: 'reload', about: 'Diagnose again, with all facts gathered anew', does: 'refresh' },
  { press: ['esc', 'left', 'h'], label: 'back', about: 'Back', does: 'back', unless: writing },
  ...movement,
];
