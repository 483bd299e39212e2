import type { ServedCount } from '../../src/model/hostnames/hostname.ts';
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
import { escapeText } from '../../src/text/escape.ts';
import { servedWords } from '../../src/text/hostname.ts';
import { groupDigits } from '../../src/text/size.ts';
import { parseDuration } from '../../src/text/time.ts';
import type { FormDialog } from '../ui/forms/dialog.ts';
import { hiddenLines, sampleLine } from '../ui/forms/dialog-lines.ts';
import { type Field, type Form, formValues, openForm } from '../ui/forms/form-state.ts';
import type { FormRead } from '../ui/lists/list-source.ts';

/** Commands of the pane to the service. Those that begin with `ask` only ask. `agreed` after such a question. */
export type RecordCommand =
  | { readonly does: 'add'; readonly wanted: NewRecord; readonly agreed?: true }
  | {
      readonly does: 'change';
      readonly before: ZoneDnsRecord;
      readonly change: RecordChange;
      readonly agreed?: true;
    }
  | { readonly does: 'ask-proxied'; readonly record: ZoneDnsRecord }
  | { readonly does: 'ask-remove'; readonly records: readonly ZoneDnsRecord[]; readonly hidden: number }
  | { readonly does: 'remove'; readonly record: ZoneDnsRecord; readonly agreed?: true }
  | { readonly does: 'remove-marked'; readonly records: readonly ZoneDnsRecord[] }
  /** `path` as it was typed. */
  | { readonly does: 'export'; readonly path: string; readonly replace: boolean };

/** The list of a zone's DNS records. A form about some that are there has them as its subject. */
export interface RecordParts {
  readonly row: ZoneDnsRecord;
  readonly command: RecordCommand;
  readonly purpose: 'create' | 'edit' | 'export' | 'remove-marked';
  readonly subject: readonly ZoneDnsRecord[];
}

type RecordForm = FormDialog<RecordParts['purpose'], RecordParts['subject']>;

const contentNotes = 'An address, a name, a text; of CAA flags, tag and value: 0 issue "pki.goog".';

function contentField(value: string, note: string): Field {
  return { name: 'content', label: 'Content', value, note };
}

function proxiedField(value: string): Field {
  const choices = [
    { value: 'no', label: 'no: visitors reach it directly (DNS only)' },
    { value: 'yes', label: 'yes: visitors reach it through the edge; A, AAAA and CNAME only' },
  ];
  return { name: 'proxied', label: 'Proxied', value, choices };
}

function ttlField(value: string): Field {
  return { name: 'ttl', label: 'TTL', value, note: 'auto, or 30 to 86400 seconds; 5m and 1h as well.' };
}

/** The form of a new record; with another one filled as that is. */
export function newRecordForm({ name: zone }: Zone, like?: ZoneDnsRecord): RecordForm {
  const note = `www, or www.${escapeText(zone)}; @ is the zone itself.`;
  const form = openForm(`New DNS record of ${escapeText(zone)}`, [
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
  return { kind: 'form', purpose: 'create', subject: undefined, form };
}

/** The form that changes a record, filled with what it is now. */
export function editRecordForm(record: ZoneDnsRecord): RecordForm {
  const { name, type, content, proxied, ttl } = record;
  const form = openForm(`Change ${escapeText(`${name} ${type}`)}`, [
    contentField(content, type === 'CAA' ? contentNotes : ''),
    ...(isHost(type) ? [proxiedField(proxied === true ? 'yes' : 'no')] : []),
    ttlField(ttlText(ttl)),
  ]);
  return { kind: 'form', purpose: 'edit', subject: [record], form };
}

/** Has their number typed before marked records are deleted; `hidden` of them are not on the list that the reader sees. */
export function removeMarkedForm(
  records: readonly ZoneDnsRecord[],
  hidden: number,
  { name }: Zone,
  served: ServedCount | undefined,
): RecordForm {
  const form = openForm(
    `Delete ${recordsOf(records.length)} of ${escapeText(name)}`,
    [{ name: 'number', label: 'Number', value: '', note: `Type ${records.length} to delete them.` }],
    [
      sampleLine(records.map((record) => `${record.name} ${record.type}`)),
      ...hiddenLines(hidden),
      ...(served === undefined ? [] : [`They are the origin of ${servedWords(served)}.`]),
      'Of many at once nothing is kept: U does not bring them back.',
    ],
  );
  return {
    kind: 'form',
    purpose: 'remove-marked',
    subject: records,
    form: { ...form, submit: 'delete', asks: true },
  };
}

/** So many DNS records, in words. */
export function recordsOf(count: number): string {
  return count === 1 ? '1 DNS record' : `${groupDigits(count)} DNS records`;
}

/** The form that names the file for all records. */
export function exportRecordsForm({ name }: Zone): RecordForm {
  const note = 'From the working directory. JSON, as edgectl zone record list writes it for programs.';
  const field: Field = { name: 'path', label: 'File', value: `${name}.dns.json`, note, completes: 'path' };
  const form = openForm(`Export the DNS records of ${escapeText(name)}`, [field]);
  return { kind: 'form', purpose: 'export', subject: undefined, form: { ...form, submit: 'export' } };
}

/** A time to live for people. */
export function ttlText(ttl: number | undefined): string {
  return ttl === undefined || ttl === 1 ? 'auto' : String(ttl);
}

/** Reads a filled form: a command, or the faults by the names of the fields. */
export function readRecordForm({ purpose, subject, form }: RecordForm): FormRead<RecordParts> {
  const values = formValues(form);
  if (purpose === 'remove-marked') return readRemoval(values['number'] ?? '', subject ?? []);
  if (purpose === 'export') {
    const { path = '' } = values;
    return path.trim() === ''
      ? { errors: { path: 'Name a file.' } }
      : { command: { does: 'export', path, replace: false } };
  }
  const [before] = subject ?? [];
  const type = before?.type ?? values['type'] ?? '';
  const read = readFields(form, type);
  const unnamed = before === undefined && (values['name'] ?? '').trim() === '';
  const errors = { ...(unnamed && { name: 'A name is needed; @ is the zone itself.' }), ...read.errors };
  if (Object.keys(errors).length > 0) return { errors };
  if (before !== undefined) return readChange(before, read);
  if (!isSettable(type)) return { errors: { type: 'There is no such type.' } };
  const { content, proxied, ttl } = read;
  return { command: { does: 'add', wanted: { name: values['name'] ?? '', type, content, proxied, ttl } } };
}

function readRemoval(number: string, records: readonly ZoneDnsRecord[]): FormRead<RecordParts> {
  if (number.trim() === String(records.length)) return { command: { does: 'remove-marked', records } };
  return { errors: { number: `This is not their number, ${records.length}.` } };
}

interface ReadFields {
  readonly content: string;
  readonly proxied: boolean | undefined;
  readonly ttl: number;
  readonly errors: Readonly<Record<string, string>>;
}

function readFields(form: Form, type: string): ReadFields {
  const values = formValues(form);
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

/** What the form says other than the record. */
function readChange(before: ZoneDnsRecord, { content, proxied, ttl }: ReadFields): FormRead<RecordParts> {
  const change: RecordChange = {
    ...(content !== before.content.trim() && { content }),
    ...(proxied !== undefined && proxied !== (before.proxied ?? false) && { proxied }),
    ...(ttl !== (before.ttl ?? 1) && { ttl }),
  };
  if (Object.keys(change).length === 0) return { errors: { content: 'Nothing is changed.' } };
  return { command: { does: 'change', before, change } };
}

function contentFault(type: string, content: string): string | undefined {
  if (content === '') return 'A content is needed.';
  try {
    recordContent(type, content);
    return undefined;
  } catch (error) {
    if (isProblem(error)) return escapeText(error.message);
    throw error;
  }
}

function readTtl(text: string): { readonly ttl: number } | { readonly fault: string } {
  const written = text.trim().toLowerCase();
  if (written === '' || written === 'auto') return { ttl: 1 };
  try {
    const ttl = parseDuration(written);
    const fault = recordTtlFault(ttl);
    return fault === undefined ? { ttl } : { fault: `It ${fault}; this is ${ttl}.` };
  } catch {
    return { fault: 'This is no time: write auto, seconds, or 5m, 1h.' };
  }
}
