import { markedRuns } from '../../src/text/mark.ts';

/** Returns marked text in the form that a terminal shows. */
export function drawn(marked: string): string {
  return markedRuns(marked)
    .map(({ text }) => text)
    .join('');
}
