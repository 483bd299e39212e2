import { type CustomHostname, certificateMessages, type ServedCount } from '../model/hostnames/hostname.ts';
import { daysUntilDeletion, recordAgeMs } from '../model/hostnames/list.ts';
import { zoneLine } from './dns-records.ts';
import { groupDigits } from './size.ts';
import type { TextColumn } from './table.ts';
import { compactDuration } from './time.ts';

/** Columns of a table of custom hostnames. */
export const hostnameColumns: readonly TextColumn[] = [
  { heading: 'HOSTNAME' },
  { heading: 'STATUS' },
  { heading: 'CERTIFICATE' },
  { heading: 'CA' },
  { heading: 'AGE', align: 'right' },
  { heading: 'DELETED IN' },
];

/** Returns the table cells of one record. `movedSeenAt` is when the hostname was first seen with the status `moved`, in milliseconds. */
export function hostnameCells(
  record: CustomHostname,
  now: number,
  movedSeenAt: number | undefined,
): readonly string[] {
  const age = recordAgeMs(record, now);
  const left = record.status === 'moved' ? daysUntilDeletion(movedSeenAt ?? now, now) : undefined;
  const days = left === undefined ? '' : `at most ${left} ${left === 1 ? 'day' : 'days'}`;
  const wildcard = record.ssl?.wildcard === true ? ' (and *.)' : '';
  return [
    `${record.hostname}${wildcard}`,
    record.status ?? '',
    record.ssl?.status ?? 'none',
    record.ssl?.certificate_authority ?? '',
    age === undefined ? '' : compactDuration(Math.max(0, age / 1000)),
    days,
  ];
}

/** Formats a number of hostnames: `12 hostnames`. */
export function formatHostnameCount(count: number): string {
  return count === 1 ? '1 hostname' : `${groupDigits(count)} hostnames`;
}

/** Formats the number of hostnames per status as one line: `1,200 custom hostnames: 1,180 active, 20 moved`. */
export function statusSummary(counts: readonly (readonly [string, number])[]): string {
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const noun = total === 1 ? 'custom hostname' : 'custom hostnames';
  const parts = counts.map(([status, count]) => `${count} ${status}`).join(', ');
  return parts === '' ? `0 ${noun}.` : `${total} ${noun}: ${parts}.`;
}

/** Formats a label and its value. */
export function labelled(label: string, text: string): string {
  return `${label.padEnd(12)} ${text}`;
}

/**
 * Formats a record as lines for people. If `after` is `instructed`, omits the records that must be set, because earlier lines contain these
 * records.
 */
export function hostnameLines(record: CustomHostname, after?: 'instructed'): readonly string[] {
  const { ssl } = record;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['hostname', record.hostname],
    ['id', record.id],
    ['status', record.status],
    ['created', record.created_at],
    ['origin', record.custom_origin_server ?? 'the fallback origin'],
    ['origin SNI', record.custom_origin_sni],
    ['metadata', record.custom_metadata === undefined ? undefined : JSON.stringify(record.custom_metadata)],
    ['certificate', ssl?.status ?? 'none'],
    ['authority', ssl?.certificate_authority],
    ['issuer', ssl?.issuer],
    ['validation', ssl?.method],
    ['names', ssl?.hosts?.join(', ')],
    ['expires', ssl?.expires_on],
    ['minimum TLS', ssl?.settings?.min_tls_version],
  ];
  const shown = facts.flatMap(([label, value]) => (value === undefined ? [] : [labelled(label, value)]));
  const errors = [...(record.verification_errors ?? []), ...certificateMessages(record)];
  return [
    ...(after === 'instructed' ? [] : textLines(record)),
    ...fetchedLines(record),
    ...shown,
    ...errors.map((error) => labelled('error', error)),
  ];
}

/** Formats the TXT records that the platform requires. */
function textLines({ ownership_verification: owner, ssl, status }: CustomHostname): readonly string[] {
  const ownership =
    status === 'active' || owner?.name === undefined || owner.value === undefined
      ? []
      : [labelled('ownership', zoneLine({ name: owner.name, type: 'TXT', value: owner.value }))];
  if (ssl?.status === 'active') return ownership;
  const tokens = (ssl?.validation_records ?? []).flatMap(({ txt_name, txt_value }) =>
    txt_name === undefined || txt_value === undefined
      ? []
      : [labelled('token', zoneLine({ name: txt_name, type: 'TXT', value: txt_value }))],
  );
  return [...ownership, ...tokens];
}

/** Formats the URL from which the authority fetches its token, and the addresses to which it sends email. */
function fetchedLines({ ssl }: CustomHostname): readonly string[] {
  if (ssl?.status === 'active') return [];
  return (ssl?.validation_records ?? []).flatMap(({ http_url, http_body, emails }) => [
    ...(http_url === undefined ? [] : [labelled('token', `${http_url} holds ${http_body ?? '?'}`)]),
    ...(emails === undefined ? [] : [labelled('mail to', emails.join(', '))]),
  ]);
}

const bounds = { exactly: '', 'at most': 'up to ', 'at least': 'at least ' } as const;

/**
 * Describes the hostnames that use a DNS record as their origin, and the effect on these hostnames if the record becomes DNS only
 * (`barely`).
 */
export function describeOrigin(served: ServedCount, barely: boolean): string {
  const line = `In use as the origin of ${describeServed(served)}.`;
  return barely
    ? `${line} If the record is DNS only, requests for these hostnames do not reach the origin, because an origin must be proxied.`
    : line;
}

/** Formats a number: "12 custom hostnames", "up to 1,200 custom hostnames"; "some custom hostnames" if none were counted. */
export function describeServed({ hostnames, bound }: ServedCount): string {
  if (hostnames === 0) return 'some custom hostnames';
  return `${bounds[bound]}${groupDigits(hostnames)} custom hostname${hostnames === 1 ? '' : 's'}`;
}
