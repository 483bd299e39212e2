import { markText } from '../../../src/text/mark.ts';
import { fitText, measureCharacter } from '../../../src/text/width.ts';
import type { Notice } from '../../kit/messages.ts';
import type { Surface } from '../../kit/surface.ts';
import { tones } from '../../kit/tones.ts';
import { foldText } from '../lines/fold.ts';
import type { Part } from '../lines/Line.tsx';

const dismissHint = '  Esc dismiss';

/**
 * Returns the lines of a notice, up to `maxLines`, with the sign of its tone. A failure ends with the key that dismisses the failure, if
 * there is room for the key.
 */
export function noticeLines(
  { text, tone }: Notice,
  { columns, redact }: Surface,
  maxLines: number,
): Part[][] {
  const { sign, role } = tones[tone];
  const room = columns - 2;
  const redacted = markText(redact(text));
  const folded = maxLines > 1 ? foldText(redacted, room) : [redacted];
  const head = folded.slice(0, maxLines - 1);
  // Joins the remaining lines, and shortens them with an ellipsis.
  const last = fitText(folded.slice(maxLines - 1).join(' '), room);
  const shown = folded.length < maxLines ? folded : [...head, last];
  const end = shown.at(-1) ?? '';
  const hasRoom = measureCharacter(end) + 2 + dismissHint.length <= columns;
  return shown.map((line, index): Part[] => [
    { text: index === 0 ? `${sign} ` : '  ', role },
    { text: line, role },
    ...(tone === 'failed' && hasRoom && index === shown.length - 1
      ? [{ text: dismissHint, role: 'dim' } as const]
      : []),
  ]);
}
