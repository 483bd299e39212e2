import { useLayoutEffect, useRef } from 'react';
import type { MouseMove } from '../../kit/terminal/mouse.ts';
import { useConsole } from '../../kit/use-console.ts';

/** Calls a function for what is done with the mouse, while that is for this part of the screen. */
export function useMouse(isActive: boolean, moved: (move: MouseMove) => void): void {
  const { input } = useConsole();
  const latest = useRef(moved);
  useLayoutEffect(() => {
    latest.current = moved;
  });
  // What is drawn can be clicked: a later effect would come after the frame.
  useLayoutEffect(
    () => (isActive ? input.onMouse((move) => latest.current(move)) : undefined),
    [isActive, input],
  );
}
