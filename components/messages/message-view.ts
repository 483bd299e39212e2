import { isoSeconds } from '../../src/model/kv/kv.ts';
import type { Message, Messages } from '../kit/messages.ts';
import { tones } from '../kit/tones.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { type Entry, entryLines } from '../ui/viewer/entries.ts';
import { ViewController } from '../ui/viewer/view-controller.ts';

/** Returns the view of all messages since the console was opened. Starts at the last message, and adds new messages. */
export function messageView(messages: Messages, parts: PaneParts): ViewController<readonly Message[]> {
  return new ViewController<readonly Message[]>(parts, {
    content: messages.all,
    selects: true,
    fromEnd: true,
    createLines: (all, surface) => entryLines(all.flatMap(messageEntries), surface),
    watch: (became) => messages.listen(() => became(messages.all)),
  });
}

/** Columns before the text: the time and the sign. */
const textColumn = 12;

/** Returns the lines of a message: time, sign and text; for a failure also the remedy and the request id. */
export function messageEntries(message: Message): Entry[] {
  const { at, tone, text, more = [], hint, requestId, times } = message;
  const { sign, role } = tones[tone];
  const when = isoSeconds(Math.floor(at / 1000));
  const copied = { text: `${when} ${fullText(message)}`, what: 'the message' };
  const again = times === 1 ? '' : ` (${times} times)`;
  const rest = [...more, ...(hint === undefined ? [] : [hint])];
  const below = { indent: textColumn, role: 'dim', copied } as const;
  return [
    { text: `${when.slice(11)} ${sign} ${text}${again}`, role, copied, stop: tone === 'failed' },
    ...rest.map((line): Entry => ({ ...below, text: line })),
    ...(requestId === undefined
      ? []
      : [
          { ...below, text: `request id: ${requestId}`, copied: { text: requestId, what: 'the request id' } },
        ]),
  ];
}

function fullText({ text, more = [], hint, requestId }: Message): string {
  return [text, ...more, hint, requestId && `request id: ${requestId}`].filter(Boolean).join('\n');
}
