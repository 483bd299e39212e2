import { columnsOf, fitText } from '../../src/text/width.ts';
import type { Surface } from '../console/surface.ts';
import type { Notice } from '../messages/messages.ts';
import { tones } from '../messages/tones.ts';
import { escapedParts, type Part } from './Line.tsx';

const dismissal = '  Esc dismisses';

/** Parts of a notice: its sign says by itself how it is meant, and of a failure how to be rid of it. */
export function noticeParts({ text, tone }: Notice, { columns, redact }: Surface): Part[] {
  const { sign, role } = tones[tone];
  const shown = fitText(redact(text), columns - 2);
  const hasRoom = columnsOf(shown) + 2 + dismissal.length <= columns;
  return [
    { text: `${sign} `, role },
    ...escapedParts(shown, role),
    ...(tone === 'failed' && hasRoom ? [{ text: dismissal, role: 'dim' } as const] : []),
  ];
}
