import type { InstructedRecord, Instructions } from '../../../src/model/instructions/instructions.ts';
import type { ReadInstructions } from '../../../src/services/console/hostnames.ts';
import {
  describeLink,
  describePlace,
  describeState,
  describeTurn,
  toFields,
} from '../../../src/text/instructions/words.ts';
import { concernsHostnames } from '../../kit/changes.ts';
import type { OpenPane } from '../../kit/open-pane.ts';
import { requireService } from '../../kit/require-service.ts';
import type { Role } from '../../kit/theme.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import { type Entry, entryLines } from '../../ui/viewer/entries.ts';
import { ViewController } from '../../ui/viewer/view-controller.ts';
import type { ViewWork } from '../../ui/viewer/view-source.ts';

export type OpenInstructions = Extract<OpenPane, { pane: 'instructions' }>;

/** The text of the instructions; undefined until DNS and the platform have been queried. */
export type InstructionsText = ReadInstructions | undefined;

/** The instructions for a hostname's customer, generated from the current state of DNS and the platform. */
export class InstructionsController extends ViewController<InstructionsText> {
  readonly reading: ViewWork<InstructionsText>;

  constructor({ zone, record: first }: OpenInstructions, parts: PaneParts) {
    let record = first;
    const reading: ViewWork<InstructionsText> = {
      busy: { kind: 'reading', words: 'asking' },
      async run(signal) {
        const found = await requireService(parts, 'hostnames').readInstructions(zone.id, record, signal);
        return { content: () => found };
      },
    };
    super(parts, {
      content: undefined,
      selects: true,
      first: reading,
      createLines: (content, surface) => content && entryLines(instructionEntries(content), surface),
      follows(change) {
        if (concernsHostnames(change, zone.id)) return reading;
        if (change.changed !== 'hostname' || change.id !== record.id || change.row === undefined)
          return undefined;
        record = change.row.record;
        return reading;
      },
    });
    this.reading = reading;
  }
}

/** Returns the lines of instructions, each with its text for the clipboard. */
export function instructionEntries({ instructions, note }: ReadInstructions): Entry[] {
  const { records, notes, missing, state, domainConnect } = instructions;
  const { label = '', apply } = domainConnect ?? {};
  return [
    { text: `${describeTurn(instructions)}. ${state}`, role: 'title' },
    ...(records.length === 0 ? [] : [{ text: `${describePlace(instructions)}:` }]),
    ...records.flatMap((record) => recordEntries(instructions, record)),
    ...(apply === undefined
      ? []
      : [
          { text: describeLink(label, apply.host) },
          { text: apply.link, indent: 2, role: 'badge' as const, stop: true, copied: findLink(apply.link) },
        ]),
    ...(note === undefined ? [] : [{ text: note, role: 'warning' as const }]),
    ...missing.map(({ fact, reason }) => ({
      text: `not known: ${fact} (${reason})`,
      role: 'warning' as const,
    })),
    ...notes.map((text): Entry => ({ text: `- ${text}`, role: 'dim' })),
  ];
}

function findLink(text: string) {
  return { text, what: 'the link' };
}

const roles: Readonly<Record<InstructedRecord['state'], Role>> = {
  missing: 'warning',
  there: 'good',
  unknown: 'warning',
  'to-remove': 'fault',
};

function recordEntries(instructions: Instructions, record: InstructedRecord): Entry[] {
  const fields = toFields(instructions, record);
  const width = Math.max(...fields.map(([label]) => label.length));
  return [
    { text: `${record.type} record, ${describeState(record)}`, role: roles[record.state], stop: true },
    { text: record.purpose, indent: 2, role: 'dim' },
    ...fields.map(([label, value]) => ({
      text: `${label.padEnd(width)}  ${value}`,
      indent: 2,
      copied: { text: value, what: `the ${label.toLowerCase()}` },
    })),
  ];
}
