import { findAttention } from '../../src/model/hostnames/attention.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import type { TagOrder } from '../ui/lists/tag-menu.ts';

const needsAction = 'needs action';
const active = 'active';

/** Prefixes that distinguish a certificate's status from the hostname's status. */
const prefixes = { certificate: 'certificate ', status: 'status ' };

/** The states of faulty hostnames, most severe first, with the same words as on Home. */
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
  'overdue',
  'pending',
];

/** Returns the tags of a hostname for the list's filter: whether someone must act, its state, certificate status and hostname status. */
export function listTags(row: HostnameRow): readonly string[] {
  const { record } = row;
  const attention = findAttention(row);
  const isActed = attention !== undefined && attention.who !== 'nobody';
  return [
    ...(isActed ? [needsAction] : []),
    attention?.state ?? active,
    `${prefixes.certificate}${record.ssl?.status ?? 'none'}`,
    `${prefixes.status}${record.status ?? 'none'}`,
  ];
}

/**
 * The groups and the order of the tags in the filter menu. The filter can combine one tag from each group: state, certificate status and
 * hostname status.
 */
export const hostnameTags: TagOrder = {
  getGroup(tag) {
    if (tag.startsWith(prefixes.certificate)) return 'certificate';
    return tag.startsWith(prefixes.status) ? 'hostname' : 'state';
  },
  getLabel: (tag) => tag.replace(/^(?:certificate|status) /, ''),
  getRank(tag) {
    if (tag === needsAction) return 0;
    if (tag === active) return 1 + kinds.length;
    const at = kinds.indexOf(tag);
    if (at !== -1) return 1 + at;
    if (tag.startsWith(prefixes.certificate)) return kinds.length + 2;
    return tag.startsWith(prefixes.status) ? kinds.length + 3 : kinds.indexOf('pending') + 0.5;
  },
};
