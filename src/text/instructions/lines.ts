import type { NextStep } from '../../model/diagnosis/finding.ts';
import type { Attention } from '../../model/hostnames/attention.ts';
import type { InstructedRecord, Instructions } from '../../model/instructions/instructions.ts';
import { zoneLine } from '../dns-records.ts';
import { remedyLines } from '../finding.ts';
import { labelled } from '../hostname.ts';
import { describeState } from './words.ts';

/**
 * Formats, as lines for an operator, the records that a customer must set (as lines of a zone file, grouped by state), and then who must
 * act.
 */
export function instructedLines({
  instructions,
  attention,
  remedy,
  place,
}: {
  readonly instructions: Instructions;
  readonly attention: Attention | undefined;
  readonly remedy: NextStep | undefined;
  /** Flags that make an advised command act on the same profile, zone and platform. */
  readonly place?: readonly string[];
}): readonly string[] {
  const { records, topNote } = instructions;
  const recordLines = records.map((record) => zoneLine({ ...record, name: record.fullName }));
  const isDone = records.every(({ state }) => state === 'there');
  const advised = attention === undefined || remedy === undefined ? [] : remedyLines(remedy, place);
  return [
    ...records.map((record, at) => labelled(formatLabel(record), recordLines[at] ?? '')),
    ...(topNote === undefined || isDone ? [] : [labelled('note', topNote)]),
    ...attentionLines(attention),
    ...advised.filter((line) => !recordLines.includes(line)).map((line) => labelled('', line)),
  ];
}

function formatLabel(record: InstructedRecord): string {
  const words = describeState(record);
  return words === 'to create' ? 'to set' : words === 'to remove' ? 'to remove' : words;
}

function attentionLines(attention: Attention | undefined): readonly string[] {
  if (attention === undefined) return [];
  const { who, severity, cause, next, diagnosedAt } = attention;
  return [
    labelled('severity', severity),
    labelled('who acts', diagnosedAt === undefined ? `probably ${who} (a guess from the record alone)` : who),
    labelled('cause', `${cause}.`),
    ...(next === undefined ? [] : [labelled('next', next)]),
  ];
}
