import type { ZoneDnsRecord } from '../../src/model/zones/zone.ts';
import { zoneLine } from '../../src/text/dns-records.ts';
import { actionHandlers, listEquivalents } from '../kit/keys/action.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { type DrawnColumns, drawColumns } from '../ui/lists/declared-columns.ts';
import { ListPane } from '../ui/lists/ListPane.tsx';
import type { Previewed } from '../ui/preview/previewed.ts';
import { type Entry, entryLines } from '../ui/viewer/entries.ts';
import { recordActions } from './record-actions.ts';
import { ttlText } from './record-forms.ts';
import { declaredRecordColumns, recordList } from './record-list.ts';
import { describeProxying } from './record-questions.ts';

interface RecordsPaneProps {
  readonly opened: Extract<OpenPane, { pane: 'records' }>;
  readonly visible: boolean;
}

/** Lists the DNS records of a zone. */
export function RecordsPane({ opened: { zone }, visible }: RecordsPaneProps) {
  const parts = useConsole();
  const list = useController(() => recordList(zone, parts));
  const here = () => ({ list: list.list, record: list.selected, zone, parts });
  return (
    <ListPane
      list={list}
      mode="records"
      visible={visible}
      rowNames={{ one: 'DNS record', many: 'DNS records' }}
      columns={() => columns}
      name={{ heading: 'NAME', cell: ({ name }) => name }}
      preview={recordPreview}
      words={[zone.name]}
      emptyWords={({ readOnly }) =>
        readOnly ? 'No DNS records.' : 'No DNS records yet: press n to add one.'
      }
      equivalents={() => listEquivalents(recordActions, here())}
      actions={() => actionHandlers(recordActions, here(), list.take)}
    />
  );
}

export const columns: DrawnColumns<ZoneDnsRecord> = drawColumns(declaredRecordColumns, {
  TYPE: { width: 5, importance: 4, cell: ({ type }) => type },
  CONTENT: { width: 14, maxWidth: 44, importance: 3, cell: ({ content }) => content },
  PROXIED: {
    width: 8,
    importance: 2,
    cell: ({ proxied }) => describeProxying(proxied),
    role: ({ proxied }) => (proxied === true ? 'badge' : 'dim'),
  },
  TTL: {
    width: 5,
    importance: 1,
    align: 'right',
    cell: ({ ttl }) => ttlText(ttl),
    role: () => 'dim',
  },
});

/** Returns the preview of a record. Sends no request. */
function recordPreview(record: ZoneDnsRecord): Previewed {
  const { id, name, type, content, proxied, ttl } = record;
  const way =
    proxied === true
      ? 'Proxied: visitors reach the name through the edge.'
      : 'DNS only: visitors reach the content of the record directly.';
  const entries: Entry[] = [
    { text: content },
    { text: '' },
    { text: way },
    { text: ttl === undefined || ttl === 1 ? 'TTL: automatic' : `TTL: ${ttl} seconds` },
    { text: '' },
    { text: 'As in a zone file', role: 'dim' },
    { text: zoneLine({ name, type, value: content }), role: 'badge' },
    { text: '' },
    { text: `id ${id}`, role: 'dim' },
  ];
  return {
    id: `record ${JSON.stringify(record)}`,
    title: name,
    content: { counts: type, lines: (surface) => entryLines(entries, surface) },
  };
}
