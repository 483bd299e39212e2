import { useConsole } from '../../kit/use-console.ts';
import { useMouse } from '../input/use-mouse.ts';
import { headerRows, roomForRules } from './layout.ts';

/** Rows of a pane's body: the first, and their number. */
interface BodyRows {
  readonly first: number;
  readonly count: number;
}

/** Calls a function with the number of the row that was clicked, among rows of the body of the region around it. */
export function useRowClicks(isActive: boolean, { first, count }: BodyRows, clicked: (row: number) => void) {
  const { region, screen } = useConsole();
  useMouse(isActive, ({ kind, column, row }) => {
    const top = headerRows + (screen.rows >= roomForRules ? 1 : 0) + first;
    // Its borders are drawn elsewhere by the mouse.
    const border = region.isFramed ? 1 : 0;
    const isInside = column >= region.left + border && column < region.left + region.width - border;
    if (kind === 'press' && isInside && row >= top && row < top + count) clicked(row - top);
  });
}
