import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import type { Zone } from '../../../src/model/zones/zone.ts';
import { hostnameGet, hostnameInstructions } from '../../../src/services/equivalents/hostnames.ts';
import type { WrittenFormat } from '../../../src/text/instructions/written.ts';
import type { PaneAction } from '../../kit/keys/action.ts';
import { reading } from '../../kit/keys/busy.ts';
import { moveShortcuts, noSelection } from '../../kit/keys/conditions.ts';
import { requireService } from '../../kit/require-service.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import type { MenuDialog, Work } from '../../ui/forms/dialog.ts';
import type { TextResult } from '../../ui/viewer/view-source.ts';
import type { InstructionsController, InstructionsText } from './instructions-view.ts';

/** The input of the actions: the hostname of the instructions, and the parts of the pane. */
interface Here {
  readonly view: Pick<InstructionsController, 'reading'>;
  readonly zone: Zone;
  readonly record: CustomHostname;
  readonly parts: PaneParts;
}

/** The actions on instructions for a customer. */
export const instructionsActions: ReadonlyArray<PaneAction<Here, TextResult<InstructionsText>>> = [
  {
    does: 'instructions',
    press: ['I'],
    label: 'hand over',
    about: 'Copy or save all instructions, as text for the customer',
    unless: noSelection,
    run: (here) => ({ dialog: handOverMenu(here) }),
    equivalents: ({ zone, record }) => [hostnameInstructions(zone.id, record)],
  },
  {
    does: 'copy',
    press: ['y'],
    label: 'copy',
    about: 'Copy the value, or the link that lets the provider enter the records',
    unless: noSelection,
  },
  {
    does: 'next',
    press: ['tab'],
    label: 'next record',
    about: 'Go to the next record, or to the link',
    unless: noSelection,
  },
  {
    does: 'refresh',
    press: ['r'],
    label: 'reload',
    about: 'Query DNS and the platform again',
    run: ({ view }) => view.reading,
  },
  {
    does: 'back',
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Go back to the hostname',
    equivalents: ({ zone, record }) => [{ ...hostnameGet(zone.id, record), place: 'last' }],
  },
  ...moveShortcuts,
];

/** Returns the menu of the formats in which a customer's instructions can be copied or saved. */
function handOverMenu(here: Here): MenuDialog<Work> {
  const { record } = here;
  const item = (label: string, command: Work) => ({ label, command });
  return {
    kind: 'menu',
    title: `What the customer must enter for ${record.hostname}`,
    items: [
      item('copy as text', copying(here, 'txt')),
      item('copy as Markdown', copying(here, 'md')),
      item(`save as a page: ${fileNameFor(record, 'html')}`, writing(here, 'html')),
      item(`save as text: ${fileNameFor(record, 'txt')}`, writing(here, 'txt')),
    ],
    initial: 0,
  };
}

/** Returns the file name for a hostname's instructions, with `any` instead of `*`. */
function fileNameFor({ hostname }: CustomHostname, format: WrittenFormat): string {
  return `instructions-${hostname.replace('*', 'any')}.${format}`;
}

function copying(here: Here, format: WrittenFormat): Work {
  const what = `the instructions for ${here.record.hostname}`;
  return handingOver(here, format, async (text) => here.parts.copy(Buffer.from(text), what));
}

/** Returns the work that saves the instructions as a file in the working directory. */
function writing(here: Here, format: WrittenFormat): Work {
  const name = fileNameFor(here.record, format);
  return handingOver(here, format, async (text) => {
    await requireService(here.parts, 'hostnames').saveInstructions(name, text);
    return `Wrote ${name}.`;
  });
}

/** Returns the work that generates the instructions from current facts, and passes their text to `handOver`. */
function handingOver(
  { zone, record, parts }: Here,
  format: WrittenFormat,
  handOver: (text: string) => Promise<string>,
): Work {
  return {
    busy: reading,
    async run(signal) {
      const { text, note } = await requireService(parts, 'hostnames').instructions(
        zone.id,
        record,
        format,
        signal,
      );
      const done = await handOver(text);
      return { notice: note === undefined ? done : `${done} ${note}` };
    },
  };
}
