import {
  type AuthorityChoice,
  type CustomHostname,
  hasCustomCertificate,
} from '../../src/model/hostnames/hostname.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import {
  type ChosenHostnames,
  chosenDelete,
  chosenDiagnose,
  chosenEdit,
  chosenRefresh,
  hostnameInstructions,
} from '../../src/services/equivalents/hostnames.ts';
import { formatHostnameCount } from '../../src/text/hostname.ts';
import { dangerWithUndo } from '../kit/danger.ts';
import type { Action } from '../kit/keys/action.ts';
import { deleting, saving, starting } from '../kit/keys/busy.ts';
import { cannotWriteSelected, noSelection } from '../kit/keys/conditions.ts';
import { cannotWriteChosen, dangerOfSeveral, noChosenRows, withCount } from '../kit/keys/marks.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { ChoiceItem } from '../ui/forms/Choice.tsx';
import {
  type ActionResult,
  formDialog,
  type MenuDialog,
  type PaneOutcome,
  type Work,
} from '../ui/forms/dialog.ts';
import { hiddenLines, sampleLine } from '../ui/forms/dialog-lines.ts';
import { openForm } from '../ui/forms/form-state.ts';
import { askToEdit, askToEditMany } from './edit-form.ts';
import { changed, deletedChange, startedNotice, toMarkedHostnames } from './hostname-change.ts';

/** The input of an action: the selected and the marked hostnames, their zone, and the parts of the pane. */
export interface OnHostnames {
  readonly zone: Zone;
  /** The selected hostname, or the hostname of the pane. */
  readonly record: CustomHostname | undefined;
  /** The marked hostnames; empty in a pane without marks. */
  readonly marked: readonly CustomHostname[];
  /** Number of marked hostnames that the filter hides. */
  readonly hidden: number;
  readonly parts: PaneParts;
}

/** Adds the number of marked hostnames to a label if the action also applies to marked hostnames (`many`). */
const counted = (many: boolean, label: string) => (many ? { labelIn: withCount(label) } : {});

/** Returns the actions that diagnose and fix a hostname, for the list (`many`) or for the pane of one hostname. */
export function diagnosingActions(many: boolean): ReadonlyArray<Action<OnHostnames, ActionResult>> {
  return [
    {
      does: 'diagnose',
      press: ['D'],
      label: 'diagnose',
      ...counted(many, 'diagnose'),
      about: `Diagnose the hostname${many ? ', or all marked hostnames' : ''}: cause, who must act, and the fix`,
      unless: many ? noChosenRows : noSelection,
      run: (here) => (here.marked.length === 0 ? openDiagnosis(here, false) : diagnosingMarked(here)),
      equivalents: (here) => chosenDiagnose(chosenRecords(here)),
    },
    {
      does: 'fix',
      press: ['f'],
      label: 'fix',
      about: 'Diagnose the hostname, then apply the available fixes after one confirmation',
      unless: cannotWriteSelected,
      quietIn: ({ fixable }) => fixable === false,
      run: (here) => openDiagnosis(here, true),
    },
  ];
}

/**
 * Returns the other actions on a hostname, for the list (`many`) or for the pane of one hostname. In the list, most actions also apply to
 * the marked hostnames.
 */
export function actionsOnHostnames(many: boolean): ReadonlyArray<Action<OnHostnames, ActionResult>> {
  const ofMarked = many ? ' of the hostname, or of all marked hostnames' : '';
  const changes = many ? cannotWriteChosen : cannotWriteSelected;
  return [
    {
      does: 'instructions',
      press: ['I'],
      label: 'instructions',
      about: 'Show what the customer must set at their DNS provider; copy or save it',
      unless: noSelection,
      run: ({ record, zone }) => record && { opens: { pane: 'instructions', zone, record } },
      equivalents: ({ record, zone, marked }) =>
        record && marked.length === 0 ? [hostnameInstructions(zone.id, record)] : [],
    },
    {
      does: 'edit',
      press: ['e'],
      label: 'edit',
      ...counted(many, 'edit'),
      about: `Change the origin, SNI, minimum TLS version and validation${ofMarked}`,
      unless: changes,
      run: (here) => oneOrMany(here, askToEdit, askToEditMany),
      equivalents: (here) => chosenEdit(chosenRecords(here)),
    },
    {
      does: 'remove',
      press: ['d'],
      label: 'delete',
      ...counted(many, 'delete'),
      about: many
        ? 'Delete the hostname, or all marked hostnames, with their certificates, after confirmation'
        : 'Delete the hostname with its certificate, after confirmation',
      danger: many ? dangerOfSeveral : 'undoable',
      unless: changes,
      run: (here) => oneOrMany(here, askToRemove, askToRemoveMany),
      equivalents: (here) => chosenDelete(chosenRecords(here)),
    },
    {
      does: 'revalidate',
      press: ['R'],
      label: 'restart validation',
      ...counted(many, 'restart'),
      about: `Restart the validation${ofMarked}, after confirmation (for example in status Moved)`,
      unless: changes,
      run: (here) => oneOrMany(here, askToRestart, askToRestartMany),
      equivalents: (here) => chosenRefresh(chosenRecords(here)),
    },
    {
      does: 'authority',
      press: ['ctrl+t'],
      label: 'CA',
      about: 'Choose another certificate authority',
      unless: cannotWriteSelected,
      run: offerAuthorities,
    },
  ];
}

function chosenRecords({ zone, record, marked }: OnHostnames): ChosenHostnames {
  return { zoneId: zone.id, record, marked };
}

/**
 * Runs `many` if two or more hostnames are marked; otherwise runs `one` on the marked or selected hostname. Undo saves the old state only
 * for `one`.
 */
function oneOrMany(
  here: OnHostnames,
  one: (record: CustomHostname, here: OnHostnames) => PaneOutcome,
  many: (here: OnHostnames) => PaneOutcome,
): PaneOutcome | undefined {
  if (here.marked.length > 1) return many(here);
  const record = here.marked[0] ?? here.record;
  return record && one(record, here);
}

function openDiagnosis({ record, zone }: OnHostnames, fix: boolean): PaneOutcome | undefined {
  return record && { opens: { pane: 'diagnosis', zone, hostname: record.hostname, fix } };
}

function diagnosingMarked({ marked, zone, parts }: OnHostnames): Work {
  return {
    busy: starting,
    async run() {
      const task = await parts.tasks.start({ does: 'diagnose-hostnames', zone }, toMarkedHostnames(marked));
      return { opens: { pane: 'diagnoses', zone, id: task.id } };
    },
  };
}

/** Asks before restarting validation, because an active hostname loses the status Active if the new check fails. */
export function askToRestart(
  record: CustomHostname,
  { zone, hidden, parts }: Pick<OnHostnames, 'zone' | 'hidden' | 'parts'>,
): PaneOutcome {
  const name = record.hostname;
  const question = {
    question: `Restart the validation of ${name}?`,
    lost: [
      `Zone: ${zone.name}.`,
      ...unseenLines(hidden),
      'The platform checks the ownership and the certificate again.',
    ],
    danger: 'change' as const,
    yes: 'restart it',
  };
  const command: Work = {
    busy: saving,
    row: record.id,
    async run(signal) {
      const done = await requireService(parts, 'hostnames').refresh(zone.id, record, signal);
      return changed(zone, done, `Restarted the validation of ${name}.`);
    },
  };
  return { dialog: { kind: 'confirm', question, command } };
}

function askToRestartMany({ marked, hidden, zone, parts }: OnHostnames): PaneOutcome {
  const question = {
    question: `Restart the validation of ${formatHostnameCount(marked.length)} in ${zone.name}?`,
    lost: [
      sampleLine(marked.map(({ hostname }) => hostname)),
      ...hiddenLines(hidden),
      'The platform checks the ownership and the certificate of each hostname again.',
    ],
    danger: 'change' as const,
    yes: 'restart them',
  };
  const command: Work = {
    busy: starting,
    async run() {
      await parts.tasks.start({ does: 'refresh-hostnames', zone }, toMarkedHostnames(marked));
      return { notice: startedNotice('Restarting', marked.length) };
    },
  };
  return { dialog: { kind: 'confirm', question, command } };
}

/** The menu items of the certificate authorities. */
const authorities: readonly ChoiceItem<AuthorityChoice>[] = [
  { label: 'default: google, or lets_encrypt if CAA forbids google', value: 'default' },
  { label: 'google', value: 'google' },
  { label: 'lets_encrypt', value: 'lets_encrypt' },
  { label: 'ssl_com', value: 'ssl_com' },
];

/** Opens a menu of certificate authorities for a hostname; the current authority is marked. */
function offerAuthorities({ record, zone, parts }: OnHostnames): PaneOutcome | undefined {
  if (record === undefined) return undefined;
  const name = record.hostname;
  if (hasCustomCertificate(record))
    return { refusal: `${name} has an uploaded certificate, which the platform's authorities do not renew.` };
  const present = authorities.findIndex(({ value }) => value === record.ssl?.certificate_authority);
  const choosing = (authority: AuthorityChoice): Work => ({
    busy: saving,
    row: record.id,
    async run(signal) {
      const done = await requireService(parts, 'hostnames').edit(zone.id, record, { authority }, signal);
      return changed(zone, done, `Changed the authority of ${name} to ${authority}.`);
    },
  });
  const dialog: MenuDialog<Work> = {
    kind: 'menu',
    title: `Certificate authority of ${name}`,
    items: authorities.map(({ label, value }, index) => ({
      label,
      isPresent: index === present,
      command: choosing(value),
    })),
    initial: Math.max(0, present),
    asks: true,
  };
  return { dialog };
}

/** Asks before deleting a custom hostname. */
function askToRemove(record: CustomHostname, { zone, hidden, parts }: OnHostnames): PaneOutcome {
  const name = record.hostname;
  // Whether undo saves the settings of the deleted hostname.
  const keeps = parts.services.undo?.keeps === true;
  const undoNotice = keeps ? 'Press U to create it again with its settings.' : 'This cannot be undone.';
  const question = {
    question: `Delete the custom hostname ${name}?`,
    lost: [
      `Zone: ${zone.name}.`,
      ...unseenLines(hidden),
      record.ssl === undefined
        ? `Requests for the hostname will no longer be answered. ${undoNotice}`
        : `The hostname's certificate and tokens will be lost, and requests for the hostname will no longer be answered. ${undoNotice}`,
    ],
    danger: dangerWithUndo(parts.services.undo),
    yes: 'delete it',
  };
  const command: Work = {
    busy: deleting,
    row: record.id,
    async run(signal) {
      const isKept = await requireService(parts, 'hostnames').remove(zone.id, record, signal);
      return {
        change: deletedChange(zone, record.id),
        notice: `Deleted ${name}.${isKept ? ' Press U to create it again.' : ''}`,
      };
    },
  };
  return { dialog: { kind: 'confirm', question, command } };
}

function unseenLines(hidden: number): string[] {
  return hidden === 0 ? [] : ['The hostname is marked, but hidden by the filter.'];
}

/** Asks the user to type the number of marked hostnames before deleting them. */
function askToRemoveMany({ marked, hidden, zone, parts }: OnHostnames): PaneOutcome {
  const { length } = marked;
  const form = openForm(
    `Delete ${formatHostnameCount(length)} from ${zone.name} with their certificates`,
    [{ name: 'number', label: 'Number', value: '', note: `Type ${length} to delete them.` }],
    [
      sampleLine(marked.map(({ hostname }) => hostname)),
      ...hiddenLines(hidden),
      'Requests for these hostnames will no longer be answered. Changes to several hostnames are not saved for undo.',
    ],
  );
  const work: Work = {
    busy: starting,
    async run() {
      await parts.tasks.start({ does: 'delete-hostnames', zone }, toMarkedHostnames(marked));
      return { notice: startedNotice('Deleting', length), unmark: true };
    },
  };
  const dialog = formDialog({ ...form, submit: 'delete', danger: 'permanent' }, ({ number = '' }) =>
    number.trim() === String(length) ? { work } : { errors: { number: `Wrong number: type ${length}.` } },
  );
  return { dialog };
}
