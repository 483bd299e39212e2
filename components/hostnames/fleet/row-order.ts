import type { Responsible } from '../../../src/model/diagnosis/finding.ts';
import { attentionOf, gravity } from '../../../src/model/hostnames/attention.ts';
import { dayMilliseconds, hostnameLimits } from '../../../src/model/hostnames/hostname.ts';
import { ageOf } from '../../../src/model/hostnames/list.ts';
import type { HostnameRow } from '../../../src/services/hostnames/rows.ts';
import type { RowKind } from '../../lists/row-kind.ts';
import { tagsOf } from './tags.ts';

/** The hostnames of a zone: what needs somebody most comes first. */
export const hostnameKind: RowKind<HostnameRow> = {
  idOf: ({ record }) => record.id,
  textOf: ({ record }) => record.hostname,
  // The platform's order is its own, so that nobody would find a new hostname in it.
  order: 'newest-first',
  firstSort: 'SEVERITY',
  tagsOf,
  sorts: [
    { heading: 'SEVERITY', by: gravityOf },
    { heading: 'LEFT', by: lostAt },
    { heading: 'WHO', by: (row) => actors.indexOf(attentionOf(row, 0)?.who ?? 'nobody') },
    { heading: 'STATE', by: (row) => attentionOf(row, 0)?.state },
    { heading: 'CERTIFICATE', by: ({ record }) => record.ssl?.status },
    { heading: 'STATUS', by: ({ record }) => record.status },
    { heading: 'AGE', by: ({ record }) => ageOf(record, 0) },
    { heading: 'CA', by: ({ record }) => record.ssl?.certificate_authority },
    { heading: 'HOSTNAME', by: ({ record }) => record.hostname },
  ],
};

const actors: readonly Responsible[] = ['us', 'zone-owner', 'customer', 'provider', 'nobody'];

/**
 * Text that grows as a hostname needs somebody less: the graver first, of those what is lost or was begun sooner. It does
 * not go by the time: what is sorted stays where it is as time goes by.
 */
export function gravityOf(row: HostnameRow): string {
  const attention = attentionOf(row, 0);
  const rank = attention === undefined ? gravity.length : gravity.indexOf(attention.severity);
  // What is under way for long is graver than what has just begun, and it began earlier.
  const since = Date.parse(row.record.created_at ?? '');
  const at = lostAt(row) ?? (Number.isNaN(since) ? latest : since);
  return `${rank} ${String(at).padStart(16, '0')} ${attention?.state ?? ''}`;
}

const latest = Number.MAX_SAFE_INTEGER;

/** When a hostname in Moved is deleted at the latest, or the certificate of another ends; undefined where neither is known. */
function lostAt({ record, movedSeenAt }: HostnameRow): number | undefined {
  if (record.status === 'moved')
    return movedSeenAt === undefined ? latest : movedSeenAt + hostnameLimits.movedDays * dayMilliseconds;
  const ends = Date.parse(record.ssl?.expires_on ?? '');
  return Number.isNaN(ends) || record.ssl?.status !== 'active' ? undefined : ends;
}
