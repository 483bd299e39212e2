import { formatRules, type HeldAnswer } from '../../src/model/guard/held.ts';
import type { HeldRequest } from '../../src/model/guard/held-shape.ts';
import { asProblem } from '../../src/model/problem.ts';
import { capitalize } from '../../src/model/sentence.ts';
import { groupDigits } from '../../src/text/size.ts';
import { dangerStyles, hasRule } from '../kit/danger.ts';
import { useConsole } from '../kit/use-console.ts';
import { Choice } from '../ui/forms/Choice.tsx';
import { DangerRule } from '../ui/forms/DangerRule.tsx';
import { type DialogLine, fitLines } from '../ui/forms/dialog-lines.ts';
import { useDrawnFirst } from '../ui/forms/use-drawn-first.ts';
import { Frame } from '../ui/frame/Frame.tsx';
import { useShortcuts } from '../ui/input/use-shortcuts.ts';
import { bodyHeight } from '../ui/layout/layout.ts';
import { TextLines } from '../ui/lines/TextLines.tsx';
import { findDanger } from './held-actions.ts';
import { affectedLines, effectLines, programLine, sameLine } from './request-lines.ts';

const title = 'Approval';

/**
 * Replaces the pane with a question about a write by this console that requires approval under a policy rule. Refuse is selected first, and
 * no letter approves the write, because the question can appear while the user types.
 */
export function WriteQuestion({ request }: { readonly request: HeldRequest }) {
  const { session, rows, columns, region, redact, held, notify } = useConsole();
  const { number } = request;
  const answer = (given: HeldAnswer) =>
    held.answer(number, given).catch((error: unknown) => notify(asProblem(error).message, 'failed'));
  useDrawnFirst(number, true);
  const situation = { readOnly: session.readOnly, selected: true };
  useShortcuts<HeldAnswer | 'choose' | 'answer'>('approval', {
    active: true,
    situation,
    runAction: (action) => action !== 'choose' && action !== 'answer' && void answer(action),
  });
  const danger = findDanger(request);
  const style = dangerStyles[danger];
  const isRuled = hasRule(danger, region.isFramed);
  const height = bodyHeight(rows);
  const waiting = held.rows.filter((one) => one.state === 'waiting' && held.isOwn(one.number)).length;
  const lines = questionLines(request);
  const room = Math.max(1, height - answers.length - (isRuled && height > 5 ? 1 : 0));
  return (
    <Frame
      mode="approval"
      situation={situation}
      title={title}
      {...(waiting > 1 && { counts: `1 of ${groupDigits(waiting)}` })}
    >
      {isRuled && height > 5 && <DangerRule danger={danger} />}
      <TextLines lines={fitLines(lines, { columns, redact }, room)} first={style.title} />
      <Choice items={answers} initial={0} active letters={false} onChoose={(given) => void answer(given)} />
    </Frame>
  );
}

const answers: ReadonlyArray<{ readonly label: string; readonly value: HeldAnswer }> = [
  { label: 'Refuse', value: 'refuse' },
  { label: 'Approve once', value: 'approve' },
  { label: 'Approve all matching', value: 'approve-same' },
];

/** Returns the lines of the question, most important first: a small screen hides the last lines. */
function questionLines(request: HeldRequest): DialogLine[] {
  const { effect, noun, name, rules, policy, undoable, lost } = request;
  const asking = formatRules(request);
  const undo =
    lost !== undefined
      ? ''
      : undoable
        ? ' Undo can restore the data.'
        : effect === 'destroy'
          ? ' Undo cannot restore the data.'
          : '';
  return [
    {
      parts: [
        { long: capitalize(asking), share: 2 },
        ` ${rules.length === 1 ? 'requires' : 'require'} approval. Send this request?`,
      ],
    },
    {
      parts: [
        `Effect: ${[effect, noun].filter((one) => one !== undefined).join(' ')}`,
        ...(name === undefined ? [] : [' ', { long: name, share: 1 }]),
        `.${undo}`,
      ],
      isEssential: true,
    },
    ...effectLines(request),
    ...affectedLines(request),
    sameLine(request, true),
    programLine(request),
    { parts: ['Policy: ', { long: policy, share: 1 }] },
  ];
}
