import type { Responsible } from '../../src/model/diagnosis/finding.ts';
import { certificateEnd, findAttention, urgencyKey } from '../../src/model/hostnames/attention.ts';
import { recordAgeMs } from '../../src/model/hostnames/list.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import type { RowKind } from '../ui/lists/row-kind.ts';
import { listTags } from './tags.ts';
import { toShown } from './watch.ts';

/** The columns of a list of hostnames, with their sort values. */
export const declaredColumns = declareColumns<HostnameRow>()(
  {
    SEVERITY: urgencyKey,
    EXPIRY: ({ record }) => certificateEnd(record),
    WHO: (row) => actors.indexOf(findAttention(row)?.who ?? 'nobody'),
    STATE: (row) => findAttention(row)?.state,
    CERTIFICATE: ({ record }) => record.ssl?.status,
    STATUS: ({ record }) => record.status,
    AGE: ({ record }) => recordAgeMs(record, 0),
    CA: ({ record }) => record.ssl?.certificate_authority,
  },
  { heading: 'HOSTNAME', by: ({ record }) => record.hostname },
);

/** The hostnames of a zone, most urgent first. */
export const hostnameKind: RowKind<HostnameRow> = {
  getId: ({ record }) => record.id,
  getText: ({ record }) => record.hostname,
  // In the platform's own order, a new hostname would be hard to find.
  order: 'newest-first',
  firstSort: 'SEVERITY',
  getTags: listTags,
  getCompared: toShown,
  sorts: declaredColumns.sorts,
};

const actors: readonly Responsible[] = ['us', 'zone-owner', 'customer', 'provider', 'nobody'];
