import { useInsertionEffect } from 'react';
import { useConsole } from '../../kit/use-console.ts';

/**
 * Makes a question accept only input that was typed after the question appeared: a `y` meant for a list must not answer the question.
 * `question` is any value that differs for each question. Uses an insertion effect, because other effects run after the frame is written.
 */
export function useDrawnFirst(question: unknown, isAsked: boolean): void {
  const { input } = useConsole();
  useInsertionEffect(
    () => (isAsked ? input.dropTypedAhead(question) : undefined),
    [question, isAsked, input],
  );
}
