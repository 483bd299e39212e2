import type { ServedCount } from '../../src/model/hostnames/hostname.ts';
import type { Zone, ZoneDnsRecord } from '../../src/model/zones/zone.ts';
import type { AffectedOrigin, NewRecord } from '../../src/services/console/records.ts';
import type { UndoService } from '../../src/services/console/undo.ts';
import type { RecordChange } from '../../src/services/zones/records.ts';
import { describeOrigin, describeServed } from '../../src/text/hostname.ts';
import { groupDigits } from '../../src/text/size.ts';
import { dangerWithUndo } from '../kit/danger.ts';
import { undoNotice } from '../kit/undo-notice.ts';
import { type Dialog, formDialog, type Work } from '../ui/forms/dialog.ts';
import {
  type DialogLine,
  differenceLine,
  hiddenLines,
  quoteLine,
  sampleLine,
} from '../ui/forms/dialog-lines.ts';
import { openForm } from '../ui/forms/form-state.ts';
import { ttlText } from './record-forms.ts';

type RecordDialog = Dialog<Work>;

/** Returns the name and type of a record. */
export function describeRecord({ name, type }: ZoneDnsRecord): string {
  return `${name} ${type}`;
}

/** Returns the question that asks whether to delete a record. */
export function removeRecordDialog(
  record: ZoneDnsRecord,
  { name }: Zone,
  served: ServedCount | undefined,
  undo: UndoService | undefined,
  remove: Work,
): RecordDialog {
  const question = {
    question: `Delete the DNS record ${describeRecord(record)}?`,
    lost: [
      `Zone: ${name}.`,
      quoteLine('Content: ', record.content, 200),
      ...(served === undefined ? [] : [describeOrigin(served, false)]),
      `The content, TTL and comment ${undoNotice(undo)}`,
    ],
    danger: dangerWithUndo(undo),
    yes: 'delete it',
  };
  return { kind: 'confirm', question, command: remove };
}

/**
 * Returns the form that asks for the number of marked records before deleting them. `hidden` is the number of marked records that the
 * filter hides.
 */
export function removeMarkedForm(
  records: readonly ZoneDnsRecord[],
  hidden: number,
  { name }: Zone,
  served: ServedCount | undefined,
  remove: Work,
): RecordDialog {
  const { length } = records;
  const form = openForm(
    `Delete ${formatRecordCount(length)} from ${name}`,
    [{ name: 'number', label: 'Number', value: '', note: `Type ${length} to delete them.` }],
    [
      sampleLine(records.map((record) => `${record.name} ${record.type}`)),
      ...hiddenLines(hidden),
      ...(served === undefined ? [] : [`These records are the origin of ${describeServed(served)}.`]),
      'Changes to several records are not saved for undo.',
    ],
  );
  return formDialog({ ...form, submit: 'delete', danger: 'permanent' }, ({ number = '' }) =>
    number.trim() === String(length)
      ? { work: remove }
      : { errors: { number: `Wrong number: type ${length}.` } },
  );
}

/** Formats a number of DNS records: `12 DNS records`. */
export function formatRecordCount(count: number): string {
  return count === 1 ? '1 DNS record' : `${groupDigits(count)} DNS records`;
}

/** Returns the question that asks whether to switch the proxying of a record. */
export function proxiedDialog(
  before: ZoneDnsRecord,
  { name }: Zone,
  served: ServedCount | undefined,
  change: Work,
): RecordDialog {
  const proxied = before.proxied !== true;
  const question = {
    question: proxied
      ? `Proxy ${describeRecord(before)}: send its visitors through the edge?`
      : `Stop proxying ${describeRecord(before)}, so that visitors reach it directly?`,
    lost: [
      `Zone: ${name}.`,
      proxied
        ? 'DNS then returns edge addresses. The edge needs a certificate for the name.'
        : 'DNS then returns the content of the record: the address is public, and the edge no longer protects it.',
      ...(served === undefined ? [] : [describeOrigin(served, !proxied)]),
    ],
    danger: 'change' as const,
    yes: proxied ? 'proxy it' : 'make it DNS only',
  };
  return { kind: 'confirm', question, command: change };
}

/** Returns the question that asks whether to change a record that is the origin of custom hostnames. */
export function servedDialog(
  before: ZoneDnsRecord,
  change: RecordChange,
  { name }: Zone,
  served: ServedCount,
  command: Work,
): RecordDialog {
  const bared = before.proxied === true && change.proxied === false;
  const question = {
    question: `Change ${describeRecord(before)}?`,
    lost: [
      `Zone: ${name}.`,
      fieldsLine('Now:    ', before),
      fieldsLine('Yours:  ', changed(before, change)),
      describeOrigin(served, bared),
    ],
    danger: 'change' as const,
    yes: 'change it',
  };
  return { kind: 'confirm', question, command };
}

/** Returns the question that asks whether to add or change a record of a name that is the origin of custom hostnames. */
export function addedDialog(
  wanted: NewRecord,
  { name }: Zone,
  { served, touched }: AffectedOrigin,
  add: Work,
): RecordDialog {
  const isAdded = touched.added.length > 0;
  const bared = wanted.proxied === false && touched.records.some(({ proxied }) => proxied === true);
  const question = {
    question: isAdded
      ? `Add another ${wanted.type} record to ${wanted.name}?`
      : `Change the existing ${wanted.type} record?`,
    lost: [
      `Zone: ${name}.`,
      ...touched.records.map((record) => fieldsLine('Now:    ', record)),
      fieldsLine('Yours:  ', wanted),
      describeOrigin(served, !isAdded && bared),
    ],
    danger: 'change' as const,
    yes: isAdded ? 'add it' : 'change it',
  };
  return { kind: 'confirm', question, command: add };
}

/** Returns the question that asks whether to make a change even though someone else has changed the record meanwhile. */
export function otherRecordDialog(
  before: ZoneDnsRecord,
  now: ZoneDnsRecord,
  change: RecordChange,
  command: Work,
): RecordDialog {
  const question = {
    question: `${describeRecord(now)} has changed since you opened it. Change it anyway?`,
    lost: [
      fieldsLine('Before:    ', before),
      fieldsLine('Now:       ', now),
      fieldsLine('Yours:     ', changed(now, change)),
    ],
    danger: 'change' as const,
    yes: 'change it',
  };
  return { kind: 'confirm', question, command };
}

function changed(now: ZoneDnsRecord, { content, proxied, ttl }: RecordChange): ZoneDnsRecord {
  return {
    ...now,
    ...(content !== undefined && { content }),
    ...(proxied !== undefined && { proxied }),
    ...(ttl !== undefined && { ttl }),
  };
}

function fieldsLine(
  before: string,
  { content, proxied, ttl }: Pick<NewRecord, 'content' | 'proxied' | 'ttl'>,
): DialogLine {
  const text = `${content}, ${describeProxying(proxied)}, TTL ${ttlText(ttl)}`;
  return differenceLine(before.startsWith('Yours') ? '+' : '-', text, 120, before);
}

/** Returns `proxied` or `DNS only`. */
export function describeProxying(proxied: boolean | undefined): string {
  return proxied === true ? 'proxied' : 'DNS only';
}
