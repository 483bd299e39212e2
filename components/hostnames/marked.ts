import type { DefaultValues } from '../../src/model/hostnames/fleet/differences.ts';
import type { CustomHostname } from '../../src/model/hostnames/hostname.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { changingSteps } from '../../src/services/hostnames/fleet/steps.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import type { MarkedHostname } from '../../src/services/tasks/hostnames.ts';
import { escapeText } from '../../src/text/escape.ts';
import { hostnamesOf } from '../../src/text/hostname.ts';
import { groupDigits } from '../../src/text/size.ts';
import type { Dialog } from '../ui/forms/dialog.ts';
import { hiddenLines, quoteLine, sampleLine } from '../ui/forms/dialog-lines.ts';
import { type Form, formValues, openForm } from '../ui/forms/form-state.ts';
import { markedRows } from '../ui/lists/marks.ts';
import type { PagedList } from '../ui/lists/paged-list.ts';
import type { EditedHostnames, HostnameEdit } from './edit-form.ts';

/** Commands about many hostnames, which start tasks. */
export type FleetCommand =
  | {
      readonly does: 'remove-marked' | 'refresh-marked' | 'diagnose-marked';
      readonly marked: readonly MarkedHostname[];
    }
  | { readonly does: 'edit-marked'; readonly marked: readonly MarkedHostname[]; readonly edit: HostnameEdit }
  | {
      readonly does: 'export';
      /** None stands for all of the zone. */
      readonly marked: readonly MarkedHostname[];
      /** As it was typed. */
      readonly path: string;
      readonly replace: boolean;
    }
  /** Plans by a file, and opens the plan. */
  | {
      readonly does: 'import';
      readonly path: string;
      readonly prune: boolean;
      readonly limit?: number | undefined;
    };

/** Shows what a filled form would change of marked hostnames. */
export interface PreviewEdit {
  readonly does: 'preview-edit';
  readonly records: readonly CustomHostname[];
  readonly edit: HostnameEdit;
}

export type FleetPurpose = 'remove-marked' | 'edit-marked' | 'export' | 'import';

export type FleetDialog = Dialog<FleetCommand, FleetPurpose, EditedHostnames>;

/** The marked hostnames as they are listed. */
export function markedRecords(list: PagedList<HostnameRow>): readonly CustomHostname[] {
  return markedRows(list).map(({ record }) => record);
}

/** What a task needs to know of them. */
export function marksOf(records: readonly CustomHostname[]): readonly MarkedHostname[] {
  return records.map(({ id, hostname }) => ({ id, hostname }));
}

/** Has their number typed before marked hostnames are deleted. */
export function removeMarkedForm(
  records: readonly CustomHostname[],
  hidden: number,
  { name }: Zone,
): FleetDialog {
  const note = `Type ${records.length} to delete ${records.length === 1 ? 'it' : 'them'}.`;
  const form = openForm(
    `Delete ${hostnamesOf(records.length)} of ${escapeText(name)} with ${records.length === 1 ? 'its certificate' : 'their certificates'}`,
    [{ name: 'number', label: 'Number', value: '', note }],
    [
      sampleLine(records.map(({ hostname }) => hostname)),
      ...hiddenLines(hidden),
      'Requests for them are no longer answered. Of many at once nothing is kept: U does not bring them back.',
    ],
  );
  return {
    kind: 'form',
    purpose: 'remove-marked',
    subject: { records },
    form: { ...form, submit: 'delete', asks: true },
  };
}

/** Whether the number that stands in the form is theirs. */
export function readRemoval(form: Form, { length }: readonly CustomHostname[]): string | undefined {
  const typed = (formValues(form)['number'] ?? '').trim();
  return typed === String(length) ? undefined : `This is not their number, ${length}.`;
}

/** Asks before the validation of marked hostnames is restarted. */
export function restartMarkedDialog(
  records: readonly CustomHostname[],
  hidden: number,
  { name }: Zone,
): FleetDialog {
  const question = {
    question: `Restart the validation of ${hostnamesOf(records.length)} of ${escapeText(name)}?`,
    lost: [
      sampleLine(records.map(({ hostname }) => hostname)),
      ...hiddenLines(hidden),
      'The platform checks ownership and certificate of each anew.',
    ],
    yes: 'restart them',
  };
  return { kind: 'confirm', question, command: { does: 'refresh-marked', marked: marksOf(records) } };
}

/** Changes that a question shows. */
const shownChanges = 5;

/** Asks with what would change; or says why nothing can be. */
export function editMarkedDialog(
  records: readonly CustomHostname[],
  edit: HostnameEdit,
  { name }: Zone,
  defaults: DefaultValues = {},
): { readonly dialog: FleetDialog } | { readonly errors: Readonly<Record<string, string>> } {
  const { steps, wrong } = changingSteps(
    records.map((record) => ({ record })),
    edit,
    defaults,
  );
  const [first] = wrong;
  if (first !== undefined) return { errors: { origin: `${first.hostname}: ${first.reason}.` } };
  const changes = steps.filter(({ does }) => does === 'change');
  if (changes.length === 0) return { errors: { origin: 'All of them are so already.' } };
  const more = changes.length - shownChanges;
  const alike = steps.length - changes.length;
  const question = {
    question: `Change ${hostnamesOf(changes.length)} of ${escapeText(name)}?`,
    lost: [
      ...changes
        .slice(0, shownChanges)
        .map(({ hostname, reason }) => quoteLine('', `${hostname}: ${reason}`, 100)),
      ...(more > 0 ? [`and ${groupDigits(more)} more.`] : []),
      ...(alike > 0 ? [`${groupDigits(alike)} ${alike === 1 ? 'is' : 'are'} so already.`] : []),
      ...(edit.method !== undefined || edit.authority !== undefined
        ? ['Another method or CA makes new tokens, which their customers have to set.']
        : []),
      'Of many at once nothing is kept: U does not change them back.',
    ],
    yes: 'change them',
  };
  return {
    dialog: { kind: 'confirm', question, command: { does: 'edit-marked', marked: marksOf(records), edit } },
  };
}

/** The form that names the file for marked hostnames, or for all. */
export function exportForm(records: readonly CustomHostname[], hidden: number, { name }: Zone): FleetDialog {
  const what = records.length === 0 ? 'all hostnames' : hostnamesOf(records.length);
  const note = 'From the working directory. CSV; NDJSON, JSON or Terraform imports by .ndjson, .json, .tf.';
  const form = openForm(
    `Export ${what} of ${escapeText(name)}`,
    [{ name: 'path', label: 'File', value: `${name}.csv`, note, completes: 'path' }],
    records.length === 0
      ? ['i takes such a file back, here or in another zone.']
      : [...hiddenLines(hidden), sampleLine(records.map(({ hostname }) => hostname))],
  );
  return { kind: 'form', purpose: 'export', subject: { records }, form: { ...form, submit: 'export' } };
}

/** The form that names the file that says which hostnames there are to be. */
export function reconcileForm({ name }: Zone): FleetDialog {
  const note = 'From the working directory: CSV, NDJSON or a JSON array, as an export (w) writes it.';
  const form = openForm(
    `Make the hostnames of ${escapeText(name)} those of a file`,
    [
      { name: 'path', label: 'File', value: '', note, completes: 'path' },
      {
        name: 'prune',
        label: 'Others',
        value: 'keep',
        choices: [
          { value: 'keep', label: 'keep those that the file does not name' },
          { value: 'delete', label: 'delete those that the file does not name' },
        ],
      },
      {
        name: 'limit',
        label: 'Limit',
        value: '',
        note: 'The most that it may delete. Empty: no limit, and their number is typed before.',
      },
    ],
    ['What it would change is shown before anything is sent.'],
  );
  return { kind: 'form', purpose: 'import', subject: undefined, form: { ...form, submit: 'plan' } };
}
