import { useConsole } from '../../kit/use-console.ts';
import { useMouse } from '../input/use-mouse.ts';
import { headerRows, minRowsForRules } from './layout.ts';

/** A range of rows of a pane's body: the index of the first row, and the number of rows. */
interface BodyRows {
  readonly first: number;
  readonly count: number;
}

/** Calls a function for a click on one of these rows, with the index of the row in the range and the column of the content. */
export function useRowClicks(
  isActive: boolean,
  { first, count }: BodyRows,
  clicked: (row: number, column: number) => void,
) {
  const { region, screen } = useConsole();
  useMouse(isActive, ({ kind, column, row }) => {
    const top = headerRows + (screen.rows >= minRowsForRules ? 1 : 0) + first;
    // Borders are excluded, because the user can drag them.
    const border = region.isFramed ? 1 : 0;
    const isInside = column >= region.left + border && column < region.left + region.width - border;
    if (kind === 'press' && isInside && row >= top && row < top + count) {
      clicked(row - top, Math.max(0, column - region.left - 2 * border));
    }
  });
}
