import { useState } from 'react';
import type { Surface } from '../../kit/surface.ts';
import { type DialogLine, type DialogRow, fitLines } from './dialog-lines.ts';

/** Fits the lines of a dialog into its room, and returns a function that scrolls the dialog's diff by one screen. */
export function useDifferenceScroll(
  lines: readonly DialogLine[],
  surface: Surface,
  room: number,
): readonly [readonly DialogRow[], (action: string) => void] {
  const [top, setTop] = useState(0);
  const rows = fitLines(lines, surface, room, top);
  const at = rows.find(({ scroll }) => scroll !== undefined)?.scroll;
  const scroll = (action: string) => {
    if (at === undefined || (action !== 'scroll-up' && action !== 'scroll-down')) return;
    const next = at.top + (action === 'scroll-up' ? -at.shown : at.shown);
    setTop(Math.max(0, Math.min(next, at.count - at.shown)));
  };
  return [rows, scroll];
}
