import { type CustomHostname, certificateMessages } from '../../src/model/hostnames/hostname.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { zoneLine } from '../../src/text/dns-records.ts';
import { utcMinute } from '../../src/text/time.ts';
import type { Role } from '../kit/theme.ts';
import { type Entry, factEntries } from '../ui/viewer/entries.ts';
import { deletionWait, statusRole } from './columns.ts';
import { timelineEntries } from './timeline.ts';

/** Returns all entries about a custom hostname: its record, errors, certificate, timeline, and the customer's DNS records. */
export function hostnameEntries(row: HostnameRow, now: number): Entry[] {
  return [...stateEntries(row, now), ...historyEntries(row, now)];
}

/** Returns the entries about the record of a custom hostname, its errors, and its certificate. */
function stateEntries(row: HostnameRow, now: number): Entry[] {
  return [...recordEntries(row, now), ...errorEntries(row.record), ...certificateEntries(row)];
}

/** Returns the timeline of a custom hostname, and the DNS records that the customer must set. */
function historyEntries(row: HostnameRow, now: number): Entry[] {
  return [...timelineEntries(row, now), ...customerEntries(row)];
}

/** Returns the DNS records that the customer of a custom hostname must set, or had to set. */
function customerEntries({ record }: HostnameRow): Entry[] {
  return [...ownershipEntries(record), ...validationEntries(record)];
}

/**
 * Returns the parts of a hostname's preview: the state, and the timeline with the customer's records (`details`). `narrow` contains both
 * parts for a screen without room for two columns; the records that are still needed come first.
 */
export function previewEntries(row: HostnameRow, now: number) {
  const { record } = row;
  const isOwn = ({ text }: Entry) => !/^(?:hostname|created|deleted in) /.test(text);
  const state = [
    ...recordEntries(row, now).filter(isOwn),
    ...errorEntries(record),
    ...certificateEntries(row),
  ];
  const timeline = timelineEntries(row, now);
  const blank = { text: '' };
  const [ownership, validation] = [ownershipEntries(record), validationEntries(record)];
  // A moved hostname needs its CNAME, not the ownership token.
  const isOwned = record.status === 'active' || record.status === 'moved';
  const isValid = record.ssl?.status === 'active';
  const needed = [...(isOwned ? [] : ownership), ...(isValid ? [] : validation)];
  const done = [...(isOwned ? ownership : []), ...(isValid ? validation : [])];
  const first = needed.length === 0 ? [] : [...needed, blank, heading('Hostname')];
  const history = [...timeline, ...(timeline.length > 0 ? [blank] : [])];
  return {
    state,
    details: [...history, ...needed, ...done],
    narrow: [...first, ...state, blank, ...history, ...done],
  };
}

function recordEntries(row: HostnameRow, now: number): Entry[] {
  const { record } = row;
  const wait = deletionWait(row, now);
  return [
    ...fact('hostname', record.hostname),
    ...identifier('id', record.id),
    ...fact('status', record.status, statusRole(row, record.status)),
    ...(wait === undefined
      ? []
      : fact('deleted in', `${wait}, counted from the time when edgectl first saw the status Moved`)),
    ...moment('created', record.created_at),
    ...fact('origin', record.custom_origin_server ?? 'the fallback origin'),
    ...fact('origin SNI', record.custom_origin_sni),
    ...fact(
      'metadata',
      record.custom_metadata === undefined ? undefined : JSON.stringify(record.custom_metadata),
    ),
  ];
}

function errorEntries(record: CustomHostname): Entry[] {
  const messages = [...(record.verification_errors ?? []), ...certificateMessages(record)];
  return messages.flatMap((message) => fact('error', message, 'fault'));
}

function certificateEntries(row: HostnameRow): Entry[] {
  const { ssl } = row.record;
  if (ssl === undefined) return [heading('Certificate: none')];
  return [
    heading('Certificate'),
    ...fact('status', ssl.status, statusRole(row, ssl.status)),
    ...fact('authority', ssl.certificate_authority),
    ...fact('validation', ssl.method),
    ...fact('wildcard', ssl.wildcard === undefined ? undefined : ssl.wildcard ? 'yes' : 'no'),
    ...fact('min. TLS', ssl.settings?.min_tls_version),
    ...fact('names', ssl.hosts?.join(', ')),
    ...fact('issuer', ssl.issuer),
    ...identifier('serial', ssl.serial_number),
    ...moment('expires', ssl.expires_on),
  ];
}

function ownershipEntries(record: CustomHostname): Entry[] {
  const { ownership_verification: text, ownership_verification_http: file, status } = record;
  const done = status === 'active' ? ', no longer needed' : '';
  return [
    ...dnsRecord(`Ownership by TXT${done}`, 'TXT', text?.name, text?.value),
    ...served(`Ownership by HTTP${done}`, file?.http_url, file?.http_body),
  ];
}

function validationEntries({ ssl }: CustomHostname): Entry[] {
  const done = ssl?.status === 'active' ? ', no longer needed' : '';
  const tokens = (ssl?.validation_records ?? []).flatMap((token): Entry[] => [
    ...dnsRecord(`Validation by TXT${done}`, 'TXT', token.txt_name, token.txt_value),
    ...served(`Validation by HTTP${done}`, token.http_url, token.http_body),
    ...dnsRecord(`Validation by CNAME${done}`, 'CNAME', token.cname, token.cname_target),
    ...(token.emails === undefined
      ? []
      : [heading('Validation by email'), ...fact('mail to', token.emails.join(', '))]),
  ]);
  const delegations = (ssl?.dcv_delegation_records ?? []).flatMap((token) =>
    dnsRecord('Or delegate with a CNAME', 'CNAME', token.cname, token.cname_target),
  );
  return [...tokens, ...delegations];
}

function heading(text: string): Entry {
  return { text, role: 'title' };
}

function fact(label: string, value: string | undefined, role: Role = 'plain'): Entry[] {
  const text = label.padEnd(labelWidth.narrow) + (value ?? '');
  const shorter = [{ below: narrowColumns, text, labelLength: labelWidth.narrow }];
  return factEntries(label, value, { indent: 2, width: labelWidth.usual, role, shorter });
}

/** Columns of a label and the gap after the label. The longest label is "deleted in". */
const labelWidth = { usual: 12, narrow: 11 } as const;

/** Columns below which the gap after a label is narrow. */
const narrowColumns = 40;

function identifier(label: string, value: string | undefined): Entry[] {
  return fact(label, value).map((entry) => ({ ...entry, isId: true }));
}

/** Formats a time as in the timeline; copying the line copies the exact timestamp. */
function moment(label: string, value: string | undefined): Entry[] {
  const at = Date.parse(value ?? '');
  if (Number.isNaN(at)) return fact(label, value);
  return fact(label, utcMinute(at)).map((entry) => ({
    ...entry,
    copied: { text: value ?? '', what: `the ${label}` },
  }));
}

/** Returns the lines of a DNS record to set: a heading that copies the line of a zone file, then name and value. */
function dnsRecord(
  title: string,
  type: string,
  name: string | undefined,
  value: string | undefined,
): Entry[] {
  if (name === undefined || value === undefined) return [];
  const copied = { text: zoneLine({ name, type, value }), what: 'the record in zone-file format' };
  return [
    { ...heading(title), stop: true, copied },
    ...fact('name', name),
    ...fact(type === 'CNAME' ? 'target' : 'value', value),
  ];
}

function served(title: string, url: string | undefined, body: string | undefined): Entry[] {
  if (url === undefined || body === undefined) return [];
  const copied = { text: `${url} ${body}`, what: 'the address and its content' };
  return [{ ...heading(title), stop: true, copied }, ...fact('address', url), ...fact('content', body)];
}
