import { useInsertionEffect } from 'react';
import { useConsole } from '../../kit/use-console.ts';

/**
 * Has a question take only what is typed once it stands on the screen: a `y` that was meant for a list must not answer
 * it. `question` tells one from the next. The effect comes before the frame is written, as no other does.
 */
export function useDrawnFirst(question: unknown, isAsked: boolean): void {
  const { input } = useConsole();
  useInsertionEffect(
    () => (isAsked ? input.dropTypedAhead(question) : undefined),
    [question, isAsked, input],
  );
}
