import type { Zone, ZoneDnsRecord } from '../../src/model/zones/zone.ts';
import type { WrittenRecord } from '../../src/services/console/records.ts';
import { isHost, isSettable, settableTypes } from '../../src/services/zones/records.ts';
import { escapeText } from '../../src/text/escape.ts';
import { skippedRecords } from '../../src/text/hostname.ts';
import { deleting, reading, saving } from '../kit/keys/busy.ts';
import { onePage } from '../kit/pages.ts';
import { serviceOf } from '../kit/service-of.ts';
import { keptWords } from '../kit/undo-words.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { fileToWrite } from '../ui/forms/named-file.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import type { OwnActions } from '../ui/lists/list-action.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import type { ListOutcome } from '../ui/lists/list-source.ts';
import { hiddenMarks, markedRows } from '../ui/lists/marks.ts';
import { compareBytes, type RowKind } from '../ui/lists/row-kind.ts';
import { tagMenu } from '../ui/lists/tag-menu.ts';
import type { RecordsAction } from './keymap.ts';
import {
  editRecordForm,
  exportRecordsForm,
  newRecordForm,
  type RecordCommand,
  type RecordParts,
  readRecordForm,
  recordsOf,
  removeMarkedForm,
} from './record-forms.ts';
import {
  addedDialog,
  otherRecordDialog,
  proxiedDialog,
  recordWords,
  removeRecordDialog,
  servedDialog,
  wayWords,
} from './record-questions.ts';

export type RecordList = ListController<RecordParts>;

/** The zone's own name first, then by name and type. */
function orderOf({ name, type, content, id }: ZoneDnsRecord, zone: Zone): string {
  return [name === zone.name ? '' : name, type, content, id].join('\0');
}

/** The columns of the records. By name the zone's own record comes first, which only the kind of a zone knows. */
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
    idOf: ({ id }) => id,
    // By the content is found what points somewhere.
    textOf: ({ name, type, content }) => `${name} ${type} ${content}`,
    order: (record) => orderOf(record, zone),
    tagsOf: ({ type, proxied }) => [type, wayWords(proxied)],
    sorts: [
      ...declaredRecordColumns.sorts.slice(0, -1),
      { heading: 'NAME', by: (record) => orderOf(record, zone), isListed: true },
    ],
  };
}

/** The own DNS records of a zone. */
export function recordList(zone: Zone, parts: PaneParts): RecordList {
  const records = serviceOf(parts, 'records');
  const kind = recordKind(zone);
  const inOrder = async (signal: AbortSignal) =>
    (await records.list(zone.id, signal, (count) => parts.notify(skippedRecords(count), 'told'))).toSorted(
      (one, other) => compareBytes(orderOf(one, zone), orderOf(other, zone)),
    );
  return new ListController<RecordParts>(parts, {
    place: { kind: 'records' },
    kind,
    whole: true,
    pages: (_, signal) => onePage(inOrder(signal)),
    busyWith: {
      add: saving,
      change: saving,
      'ask-proxied': reading,
      'ask-remove': reading,
      remove: deleting,
      'remove-marked': deleting,
      export: { kind: 'writing', words: 'exporting' },
    },
    carryOut: (command, signal) => carryOut(command, zone, parts, signal),
    readForm: readRecordForm,
    rowOf: (change) =>
      change.changed === 'record' && change.zoneId === zone.id
        ? { id: change.id, row: change.record }
        : undefined,
  });
}

async function carryOut(
  command: RecordCommand,
  zone: Zone,
  parts: PaneParts,
  signal: AbortSignal,
): Promise<ListOutcome<RecordParts>> {
  const records = serviceOf(parts, 'records');
  switch (command.does) {
    case 'add': {
      const { wanted, agreed } = command;
      const done = await records.add(zone.id, wanted, signal, agreed);
      if (done.outcome === 'origin') return { dialog: addedDialog(wanted, zone, done) };
      return { ...written(zone, done), unfilter: true };
    }
    case 'change': {
      const { before, change, agreed } = command;
      const served = agreed ? undefined : await records.countServed(zone.id, [before], signal);
      if (served !== undefined) return { dialog: servedDialog(before, change, zone, served) };
      const done = await records.change(zone.id, before, change, signal);
      if (done.outcome === 'other') return { dialog: otherRecordDialog(before, done.record, change) };
      return written(zone, done);
    }
    case 'ask-proxied': {
      const { record } = command;
      const served = await records.countServed(zone.id, [record], signal);
      return { dialog: proxiedDialog(record, zone, served) };
    }
    case 'ask-remove':
      return askRemove(command, zone, parts, signal);
    case 'remove': {
      const { record, agreed } = command;
      const served = agreed ? undefined : await records.countServed(zone.id, [record], signal);
      if (served !== undefined)
        return { dialog: removeRecordDialog(record, zone, served, parts.services.undo) };
      const kept = await records.remove(zone.id, record, signal);
      const change = { changed: 'record', zoneId: zone.id, id: record.id, record: undefined } as const;
      return { change, notice: `Deleted ${recordWords(record)}.${keptWords(kept)}` };
    }
    case 'remove-marked':
      return removeMarked(command.records, zone, parts, signal);
    case 'export':
      return exportTo(command, zone, parts, signal);
  }
}

/** One is deleted as one, marked or not: undo keeps it. */
async function askRemove(
  { records, hidden }: Extract<RecordCommand, { does: 'ask-remove' }>,
  zone: Zone,
  parts: PaneParts,
  signal: AbortSignal,
): Promise<ListOutcome<RecordParts>> {
  const served = await serviceOf(parts, 'records').countServed(zone.id, records, signal);
  const [record] = records;
  const dialog =
    records.length === 1 && record !== undefined
      ? removeRecordDialog(record, zone, served, parts.services.undo)
      : removeMarkedForm(records, hidden, zone, served);
  return { dialog };
}

/** Each goes from the list when it is gone: where one is refused, those behind it are still there, and marked. */
async function removeMarked(
  all: readonly ZoneDnsRecord[],
  { id: zoneId }: Zone,
  parts: PaneParts,
  signal: AbortSignal,
): Promise<ListOutcome<RecordParts>> {
  for await (const { id } of serviceOf(parts, 'records').removeAll(zoneId, all, signal))
    parts.changes.tell({ changed: 'record', zoneId, id, record: undefined });
  return { notice: `Deleted ${recordsOf(all.length)}.`, unmark: true };
}

const outcomes: Readonly<Record<WrittenRecord['outcome'], string>> = {
  made: 'Added',
  changed: 'Changed',
  there: 'There is already',
  other: 'Left alone',
};

function written({ id: zoneId }: Zone, { outcome, record, kept }: WrittenRecord): ListOutcome<RecordParts> {
  const notice = `${outcomes[outcome]} ${recordWords(record)}.${keptWords(kept)}`;
  return { notice, change: { changed: 'record', zoneId, id: record.id, record } };
}

async function exportTo(
  command: Extract<RecordCommand, { does: 'export' }>,
  zone: Zone,
  parts: PaneParts,
  signal: AbortSignal,
): Promise<ListOutcome<RecordParts>> {
  const again = command.replace ? undefined : { ...command, replace: true };
  const file = await fileToWrite(parts.world, command.path, again);
  if ('errors' in file || 'dialog' in file) return file;
  let left = '';
  const count = await serviceOf(parts, 'records').save(zone.id, file.path, signal, (skipped) => {
    left = ` ${skippedRecords(skipped)}`;
  });
  return {
    notice: `Wrote ${recordsOf(count)} of ${escapeText(zone.name)} to ${escapeText(command.path)}.${left}`,
  };
}

/** Actions of the pane's keys. */
export function recordActions(list: RecordList, zone: Zone, parts: PaneParts): OwnActions<RecordsAction> {
  const record = list.selected;
  const marked = markedRows(list.list);
  const edits = (act: (one: ZoneDnsRecord) => void) => () => {
    if (record === undefined) return;
    if (isSettable(record.type)) act(record);
    else
      parts.notify(
        `${settableTypes.join(', ')} records are made and changed here, and no others.`,
        'refused',
      );
  };
  const edit = edits((one) => list.ask(editRecordForm(one)));
  return {
    open: edit,
    edit,
    create: () => list.ask(newRecordForm(zone)),
    'copy-record': edits((one) => list.ask(newRecordForm(zone, one))),
    proxied: edits((one) => {
      if (isHost(one.type)) list.perform({ does: 'ask-proxied', record: one });
      else parts.notify(`A ${one.type} record cannot be proxied: only A, AAAA and CNAME can.`, 'refused');
    }),
    remove() {
      const [one = record] = marked;
      if (one === undefined) return;
      if (marked.length < 2 && parts.services.undo?.asks === false)
        list.perform({ does: 'remove', record: one });
      else {
        const records = marked.length < 2 ? [one] : marked;
        list.perform({ does: 'ask-remove', records, hidden: hiddenMarks(list.list) });
      }
    },
    export: () => list.ask(exportRecordsForm(zone)),
    status: () => list.ask(tagMenu(list.list, tags)),
    copy: () => record && parts.notify(parts.copy(Buffer.from(record.content), 'the content')),
  };
}

const ways = [wayWords(true), wayWords(false)];

const tags = {
  groupOf: (tag: string) => (ways.includes(tag) ? 'way' : 'type'),
  rankOf: (tag: string) => ways.indexOf(tag) + 1,
};
