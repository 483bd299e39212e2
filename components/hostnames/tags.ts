import { attentionOf } from '../../src/model/hostnames/attention.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import type { TagOrder } from '../ui/lists/tag-menu.ts';

const needsAction = 'needs action';
const inService = 'in service';

/** Before a status that is the certificate's, and before one of the hostname's own. */
const prefixes = { certificate: 'certificate ', status: 'status ' };

/** Kinds of faults, most severe first: states in Home's words. */
const kinds = [
  'moved',
  'deleted',
  'expired',
  'CAA',
  'held',
  'blocked',
  'timed out',
  'faulty',
  'warning',
  'pending',
];

/** The words that a list of hostnames can be narrowed to: its kind of fault, its certificate's status and its own. */
export function tagsOf(row: HostnameRow): readonly string[] {
  const { record } = row;
  const attention = attentionOf(row);
  const isActed = attention !== undefined && attention.who !== 'nobody';
  return [
    ...(isActed ? [needsAction] : []),
    attention?.state ?? inService,
    `${prefixes.certificate}${record.ssl?.status ?? 'none'}`,
    `${prefixes.status}${record.status ?? 'none'}`,
  ];
}

/** One kind of fault, one status of the certificate and one of the hostname can be chosen together. */
export const hostnameTags: TagOrder = {
  groupOf(tag) {
    if (tag.startsWith(prefixes.certificate)) return 'certificate';
    return tag.startsWith(prefixes.status) ? 'status' : 'kind';
  },
  rankOf(tag) {
    if (tag === needsAction) return 0;
    if (tag === inService) return 1 + kinds.length;
    const at = kinds.indexOf(tag);
    if (at !== -1) return 1 + at;
    return kinds.length + (tag.startsWith(prefixes.certificate) ? 2 : 3);
  },
};
