import { useInsertionEffect } from 'react';
import { useConsole } from '../../kit/use-console.ts';

/**
 * Makes a question accept only input typed after the question is on the screen: a `y` meant for a list must not answer
 * it. `question` identifies the question. An insertion effect is used because only this kind of effect runs before the
 * frame is written.
 */
export function useDrawnFirst(question: unknown, isAsked: boolean): void {
  const { input } = useConsole();
  useInsertionEffect(
    () => (isAsked ? input.dropTypedAhead(question) : undefined),
    [question, isAsked, input],
  );
}
