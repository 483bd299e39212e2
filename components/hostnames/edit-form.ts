import { ifKnown } from '../../src/model/diagnosis/facts.ts';
import { originRefusal } from '../../src/model/hostnames/fault.ts';
import type { DefaultValues } from '../../src/model/hostnames/fleet/differences.ts';
import {
  type AuthorityChoice,
  type CustomHostname,
  certificateAuthorities,
  type ValidationMethod,
  validationMethods,
} from '../../src/model/hostnames/hostname.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { wireHostname } from '../../src/services/hostnames/body.ts';
import { changingSteps } from '../../src/services/hostnames/fleet/steps.ts';
import { formatHostnameCount } from '../../src/text/hostname.ts';
import { groupDigits } from '../../src/text/size.ts';
import { reading, saving, starting } from '../kit/keys/busy.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import {
  type FormValues,
  formDialog,
  type PaneOutcome,
  type Submitted,
  type Work,
} from '../ui/forms/dialog.ts';
import { type DialogLine, hiddenLines, quoteLine, sampleLine } from '../ui/forms/dialog-lines.ts';
import { type Field, openForm } from '../ui/forms/form-state.ts';
import { changed, startedNotice, toMarkedHostnames } from './hostname-change.ts';

/** The changes that a form makes to hostnames. Omitted fields stay unchanged. An empty origin or SNI removes the custom value. */
export interface HostnameEdit {
  readonly method?: ValidationMethod;
  readonly authority?: AuthorityChoice;
  readonly minimumTls?: string;
  readonly origin?: string;
  readonly originSni?: string;
}

/** The value that the user types to remove a custom origin or SNI, in a form where an empty field means "unchanged". */
const noOrigin = 'none';

const minimumTls = ['1.0', '1.1', '1.2', '1.3'] as const;
const authorities: readonly AuthorityChoice[] = ['default', ...certificateAuthorities];

/** The hostnames to edit, and the services for the edit. */
interface Edited {
  readonly zone: Zone;
  readonly marked: readonly CustomHostname[];
  readonly hidden: number;
  readonly parts: PaneParts;
}

export function askToEdit(record: CustomHostname, { zone, parts }: Edited): PaneOutcome {
  const editing = (edit: HostnameEdit): Work => ({
    busy: saving,
    row: record.id,
    async run(signal) {
      const done = await requireService(parts, 'hostnames').edit(zone.id, record, edit, signal);
      return changed(zone, done, `Changed ${record.hostname}.`);
    },
  });
  return { dialog: editForm(record, editing) };
}

export function askToEditMany({ marked, hidden, zone, parts }: Edited): PaneOutcome {
  const editing = (edit: HostnameEdit): Work => ({
    busy: starting,
    async run() {
      await parts.tasks.start({ does: 'edit-hostnames', zone, wishes: edit }, toMarkedHostnames(marked));
      return { notice: startedNotice('Changing', marked.length) };
    },
  });
  const previewing = (edit: HostnameEdit): Work => ({
    busy: reading,
    async run(signal) {
      const defaults = await readDefaults(edit, zone, parts, signal);
      return previewDialog(marked, edit, zone, editing(edit), defaults);
    },
  });
  return { dialog: editMarkedForm(marked, hidden, previewing) };
}

/** Returns the fallback origin, for the list of changes, if the change removes the custom origin and the fallback origin is known. */
async function readDefaults(
  { origin }: HostnameEdit,
  zone: Zone,
  parts: PaneParts,
  signal: AbortSignal,
): Promise<DefaultValues> {
  if (origin !== '') return {};
  const { fallback } = await requireService(parts, 'hostnames').readOverview(zone.id, signal);
  return { origin: ifKnown(fallback)?.origin };
}

/** Returns the form that changes one hostname, filled with the current values. */
export function editForm(record: CustomHostname, edit: (edit: HostnameEdit) => Work) {
  const { hostname, custom_origin_server: origin = '', custom_origin_sni: sni = '' } = record;
  const form = openForm(`Change ${hostname}`, [
    text('origin', 'Origin', origin, 'A proxied DNS name in the zone. Empty: the fallback origin.'),
    text(
      'originSni',
      'Origin SNI',
      sni,
      'The server name for TLS to the origin. Empty: the hostname of the request.',
    ),
    ...certificateFields,
  ]);
  return formDialog(form, (values) => submitted(readEdit(values, record), edit));
}

/** Returns the form that changes all marked hostnames in the same way. `hidden` is the number of marked hostnames that the filter hides. */
export function editMarkedForm(
  records: readonly CustomHostname[],
  hidden: number,
  preview: (edit: HostnameEdit) => Work,
) {
  const empty = `Empty: no change. ${noOrigin}: `;
  const form = openForm(
    `Change ${formatHostnameCount(records.length)}`,
    [
      text('origin', 'Origin', '', `${empty}the fallback origin.`),
      text('originSni', 'Origin SNI', '', `${empty}the hostname of the request.`),
      picked('authority', 'CA', authorities),
      ...certificateFields,
    ],
    [...hiddenLines(hidden), sampleLine(records.map(({ hostname }) => hostname)), asked],
  );
  return formDialog({ ...form, submit: 'preview' }, (values) => submitted(readEditMarked(values), preview));
}

const asked: DialogLine = 'The changes are shown before anything is sent.';

function text(name: string, label: string, value: string, note: string): Field {
  return { name, label, value, note };
}

function picked(name: string, label: string, words: readonly string[]): Field {
  const choices = [{ value: '', label: 'no change' }, ...words.map((word) => ({ value: word, label: word }))];
  return { name, label, value: '', choices };
}

const certificateFields: readonly Field[] = [
  picked('minimumTls', 'Min TLS', minimumTls),
  picked('method', 'Method', validationMethods),
];

/** Converts the form of one hostname to an edit with only the fields that the user changed. */
function readEdit(typed: FormValues, record: CustomHostname): HostnameEdit {
  const values = trimmed(typed);
  const { custom_origin_server: origin = '', custom_origin_sni: sni = '' } = record;
  const wanted = wireHostname(values('origin'));
  return {
    ...(wanted !== origin && { origin: wanted }),
    ...(values('originSni') !== sni && { originSni: values('originSni') }),
    ...certificateEdit(values),
  };
}

/** Converts the form of several hostnames to an edit with only the filled fields. */
function readEditMarked(typed: FormValues): HostnameEdit {
  const values = trimmed(typed);
  const named = (name: string) => (values(name).toLowerCase() === noOrigin ? '' : values(name));
  const authority = authorities.find((one) => one === values('authority'));
  return {
    ...(values('origin') !== '' && { origin: wireHostname(named('origin')) }),
    ...(values('originSni') !== '' && { originSni: named('originSni') }),
    ...(authority !== undefined && { authority }),
    ...certificateEdit(values),
  };
}

function trimmed(values: FormValues): (name: string) => string {
  return (name) => (values[name] ?? '').trim();
}

function certificateEdit(values: (name: string) => string): HostnameEdit {
  const method = validationMethods.find((one) => one === values('method'));
  const version = minimumTls.find((one) => one === values('minimumTls'));
  return { ...(method !== undefined && { method }), ...(version !== undefined && { minimumTls: version }) };
}

function submitted(edit: HostnameEdit, work: (edit: HostnameEdit) => Work): Submitted {
  const { origin = '' } = edit;
  const refusal = origin === '' ? undefined : originRefusal(origin);
  if (refusal !== undefined) return { errors: { origin: refusal.message } };
  return Object.keys(edit).length === 0
    ? { errors: { origin: 'No field was changed.' } }
    : { work: work(edit) };
}

/** Maximum number of changes that a question lists. */
const shownChanges = 5;

/** Returns the dialog that lists the changes and asks the user to confirm them, or the reason why nothing can be changed. */
export function previewDialog(
  records: readonly CustomHostname[],
  edit: HostnameEdit,
  { name }: Zone,
  command: Work,
  defaults: DefaultValues = {},
): Pick<PaneOutcome, 'dialog' | 'errors'> {
  const { steps, wrong } = changingSteps(
    records.map((record) => ({ record })),
    edit,
    defaults,
  );
  const [first] = wrong;
  if (first !== undefined) return { errors: { origin: `${first.hostname}: ${first.reason}.` } };
  const changes = steps.filter(({ does }) => does === 'change');
  if (changes.length === 0) return { errors: { origin: 'All hostnames already have these settings.' } };
  const more = changes.length - shownChanges;
  const alike = steps.length - changes.length;
  const question = {
    question: `Change ${formatHostnameCount(changes.length)} in ${name}?`,
    lost: [
      ...changes
        .slice(0, shownChanges)
        .map(({ hostname, reason }) => quoteLine('', `${hostname}: ${reason}`, 100)),
      ...(more > 0 ? [`and ${groupDigits(more)} more.`] : []),
      ...(alike > 0
        ? [`${formatHostnameCount(alike)} already ${alike === 1 ? 'has' : 'have'} these settings.`]
        : []),
      ...(edit.method !== undefined || edit.authority !== undefined
        ? ['Another method or CA creates new tokens, which the customers must set.']
        : []),
      'Changes to several hostnames are not saved for undo.',
    ],
    danger: 'change' as const,
    yes: 'change them',
  };
  return { dialog: { kind: 'confirm', question, command } };
}
