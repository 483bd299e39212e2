import { useLayoutEffect, useRef } from 'react';
import type { MouseAction } from '../../kit/terminal/mouse.ts';
import { useConsole } from '../../kit/use-console.ts';

/** Calls a function for each mouse event while `isActive` is true. */
export function useMouse(isActive: boolean, moved: (move: MouseAction) => void): void {
  const { input } = useConsole();
  const latest = useRef(moved);
  useLayoutEffect(() => {
    latest.current = moved;
  });
  // A layout effect, so that an element can be clicked as soon as it is drawn: other effects run after the frame.
  useLayoutEffect(
    () => (isActive ? input.onMouse((move) => latest.current(move)) : undefined),
    [isActive, input],
  );
}
