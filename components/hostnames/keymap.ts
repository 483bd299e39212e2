import { movement, selected, writes, writesSelected, writing } from '../kit/keys/conditions.ts';
import type { Move } from '../kit/keys/cursor.ts';
import { type FindAction, finding } from '../kit/keys/finding.ts';
import { type LiveAction, live } from '../kit/keys/live.ts';
import { chosen, type MarkAction, marking, withCount, writesChosen } from '../kit/keys/marks.ts';
import type { Shortcut } from '../kit/keys/shortcut.ts';

/** Actions on one custom hostname, in the list and in its own pane. */
export type HostnameAction =
  | 'diagnose'
  | 'fix'
  | 'edit'
  | 'revalidate'
  | 'authority'
  | 'remove'
  | 'instructions';

export type HostnamesAction =
  | Move
  | HostnameAction
  | 'open'
  | 'create'
  | MarkAction
  | 'export'
  | 'import'
  | 'timeline'
  | 'records'
  | 'zone-settings'
  | FindAction
  | 'status'
  | 'zone'
  | 'refresh'
  | LiveAction
  | 'ask'
  | 'copy'
  | 'back';
export type HostnameDetailAction = Move | HostnameAction | 'next' | 'copy' | 'refresh' | 'back';

/** What is done to one hostname; `many` also to the marked ones, where there are some. */
const onHostname = (many: boolean): ReadonlyArray<Shortcut<HostnameAction>> => {
  const counted = (label: string) => (many ? { labelIn: withCount(label) } : {});
  const orMarked = many ? ', or the marked ones alike' : '';
  const changes = many ? writesChosen : writesSelected;
  return [
    {
      press: ['D'],
      label: 'diagnose',
      ...counted('diagnose'),
      about: `Say why it does not work, who must act, and how${many ? '; of the marked ones in a list' : ''}`,
      does: 'diagnose',
      unless: many ? chosen : selected,
    },
    {
      press: ['f'],
      label: 'fix',
      about: 'Diagnose it, and carry out the remedies that are ours after one confirmation',
      does: 'fix',
      unless: writesSelected,
      quietIn: ({ fixable }) => fixable === false,
    },
    {
      press: ['R'],
      label: 'restart validation',
      ...counted('restart'),
      about: `Restart its validation${many ? ', or that of the marked ones' : ''}; a hostname in Moved comes back so; asks`,
      does: 'revalidate',
      unless: changes,
    },
    {
      press: ['c'],
      label: 'CA',
      about: 'Choose another certificate authority',
      does: 'authority',
      unless: writesSelected,
    },
    {
      press: ['e'],
      label: 'edit',
      ...counted('edit'),
      about: `Change its origin, SNI, least TLS and validation${orMarked}`,
      does: 'edit',
      unless: changes,
    },
    {
      press: ['d'],
      label: 'delete',
      ...counted('delete'),
      about: many
        ? 'Delete it, or the marked ones, with their certificates; asks for the number of many'
        : 'Delete it with its certificate; asks',
      does: 'remove',
      unless: changes,
    },
    {
      press: ['I'],
      label: 'instructions',
      about: 'What its customer has to enter at their DNS provider, to copy or save',
      does: 'instructions',
      unless: selected,
    },
  ];
};

export const hostnamesKeymap: ReadonlyArray<Shortcut<HostnamesAction>> = [
  {
    press: ['enter', 'right', 'l'],
    label: 'detail',
    about: 'Show its record, its certificate and what its customer has to set',
    does: 'open',
    unless: selected,
  },
  { press: ['n'], label: 'new', about: 'Create a custom hostname', does: 'create', unless: writes },
  ...onHostname(true),
  ...marking,
  ...finding,
  { press: ['p'], label: 'search', about: 'Ask the server for those that contain a text', does: 'ask' },
  {
    press: ['s'],
    label: 'show only',
    about:
      'Show only one kind of fault, or one status of the certificate or the hostname, with how many there are',
    does: 'status',
  },
  {
    press: ['V'],
    label: 'renewals',
    about: 'Show when each certificate is renewed, whether that will go through, and who acts',
    does: 'timeline',
  },
  {
    press: ['Q'],
    label: 'DNS records',
    about: "Show the zone's own DNS records, to add, change and delete them",
    does: 'records',
  },
  {
    press: ['w'],
    label: 'export',
    labelIn: withCount('export'),
    about: 'Write all, or the marked ones, into a file: CSV, NDJSON, JSON or Terraform imports',
    does: 'export',
  },
  {
    press: ['i'],
    label: 'reconcile',
    about: 'Make the hostnames those of a file; shows first the plan of what that would change',
    does: 'import',
    unless: writes,
  },
  {
    press: ['H'],
    label: 'origin, hold',
    about: 'Set or take away the fallback origin of the zone, hold the zone or release it',
    does: 'zone-settings',
    unless: writes,
  },
  { press: ['r'], label: 'reload', about: 'List again, with the selection kept', does: 'refresh' },
  ...live,
  { press: ['y'], label: 'copy name', about: 'Copy the hostname', does: 'copy', unless: selected },
  { press: ['z'], label: 'zone', about: 'Choose another zone', does: 'zone', quiet: true },
  {
    press: ['esc'],
    label: 'back',
    about: 'Clear the filter, the search, what is shown only, then the marks',
    does: 'back',
    unless: writing,
    quiet: true,
  },
  ...movement,
];

export const hostnameKeymap: ReadonlyArray<Shortcut<HostnameDetailAction>> = [
  { press: ['y'], label: 'copy', about: 'Copy what the marked line holds', does: 'copy', unless: selected },
  { press: ['tab'], label: 'next record', about: 'To the next record to set', does: 'next' },
  ...onHostname(false),
  { press: ['r'], label: 'reload', about: 'Read it again', does: 'refresh', unless: writing },
  {
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Back to the hostnames',
    does: 'back',
    unless: writing,
  },
  ...movement,
];
