import type { Problem } from '../../../src/model/problem.ts';
import { markText } from '../../../src/text/mark.ts';
import { problemLines } from '../../../src/text/problem.ts';
import { remedyWords } from '../../kit/remedy-words.ts';
import { useConsole } from '../../kit/use-console.ts';
import { useShortcuts } from '../input/use-shortcuts.ts';
import { foldText } from '../lines/fold.ts';
import { Line } from '../lines/Line.tsx';
import { TextLines } from '../lines/TextLines.tsx';

/** Returns the lines of a problem, folded to a width. */
export function problemText(problem: Problem, width: number): string[] {
  return problemLines(problem, remedyWords, markText).flatMap((line) => foldText(line, width));
}

/** Returns the number of rows that a problem needs, at most `body`: its lines and the rule above them. */
export function problemHeight(problem: Problem, width: number, body: number): number {
  return Math.min(body, problemText(problem, width).length + 1);
}

interface ProblemBoxProps {
  readonly problem: Problem;
  readonly height: number;
  readonly active: boolean;
  /** Whether the box has borders. Without borders, a rule is drawn above the problem, if the box has room. */
  readonly isFramed?: boolean;
  retry(): void;
  dismiss(): void;
}

/** Draws a failure, with its keys: `r` to retry, `y` to copy the message, Esc to dismiss. */
export function ProblemBox({ problem, height, active, isFramed = false, retry, dismiss }: ProblemBoxProps) {
  const { columns, session, copy, notify } = useConsole();
  useShortcuts('problem', {
    active,
    situation: { readOnly: session.readOnly, selected: true },
    runAction(action) {
      if (action === 'retry') retry();
      else if (action === 'dismiss') dismiss();
      else notify(copy(Buffer.from(problemLines(problem, remedyWords).join('\n')), 'the message'));
    },
  });
  const lines = problemText(problem, columns).slice(0, Math.max(1, isFramed ? height : height - 1));
  return (
    <>
      {height > 1 && !isFramed && <Line parts={[{ text: '─'.repeat(columns), role: 'fault' }]} />}
      <TextLines lines={lines} first="fault" />
    </>
  );
}
