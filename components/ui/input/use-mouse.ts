import { useLayoutEffect, useRef } from 'react';
import type { MouseAction } from '../../kit/terminal/mouse.ts';
import { useConsole } from '../../kit/use-console.ts';

/** Calls a function for mouse events while this part of the screen is active. */
export function useMouse(isActive: boolean, moved: (move: MouseAction) => void): void {
  const { input } = useConsole();
  const latest = useRef(moved);
  useLayoutEffect(() => {
    latest.current = moved;
  });
  // A layout effect makes a drawn element clickable immediately: a later effect would run after the frame.
  useLayoutEffect(
    () => (isActive ? input.onMouse((move) => latest.current(move)) : undefined),
    [isActive, input],
  );
}
