import { originRefusal } from '../../src/model/hostnames/fault.ts';
import {
  type AuthorityChoice,
  type CustomHostname,
  certificateAuthorities,
  type ValidationMethod,
  validationMethods,
} from '../../src/model/hostnames/hostname.ts';
import { wireHostname } from '../../src/services/hostnames/body.ts';
import { escapeText } from '../../src/text/escape.ts';
import { groupDigits } from '../../src/text/size.ts';
import type { FormDialog } from '../ui/forms/dialog.ts';
import { type DialogLine, hiddenLines, sampleLine } from '../ui/forms/dialog-lines.ts';
import { type Field, type Form, formValues, openForm } from '../ui/forms/form-state.ts';

/** What a form changes of hostnames; what is left out stays. An empty origin takes theirs away. */
export interface HostnameEdit {
  readonly method?: ValidationMethod;
  readonly authority?: AuthorityChoice;
  readonly minimumTls?: string;
  readonly origin?: string;
  readonly originSni?: string;
}

/** The hostnames that a form is about. */
export interface EditedHostnames {
  readonly records: readonly CustomHostname[];
}

/** What stands for no origin of their own, where an empty field leaves it as it is. */
const noOrigin = 'none';

const minimumTls = ['1.0', '1.1', '1.2', '1.3'] as const;
const authorities: readonly AuthorityChoice[] = ['default', ...certificateAuthorities];

/** The form that changes one hostname, filled with what it is now. */
export function editForm(record: CustomHostname): FormDialog<'edit', EditedHostnames> {
  const { hostname, custom_origin_server: origin = '', custom_origin_sni: sni = '' } = record;
  const form = openForm(`Change ${escapeText(hostname)}`, [
    text('origin', 'Origin', origin, 'A proxied name of the zone. Empty: the fallback origin.'),
    text(
      'originSni',
      'Origin SNI',
      sni,
      'The name that TLS to the origin asks for. Empty: that of the request.',
    ),
    ...certificateFields,
  ]);
  return { kind: 'form', purpose: 'edit', subject: { records: [record] }, form };
}

/** The form that changes marked hostnames alike; `hidden` of them are not on the list that the reader sees. */
export function editMarkedForm(
  records: readonly CustomHostname[],
  hidden: number,
): FormDialog<'edit-marked', EditedHostnames> {
  const empty = `Empty: as it is. ${noOrigin}: `;
  const form = openForm(
    `Change ${groupDigits(records.length)} ${records.length === 1 ? 'hostname' : 'hostnames'}`,
    [
      text('origin', 'Origin', '', `${empty}the fallback origin.`),
      text('originSni', 'Origin SNI', '', `${empty}that of the request.`),
      picked('authority', 'CA', authorities),
      ...certificateFields,
    ],
    [...hiddenLines(hidden), sampleLine(records.map(({ hostname }) => hostname)), asked],
  );
  return { kind: 'form', purpose: 'edit-marked', subject: { records }, form: { ...form, submit: 'preview' } };
}

const asked: DialogLine = 'What it would change is shown before anything is sent.';

function text(name: string, label: string, value: string, note: string): Field {
  return { name, label, value, note };
}

function picked(name: string, label: string, words: readonly string[]): Field {
  const choices = [{ value: '', label: 'as it is' }, ...words.map((word) => ({ value: word, label: word }))];
  return { name, label, value: '', choices };
}

const certificateFields: readonly Field[] = [
  picked('minimumTls', 'Min TLS', minimumTls),
  picked('method', 'Method', validationMethods),
];

type Read<T> = T | { readonly errors: Readonly<Record<string, string>> };

/** Reads the form of one hostname: what is other than it was. */
function readEdit(form: Form, record: CustomHostname): Read<{ readonly edit: HostnameEdit }> {
  const values = trimmed(form);
  const { custom_origin_server: origin = '', custom_origin_sni: sni = '' } = record;
  const wanted = wireHostname(values('origin'));
  return checked({
    ...(wanted !== origin && { origin: wanted }),
    ...(values('originSni') !== sni && { originSni: values('originSni') }),
    ...certificateEdit(values),
  });
}

/** Reads the form of one hostname: the command that changes it, or what is wrong. */
export function readEditCommand(form: Form, [record]: readonly CustomHostname[]) {
  if (record === undefined) return { errors: {} };
  const read = readEdit(form, record);
  return 'errors' in read ? read : { command: { does: 'edit', record, edit: read.edit } as const };
}

/** Reads the form of many: what is filled. */
export function readEditMarked(form: Form): Read<{ readonly edit: HostnameEdit }> {
  const values = trimmed(form);
  const named = (name: string) => (values(name).toLowerCase() === noOrigin ? '' : values(name));
  const authority = authorities.find((one) => one === values('authority'));
  return checked({
    ...(values('origin') !== '' && { origin: wireHostname(named('origin')) }),
    ...(values('originSni') !== '' && { originSni: named('originSni') }),
    ...(authority !== undefined && { authority }),
    ...certificateEdit(values),
  });
}

function trimmed(form: Form): (name: string) => string {
  const values = formValues(form);
  return (name) => (values[name] ?? '').trim();
}

function certificateEdit(values: (name: string) => string): HostnameEdit {
  const method = validationMethods.find((one) => one === values('method'));
  const version = minimumTls.find((one) => one === values('minimumTls'));
  return { ...(method !== undefined && { method }), ...(version !== undefined && { minimumTls: version }) };
}

function checked(edit: HostnameEdit): Read<{ readonly edit: HostnameEdit }> {
  const { origin = '' } = edit;
  const refusal = origin === '' ? undefined : originRefusal(origin);
  if (refusal !== undefined) return { errors: { origin: refusal.message } };
  return Object.keys(edit).length === 0 ? { errors: { origin: 'Nothing is changed.' } } : { edit };
}
