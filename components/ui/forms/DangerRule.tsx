import { fitText, pad } from '../../../src/text/width.ts';
import { dangerStyles } from '../../kit/danger.ts';
import type { Danger } from '../../kit/keys/shortcut.ts';
import { useConsole } from '../../kit/use-console.ts';
import { Line } from '../lines/Line.tsx';

/** Draws the rule above a question or a form, in the style of the danger. */
export function DangerRule({ danger }: { readonly danger: Danger }) {
  const { columns } = useConsole();
  const { shape, role, words } = dangerStyles[danger].rule;
  const text = words === '' ? '' : ` ${words} `;
  if (shape === 'bar') return <Line parts={[{ text: pad(fitText(text, columns), columns), role }]} />;
  const label = text === '' ? '' : fitText(`──${text}`, columns);
  return <Line parts={[{ text: label + '─'.repeat(Math.max(0, columns - label.length)), role }]} />;
}
