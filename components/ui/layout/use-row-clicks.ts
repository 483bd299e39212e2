import { useConsole } from '../../kit/use-console.ts';
import { useMouse } from '../input/use-mouse.ts';
import { headerRows, minRowsForRules } from './layout.ts';

/** Rows of a pane's body: the first row, and their number. */
interface BodyRows {
  readonly first: number;
  readonly count: number;
}

/** Calls a function with the index of a clicked row among these rows of the region's body, and the column of its content. */
export function useRowClicks(
  isActive: boolean,
  { first, count }: BodyRows,
  clicked: (row: number, column: number) => void,
) {
  const { region, screen } = useConsole();
  useMouse(isActive, ({ kind, column, row }) => {
    const top = headerRows + (screen.rows >= minRowsForRules ? 1 : 0) + first;
    // Borders are excluded, because they can be dragged.
    const border = region.isFramed ? 1 : 0;
    const isInside = column >= region.left + border && column < region.left + region.width - border;
    if (kind === 'press' && isInside && row >= top && row < top + count) {
      clicked(row - top, Math.max(0, column - region.left - 2 * border));
    }
  });
}
