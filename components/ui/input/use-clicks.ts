import { type DOMElement, measureElement } from 'ink';
import { type RefObject, useRef } from 'react';
import { useMouse } from './use-mouse.ts';

/** Calls a function with the clicked cell of a Box, counted from 0 at its upper left corner. The returned ref must be set on the Box. */
export function useClicks(
  isActive: boolean,
  clicked: (column: number, row: number) => void,
): RefObject<DOMElement | null> {
  const box = useRef<DOMElement>(null);
  useMouse(isActive, ({ kind, column, row }) => {
    if (kind !== 'press' || box.current === null) return;
    const { x, y, width, height } = measureElement(box.current);
    const isInside = column >= x && column < x + width && row >= y && row < y + height;
    if (isInside) clicked(column - x, row - y);
  });
  return box;
}
