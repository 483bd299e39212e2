import type { Responsible } from '../../../src/model/diagnosis/finding.ts';
import { attentionOf, gravityOf, lostAt } from '../../../src/model/hostnames/attention.ts';
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
    { heading: 'WHO', by: (row) => actors.indexOf(attentionOf(row)?.who ?? 'nobody') },
    { heading: 'STATE', by: (row) => attentionOf(row)?.state },
    { heading: 'CERTIFICATE', by: ({ record }) => record.ssl?.status },
    { heading: 'STATUS', by: ({ record }) => record.status },
    { heading: 'AGE', by: ({ record }) => ageOf(record, 0) },
    { heading: 'CA', by: ({ record }) => record.ssl?.certificate_authority },
    { heading: 'HOSTNAME', by: ({ record }) => record.hostname },
  ],
};

const actors: readonly Responsible[] = ['us', 'zone-owner', 'customer', 'provider', 'nobody'];
