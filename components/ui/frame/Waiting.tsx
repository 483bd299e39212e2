import type { Problem } from '../../../src/model/problem.ts';
import { waitReason } from '../../kit/keys/busy.ts';
import { useConsole } from '../../kit/use-console.ts';
import { useShortcuts } from '../input/use-shortcuts.ts';
import { bodyHeight } from '../layout/layout.ts';
import { Frame } from './Frame.tsx';
import { ProblemBox } from './ProblemBox.tsx';

interface WaitingProps {
  /** The running activity: `going to a/b`. */
  readonly activity: string;
  /** Title in the border (default: the pane's name). */
  readonly title?: string;
  /** The reason why the activity failed; undefined while the activity runs. */
  readonly problem: Problem | undefined;
  retry(): void;
  onCancel(): void;
}

/** Draws the whole screen while an activity runs, or the reason why the activity failed. Esc calls `onCancel`. */
export function Waiting({ activity, title, problem, retry, onCancel }: WaitingProps) {
  const { session, rows, notify } = useConsole();
  const isWaiting = problem === undefined;
  const situation = {
    readOnly: session.readOnly,
    selected: true,
    ...(isWaiting && { busy: { kind: 'reading', words: activity } as const }),
  };
  useShortcuts('menu', {
    active: isWaiting,
    situation,
    runAction: (action) => action === 'cancel' && onCancel(),
    otherwise: () => notify(`${waitReason({ words: activity })}.`, 'refused'),
  });
  return (
    <Frame
      mode={isWaiting ? 'menu' : 'problem'}
      situation={situation}
      {...(title !== undefined && { title })}
    >
      {problem !== undefined && (
        <ProblemBox problem={problem} height={bodyHeight(rows)} active retry={retry} dismiss={onCancel} />
      )}
    </Frame>
  );
}
