import { dangerStyles, hasRule } from '../../kit/danger.ts';
import type { Danger } from '../../kit/keys/shortcut.ts';
import type { Surface } from '../../kit/surface.ts';
import { useConsole } from '../../kit/use-console.ts';
import { useShortcuts } from '../input/use-shortcuts.ts';
import { Line } from '../lines/Line.tsx';
import { TextLines } from '../lines/TextLines.tsx';
import { Choice } from './Choice.tsx';
import { DangerRule } from './DangerRule.tsx';
import { type DialogLine, differenceGap, foldLines } from './dialog-lines.ts';
import { useDifferenceScroll } from './use-difference-scroll.ts';
import { useDrawnFirst } from './use-drawn-first.ts';

/** A question shown before a change or a loss. */
export interface Question {
  readonly question: string;
  /** Lines about what is lost or changed. */
  readonly lost: readonly DialogLine[];
  /** The danger of the affirmative answer. */
  readonly danger: Danger;
  /** The label of the affirmative answer, for example `Delete it`. */
  readonly yes: string;
}

interface ConfirmProps {
  readonly question: Question;
  readonly active: boolean;
  readonly height: number;
  /** Whether the box has borders. Without borders, a rule is drawn above the question, if the box has room. */
  readonly isFramed?: boolean;
  /** Whether the border around the box contains the question. */
  readonly isTitled?: boolean;
  confirm(): void;
  cancel(): void;
}

interface ConfirmRoom extends Pick<ConfirmProps, 'isFramed' | 'isTitled'> {
  /** Maximum number of rows for all lines of a diff. */
  readonly room: number;
}

/**
 * Returns the number of rows that a question needs: a rule (unless a border replaces it), the question (unless a border contains it), its
 * lines, and two answers.
 */
export function confirmHeight(
  question: Question,
  surface: Surface,
  { room, isFramed = false, isTitled = false }: ConfirmRoom,
): number {
  const others = otherRows(question, isFramed);
  const rows = others + foldLines(questionLines(question, isTitled), surface, room - others).length;
  return rows + differenceGap(question.lost, room - rows);
}

/** Returns the number of rows of a question's rule and answers. */
function otherRows({ danger }: Question, isFramed: boolean): number {
  return (hasRule(danger, isFramed) ? 1 : 0) + 2;
}

/**
 * Asks a question. No is selected first; `y` and `n` answer the question. `j` and `k` do nothing, because the user may have typed them for
 * a list.
 */
export function Confirm(props: ConfirmProps) {
  const { question, active, height, isFramed = false, isTitled = false, confirm, cancel } = props;
  const { columns, redact, session } = useConsole();
  const isRuled = hasRule(question.danger, isFramed);
  const room = Math.max(1, height - otherRows(question, isFramed));
  const [lines, scroll] = useDifferenceScroll(questionLines(question, isTitled), { columns, redact }, room);
  const gap = differenceGap(question.lost, room - lines.length);
  useDrawnFirst(question, active);
  useShortcuts('confirm', {
    active,
    situation: { readOnly: session.readOnly, selected: true },
    runAction(action) {
      if (action === 'cancel') cancel();
      else if (action === 'yes') confirm();
      else scroll(action);
    },
  });
  const style = dangerStyles[question.danger];
  const items = [
    { label: 'No, change nothing', value: 'no' },
    { label: `Yes: ${redact(question.yes)}`, value: 'yes', ...style.answer },
  ] as const;
  return (
    <>
      {height > 3 && isRuled && <DangerRule danger={question.danger} />}
      <TextLines lines={lines} first={isTitled ? 'plain' : style.title} />
      {gap > 0 && <Line parts={[]} />}
      <Choice
        items={items}
        initial={0}
        active={active}
        letters={false}
        onChoose={(answer) => (answer === 'yes' ? confirm() : cancel())}
      />
    </>
  );
}

function questionLines({ question, lost }: Question, isTitled: boolean): DialogLine[] {
  return isTitled ? [...lost] : [question, ...lost];
}
