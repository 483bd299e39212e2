import { useConsole } from '../kit/use-console.ts';
import { Confirm } from '../ui/forms/Confirm.tsx';
import { Frame } from '../ui/frame/Frame.tsx';
import { bodyHeight } from '../ui/layout/layout.ts';

interface ConfirmLeavingProps {
  /** The destination. */
  readonly words: string;
  leave(): void;
  onCancel(): void;
}

/** Asks before a switch to another connection discards edited values that are not stored, or the result of a running write. */
export function ConfirmLeaving({ words, leave, onCancel }: ConfirmLeavingProps) {
  const { session, rows, drafts, runningWrite } = useConsole();
  const keys = [...drafts.keys()].map((name) => name.slice(name.indexOf('\n') + 1));
  const texts = keys.length === 1 ? 'An edited value is' : `${keys.length} edited values are`;
  const isWriting = runningWrite !== undefined;
  const write = isWriting
    ? [`Still ${runningWrite}. The request was sent and may take effect, but you will not see the result.`]
    : [];
  const question =
    keys.length === 0
      ? {
          question: `Switch to ${words} without waiting for the result?`,
          lost: write,
          danger: 'change' as const,
          yes: 'do not wait',
        }
      : {
          question: `${texts} not stored yet. Discard your changes and switch to ${words}?`,
          lost: [...keys.map((key) => `The edited value of ${key}.`), ...write],
          danger: 'permanent' as const,
          yes: 'discard it',
        };
  const situation = { readOnly: session.readOnly, selected: true };
  return (
    <Frame mode="confirm" situation={situation} title={words}>
      <Confirm question={question} active height={bodyHeight(rows)} confirm={leave} cancel={onCancel} />
    </Frame>
  );
}
