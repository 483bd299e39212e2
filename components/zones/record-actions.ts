import type { Zone, ZoneDnsRecord } from '../../src/model/zones/zone.ts';
import type { NewRecord, WrittenRecord } from '../../src/services/console/records.ts';
import { recordAdd, recordDelete, recordList, recordSet } from '../../src/services/equivalents/zones.ts';
import { isHost, isSettable, type RecordChange, settableTypes } from '../../src/services/zones/records.ts';
import { skippedRecords } from '../../src/text/dns-records.ts';
import type { PaneAction } from '../kit/keys/action.ts';
import { deleting, reading, saving } from '../kit/keys/busy.ts';
import { cannotWrite, cannotWriteSelected, moveShortcuts, noSelection } from '../kit/keys/conditions.ts';
import { filterShortcuts } from '../kit/keys/finding.ts';
import { cannotWriteChosen, dangerOfSeveral, markShortcuts, withCount } from '../kit/keys/marks.ts';
import { requireService } from '../kit/require-service.ts';
import { undoHint } from '../kit/undo-notice.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { type ActionResult, formDialog, type PaneOutcome, type Work } from '../ui/forms/dialog.ts';
import { openForm } from '../ui/forms/form-state.ts';
import { fileToWrite } from '../ui/forms/named-file.ts';
import type { ListResult } from '../ui/lists/list-state.ts';
import { countHiddenMarks, markedRows } from '../ui/lists/marks.ts';
import type { PagedList } from '../ui/lists/paged-list.ts';
import { tagMenu } from '../ui/lists/tag-menu.ts';
import { editRecordForm, newRecordForm } from './record-forms.ts';
import { recordTags } from './record-list.ts';
import {
  addedDialog,
  describeRecord,
  formatRecordCount,
  otherRecordDialog,
  proxiedDialog,
  removeMarkedForm,
  removeRecordDialog,
  servedDialog,
} from './record-questions.ts';

/** The input of work on DNS records: the zone of the records, and the parts of the pane. */
interface At {
  readonly zone: Zone;
  readonly parts: PaneParts;
}

interface Here extends At {
  readonly list: PagedList<ZoneDnsRecord>;
  /** The selected record. */
  readonly record: ZoneDnsRecord | undefined;
}

/** The actions on the DNS records of a zone. */
export const recordActions: ReadonlyArray<PaneAction<Here, ListResult>> = [
  {
    does: 'open',
    press: ['enter', 'right', 'l'],
    label: 'record',
    about: "Open the record's fields for editing",
    unless: cannotWriteSelected,
    quiet: true,
    run: edit,
  },
  {
    does: 'create',
    press: ['n'],
    label: 'new',
    about: 'Add a DNS record',
    unless: cannotWrite,
    run: (here) => ({ dialog: newRecordForm(here.zone, (wanted) => adding(wanted, here)) }),
    equivalents: ({ zone, record }) => (record ? [] : [recordAdd(zone.id)]),
  },
  {
    does: 'edit',
    press: ['e'],
    label: 'edit',
    about: 'Change the content, proxying and TTL of the record',
    unless: cannotWriteSelected,
    run: edit,
    equivalents: ({ zone, record }) => (record ? [recordSet(zone.id, record)] : []),
  },
  {
    does: 'remove',
    press: ['d'],
    label: 'delete',
    labelIn: withCount('delete'),
    about: 'Delete the record, or all marked records, after confirmation',
    danger: dangerOfSeveral,
    unless: cannotWriteChosen,
    run: remove,
    equivalents: ({ zone, record }) => (record ? [recordDelete(zone.id, record)] : []),
  },
  {
    does: 'proxied',
    press: ['X'],
    label: 'proxied',
    about: 'Switch between proxied (through the edge) and DNS only, after confirmation',
    unless: cannotWriteSelected,
    run: (here) =>
      onSettable(here, (record) =>
        isHost(record.type)
          ? askingToProxy(record, here)
          : { refusal: `A ${record.type} record cannot be proxied: only A, AAAA and CNAME can.` },
      ),
  },
  ...filterShortcuts,
  {
    does: 'status',
    press: ['s'],
    label: 'filter by type',
    about: 'Filter by type or by proxying, with counts',
    run: ({ list }) => ({ dialog: tagMenu(list, recordTags) }),
  },
  {
    does: 'copy-record',
    press: ['c'],
    label: 'copy',
    about: 'Add a copy of the record',
    unless: cannotWriteSelected,
    run: (here) =>
      onSettable(here, (record) => ({
        dialog: newRecordForm(here.zone, (wanted) => adding(wanted, here), record),
      })),
  },
  ...markShortcuts,
  {
    does: 'export',
    press: ['w'],
    label: 'export',
    about: 'Export all records to a file, as JSON',
    run: askToExport,
  },
  {
    does: 'refresh',
    press: ['r'],
    label: 'reload',
    about: 'Reload the list and keep the selection',
    equivalents: ({ zone }) => [recordList(zone.id)],
  },
  {
    does: 'copy',
    press: ['y'],
    label: 'copy content',
    about: 'Copy the content of the record',
    unless: noSelection,
    run: ({ record, parts }) => record && { notice: parts.copy(Buffer.from(record.content), 'the content') },
  },
  {
    does: 'back',
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Clear the filters, then the marks, then go back',
  },
  ...moveShortcuts,
];

/** Runs an action on the record, or refuses a record whose type edgectl cannot set. */
function onSettable({ record }: Here, run: (record: ZoneDnsRecord) => ActionResult): ActionResult {
  if (record === undefined || isSettable(record.type)) return record && run(record);
  return { refusal: `Only ${settableTypes.join(', ')} records can be created and changed here.` };
}

function edit(here: Here): ActionResult {
  return onSettable(here, (record) => ({
    dialog: editRecordForm(record, (change) => changing(record, change, here)),
  }));
}

/** Returns the work that adds a record. `agreed`: whether the user has confirmed a change to the origin of custom hostnames. */
function adding(wanted: NewRecord, at: At, agreed = false): Work {
  const { zone, parts } = at;
  return {
    busy: saving,
    async run(signal) {
      const done = await requireService(parts, 'records').add(zone.id, wanted, signal, agreed);
      if (done.outcome === 'origin')
        return { dialog: addedDialog(wanted, zone, done, adding(wanted, at, true)) };
      return { ...written(zone, done), unfilter: true };
    },
  };
}

/** Returns the work that changes a record. `agreed`: whether the user has confirmed a change to the origin of custom hostnames. */
function changing(before: ZoneDnsRecord, change: RecordChange, at: At, agreed = false): Work {
  const { zone, parts } = at;
  return {
    busy: saving,
    row: before.id,
    async run(signal) {
      const records = requireService(parts, 'records');
      const served = agreed ? undefined : await records.countServed(zone.id, [before], signal);
      if (served !== undefined)
        return { dialog: servedDialog(before, change, zone, served, changing(before, change, at, true)) };
      const done = await records.change(zone.id, before, change, signal);
      if (done.outcome !== 'other') return written(zone, done);
      const { record } = done;
      return { dialog: otherRecordDialog(before, record, change, changing(record, change, at, true)) };
    },
  };
}

const outcomes: Readonly<Record<WrittenRecord['outcome'], string>> = {
  made: 'Added',
  changed: 'Changed',
  there: 'Already exists:',
  other: 'Unchanged:',
};

function written({ id: zoneId }: Zone, { outcome, record, canUndo }: WrittenRecord): PaneOutcome {
  const notice = `${outcomes[outcome]} ${describeRecord(record)}.${undoHint(canUndo)}`;
  return { notice, change: { changed: 'record', zoneId, id: record.id, record } };
}

function askingToProxy(record: ZoneDnsRecord, at: At): Work {
  const { zone, parts } = at;
  const command = changing(record, { proxied: record.proxied !== true }, at, true);
  return {
    busy: reading,
    async run(signal) {
      const served = await requireService(parts, 'records').countServed(zone.id, [record], signal);
      return { dialog: proxiedDialog(record, zone, served, command) };
    },
  };
}

/** Deletes the marked records, or the selected record if none is marked. The deletion of several records cannot be undone. */
function remove(here: Here): Work | undefined {
  const { list, record, parts } = here;
  const marked = markedRows(list);
  if (marked.length > 1) return askingToRemove(marked, countHiddenMarks(list), here);
  const [one = record] = marked;
  if (one === undefined) return undefined;
  return parts.services.undo?.asks === false
    ? removing(one, here)
    : askingToRemove([one], countHiddenMarks(list), here);
}

function askingToRemove(records: readonly ZoneDnsRecord[], hidden: number, at: At): Work {
  const { zone, parts } = at;
  return {
    busy: reading,
    async run(signal) {
      const served = await requireService(parts, 'records').countServed(zone.id, records, signal);
      const [record] = records;
      const dialog =
        records.length === 1 && record !== undefined
          ? removeRecordDialog(record, zone, served, parts.services.undo, removing(record, at, true))
          : removeMarkedForm(records, hidden, zone, served, removingAll(records, at));
      return { dialog };
    },
  };
}

/** Returns the work that deletes a record. `agreed`: whether the user has confirmed the deletion. */
function removing(record: ZoneDnsRecord, at: At, agreed = false): Work {
  const { zone, parts } = at;
  return {
    busy: deleting,
    row: record.id,
    async run(signal) {
      const records = requireService(parts, 'records');
      const served = agreed ? undefined : await records.countServed(zone.id, [record], signal);
      if (served !== undefined) {
        const again = removing(record, at, true);
        return { dialog: removeRecordDialog(record, zone, served, parts.services.undo, again) };
      }
      const canUndo = await records.remove(zone.id, record, signal);
      const change = { changed: 'record', zoneId: zone.id, id: record.id, record: undefined } as const;
      return { change, notice: `Deleted ${describeRecord(record)}.${undoHint(canUndo)}` };
    },
  };
}

/**
 * Returns the work that deletes records one by one, and removes each from the list. After a failure, the other records stay listed and
 * marked.
 */
function removingAll(all: readonly ZoneDnsRecord[], { zone: { id: zoneId }, parts }: At): Work {
  return {
    busy: deleting,
    async run(signal) {
      for await (const { id } of requireService(parts, 'records').removeAll(zoneId, all, signal))
        parts.changes.announce({ changed: 'record', zoneId, id, record: undefined });
      return { notice: `Deleted ${formatRecordCount(all.length)}.`, unmark: true };
    },
  };
}

/** Asks for the file to which all records are exported. */
function askToExport(at: At): PaneOutcome {
  const { name } = at.zone;
  const note = 'Relative to the working directory. A JSON array with all records.';
  const form = openForm(`Export the DNS records in ${name}`, [
    { name: 'path', label: 'File', value: `${name}.dns.json`, note, completes: 'path' },
  ]);
  const dialog = formDialog({ ...form, submit: 'export' }, ({ path = '' }) =>
    path.trim() === '' ? { errors: { path: 'Enter the name of a file.' } } : { work: exporting(path, at) },
  );
  return { dialog };
}

/** Returns the work that exports all records to a file. `agreed`: whether the user has agreed to overwrite an existing file. */
function exporting(typed: string, at: At, agreed = false): Work {
  const { zone, parts } = at;
  return {
    busy: { kind: 'writing', words: 'exporting' },
    async run(signal) {
      const again = agreed ? undefined : exporting(typed, at, true);
      const file = await fileToWrite(parts.world, typed, again);
      if (!('path' in file)) return file;
      let left = '';
      const count = await requireService(parts, 'records').save(zone.id, file.path, signal, (skipped) => {
        left = ` ${skippedRecords(skipped)}`;
      });
      const notice = `Wrote ${formatRecordCount(count)} from ${zone.name} to ${typed}.${left}`;
      return { notice };
    },
  };
}
