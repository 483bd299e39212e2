import stringWidth from 'string-width';

const asciiOnly = /^[ -~]*$/;

let segmenter: Intl.Segmenter | undefined;

/** Terminal columns that an escaped text takes. */
export function columnsOf(text: string): number {
  return asciiOnly.test(text) ? text.length : stringWidth(text);
}

/** An escaped text cut to at most `width` columns, between graphemes; what was cut off is shown as `…`. */
export function fitText(text: string, width: number): string {
  if (width <= 0) return '';
  if (text.length <= width && asciiOnly.test(text)) return text;
  const head = text.slice(0, width + 1);
  if (asciiOnly.test(head)) return `${head.slice(0, width - 1)}…`;
  return fitGraphemes(text, width);
}

/** As `fitText`, but what is cut off is the middle: many names are told apart by their end. */
export function fitMiddle(text: string, width: number): string {
  if (width <= 0 || columnsOf(text) <= width) return fitText(text, width);
  const tail = lastGraphemes(text, (width - 1) >> 1);
  return `${fitText(text, width - columnsOf(tail))}${tail}`;
}

function lastGraphemes(text: string, width: number): string {
  segmenter ??= new Intl.Segmenter('en');
  let from = text.length;
  let columns = 0;
  for (const { segment, index } of [...segmenter.segment(text)].reverse()) {
    columns += columnsOf(segment);
    if (columns > width) break;
    from = index;
  }
  return text.slice(from);
}

/** As `fitText`, then filled with spaces to exactly `width` columns. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const fitted = fitText(text, width);
  const spaces = ' '.repeat(Math.max(0, width - columnsOf(fitted)));
  return align === 'left' ? fitted + spaces : spaces + fitted;
}

function fitGraphemes(text: string, width: number): string {
  segmenter ??= new Intl.Segmenter('en');
  let columns = 0;
  let kept = 0;
  for (const { segment, index } of segmenter.segment(text)) {
    columns += columnsOf(segment);
    if (columns > width) return `${text.slice(0, kept)}…`;
    if (columns <= width - 1) kept = index + segment.length;
  }
  return text;
}
