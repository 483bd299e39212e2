import type { Zone, ZoneDnsRecord } from '../../src/model/zones/zone.ts';
import { skippedRecords } from '../../src/text/dns-records.ts';
import { onePage } from '../kit/pages.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import { compareBytes, type RowKind } from '../ui/lists/row-kind.ts';
import type { TagOrder } from '../ui/lists/tag-menu.ts';
import { describeProxying } from './record-questions.ts';

/** Returns a sort key: the records of the zone's own name come first, then the other records by name, type and content. */
function sortKey({ name, type, content, id }: ZoneDnsRecord, zone: Zone): string {
  return [name === zone.name ? '' : name, type, content, id].join('\0');
}

/** The columns of the records. `recordKind` replaces the sort order of NAME, because that order depends on the zone. */
export const declaredRecordColumns = declareColumns<ZoneDnsRecord>()(
  {
    TYPE: ({ type }) => type,
    CONTENT: ({ content }) => content,
    PROXIED: ({ proxied }) => (proxied === true ? 0 : 1),
    TTL: ({ ttl }) => ttl,
  },
  { heading: 'NAME', by: ({ name }) => name },
);

function recordKind(zone: Zone): RowKind<ZoneDnsRecord> {
  return {
    getId: ({ id }) => id,
    // The filter also searches the content, to find the records that point to a name.
    getText: ({ name, type, content }) => `${name} ${type} ${content}`,
    order: (record) => sortKey(record, zone),
    getTags: ({ type, proxied }) => [type, describeProxying(proxied)],
    sorts: [
      ...declaredRecordColumns.sorts.slice(0, -1),
      { heading: 'NAME', by: (record) => sortKey(record, zone), isListed: true },
    ],
  };
}

/** Returns the list of a zone's DNS records. */
export function recordList(zone: Zone, parts: PaneParts): ListController<ZoneDnsRecord> {
  const records = requireService(parts, 'records');
  const kind = recordKind(zone);
  const inOrder = async (signal: AbortSignal) =>
    (await records.list(zone.id, signal, (count) => parts.notify(skippedRecords(count), 'told'))).toSorted(
      (one, other) => compareBytes(sortKey(one, zone), sortKey(other, zone)),
    );
  return new ListController<ZoneDnsRecord>(parts, {
    place: { kind: 'records' },
    kind,
    whole: true,
    pages: (_, signal) => onePage(inOrder(signal)),
    rowChange: (change) =>
      change.changed === 'record' && change.zoneId === zone.id
        ? { id: change.id, row: change.record }
        : undefined,
  });
}

const ways = [describeProxying(true), describeProxying(false)];

/** The groups and the order of the tags in the filter menu. */
export const recordTags: TagOrder = {
  getGroup: (tag) => (ways.includes(tag) ? 'proxy' : 'type'),
  getRank: (tag) => ways.indexOf(tag) + 1,
};
