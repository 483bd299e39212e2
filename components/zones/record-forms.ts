import { isProblem } from '../../src/model/problem.ts';
import { recordTtlFault, type Zone, type ZoneDnsRecord } from '../../src/model/zones/zone.ts';
import type { NewRecord } from '../../src/services/console/records.ts';
import {
  isHost,
  isSettable,
  type RecordChange,
  recordContent,
  settableTypes,
} from '../../src/services/zones/records.ts';
import { parseDuration } from '../../src/text/time.ts';
import { type FormValues, formDialog, type Submitted, type Work } from '../ui/forms/dialog.ts';
import { type Field, openForm } from '../ui/forms/form-state.ts';

const contentNotes =
  'An address, a DNS name or text; for CAA, flags, tag and value, such as 0 issue "pki.goog".';

function contentField(value: string, note: string): Field {
  return { name: 'content', label: 'Content', value, note };
}

function proxiedField(value: string): Field {
  const choices = [
    { value: 'no', label: 'no', about: 'visitors reach the content directly (DNS only)' },
    {
      value: 'yes',
      label: 'yes',
      about: 'visitors reach the content through the edge; A, AAAA and CNAME only',
    },
  ];
  return { name: 'proxied', label: 'Proxied', value, choices };
}

function ttlField(value: string): Field {
  return {
    name: 'ttl',
    label: 'TTL',
    value,
    note: 'auto, or 30 to 86400 seconds, such as 300, 5m or 1h.',
  };
}

/** Returns the form for a new record, filled with the values of `like` if it is set. */
export function newRecordForm({ name: zone }: Zone, add: (wanted: NewRecord) => Work, like?: ZoneDnsRecord) {
  const note = `www, or www.${zone}; @ is the zone itself.`;
  const form = openForm(`New DNS record in ${zone}`, [
    { name: 'name', label: 'Name', value: like?.name ?? '', note },
    {
      name: 'type',
      label: 'Type',
      value: like?.type ?? 'A',
      choices: settableTypes.map((type) => ({ value: type, label: type })),
    },
    contentField(like?.content ?? '', contentNotes),
    proxiedField(like?.proxied === true ? 'yes' : 'no'),
    ttlField(ttlText(like?.ttl)),
  ]);
  return formDialog(form, (values) => submitNew(values, add));
}

function submitNew(values: FormValues, add: (wanted: NewRecord) => Work): Submitted {
  const { name = '', type = '' } = values;
  const { errors: faults, ...fields } = readFields(values, type);
  const errors = {
    ...(name.trim() === '' && { name: 'Enter a name; @ is the zone itself.' }),
    ...faults,
  };
  if (Object.keys(errors).length > 0) return { errors };
  if (!isSettable(type)) return { errors: { type: 'Unknown record type.' } };
  return { work: add({ name, type, ...fields }) };
}

/** Returns the form that changes a record, filled with its current values. */
export function editRecordForm(record: ZoneDnsRecord, edit: (change: RecordChange) => Work) {
  const { name, type, content, proxied, ttl } = record;
  const form = openForm(`Change ${name} ${type}`, [
    contentField(content, type === 'CAA' ? contentNotes : ''),
    ...(isHost(type) ? [proxiedField(proxied === true ? 'yes' : 'no')] : []),
    ttlField(ttlText(ttl)),
  ]);
  return formDialog(form, (values) => submitEdit(values, record, edit));
}

/** Returns the work that changes the fields in which the form differs from the record, or the errors of invalid fields. */
function submitEdit(
  values: FormValues,
  before: ZoneDnsRecord,
  edit: (change: RecordChange) => Work,
): Submitted {
  const { content, proxied, ttl, errors } = readFields(values, before.type);
  if (Object.keys(errors).length > 0) return { errors };
  const change: RecordChange = {
    ...(content !== before.content.trim() && { content }),
    ...(proxied !== undefined && proxied !== (before.proxied ?? false) && { proxied }),
    ...(ttl !== (before.ttl ?? 1) && { ttl }),
  };
  if (Object.keys(change).length === 0) return { errors: { content: 'Nothing was changed.' } };
  return { work: edit(change) };
}

/** Formats a TTL in seconds; `auto` for 1, which lets the platform choose. */
export function ttlText(ttl: number | undefined): string {
  return ttl === undefined || ttl === 1 ? 'auto' : String(ttl);
}

interface ReadFields {
  readonly content: string;
  readonly proxied: boolean | undefined;
  readonly ttl: number;
  readonly errors: Readonly<Record<string, string>>;
}

function readFields(values: FormValues, type: string): ReadFields {
  const content = (values['content'] ?? '').trim();
  const proxied = isHost(type) ? values['proxied'] === 'yes' : undefined;
  const ttl = readTtl(values['ttl'] ?? '');
  const faults = {
    content: contentFault(type, content),
    proxied: !isHost(type) && values['proxied'] === 'yes' ? `A ${type} record cannot be proxied.` : undefined,
    ttl: 'fault' in ttl ? ttl.fault : undefined,
  };
  const errors = Object.entries(faults).flatMap(([name, fault]) =>
    fault === undefined ? [] : [[name, fault]],
  );
  return { content, proxied, ttl: 'ttl' in ttl ? ttl.ttl : 1, errors: Object.fromEntries(errors) };
}

function contentFault(type: string, content: string): string | undefined {
  if (content === '') return 'Enter the content.';
  try {
    recordContent(type, content);
    return undefined;
  } catch (error) {
    if (isProblem(error)) return error.message;
    throw error;
  }
}

function readTtl(text: string): { readonly ttl: number } | { readonly fault: string } {
  const written = text.trim().toLowerCase();
  if (written === '' || written === 'auto') return { ttl: 1 };
  try {
    const ttl = parseDuration(written);
    const fault = recordTtlFault(ttl);
    return fault === undefined ? { ttl } : { fault: `TTL ${fault}, not ${ttl}.` };
  } catch {
    return { fault: 'Not a TTL: enter auto, seconds, or a duration such as 5m or 1h.' };
  }
}
