import { escapeText } from '../../src/text/escape.ts';
import { fitText } from '../../src/text/width.ts';
import type { Dialog } from '../forms/dialog.ts';

/**
 * The test of a filter: a text that contains the pattern. In lower case alone the pattern ignores case; a capital letter
 * in it makes it exact.
 */
export function filterTest(pattern: string): (text: string) => boolean {
  if (pattern !== pattern.toLowerCase()) return (text) => text.includes(pattern);
  // A compiled expression makes no copy of each of a million texts, as changing their case would.
  const expression = new RegExp(pattern.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, '\\$&'), 'i');
  return (text) => expression.test(text);
}

/** Columns that the header gives to a filter, so that the counts behind it are seen on a narrow screen. */
export const widest = 16;

/** A filter that is kept, for the header; empty without one, and while it stands in the line that it is typed in. */
export function filterWords(contains: string, dialog: Dialog<unknown, string, unknown> | undefined): string {
  if (contains === '' || dialog?.kind === 'filter') return '';
  return `filter: ${fitText(escapeText(contains), widest)}`;
}
