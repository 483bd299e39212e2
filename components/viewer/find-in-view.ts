import { escapeText } from '../../src/text/escape.ts';
import type { Anchor, Source } from '../viewer/source.ts';
import { findText } from './scroll.ts';

/** What a search in a view comes to: nothing to search for, or where the text was found. */
type Found =
  | { readonly type: 'closed' }
  | {
      readonly type: 'searched';
      readonly text: string;
      readonly offset: number;
      /** Left out where the text was not found. */
      readonly anchor: Anchor | undefined;
    };

/** Searches a view from an offset on, and from its beginning after its end; says what there is to say. */
export function findInView(
  source: Source | undefined,
  text: string,
  from: number,
  dispatch: (found: Found) => void,
  notify: (words: string) => void,
): void {
  if (source === undefined || text === '') {
    dispatch({ type: 'closed' });
    return;
  }
  const match = findText(source, text, from);
  if (match === undefined) notify(`There is no ${escapeText(text)} in this view.`);
  else if (match.offset < from) notify('Searched on from the beginning.');
  dispatch({ type: 'searched', text, offset: match?.offset ?? from - 1, anchor: match?.anchor });
}
