/** A range of offsets in a string. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The range of a bracketed array or an inline table, and the range of its last element, if any. */
export interface Container extends Span {
  readonly last: Span | undefined;
}

/**
 * Patterns for the text that may separate two values in a configuration language. Both expressions are sticky, and also match the empty
 * string.
 */
export interface Language {
  /** Matches white space, line breaks and comments. */
  readonly gap: RegExp;
  /** Matches white space and comments up to the end of the line. Comments can span several lines. */
  readonly restOfLine: RegExp;
}

/**
 * Inserts an element at the end of a container. If the other elements have their own lines, the new element also gets its own line, after
 * their comments. If the last element was followed by a comma, a comma also follows the new element. `render` receives the indentation, or
 * undefined if the element must stay on the same line.
 */
export function addLast(
  text: string,
  container: Container,
  language: Language,
  render: (indent: string | undefined) => string,
): string {
  const { last } = container;
  const ownLine = text.slice(container.start, last?.start ?? container.end).includes('\n');
  const lineEnd = detectLineEnd(text);
  if (last === undefined) {
    const indent = ownLine ? indentAt(text, container.start) + indentUnit(text) : undefined;
    const before = indent === undefined ? '' : lineEnd + indent;
    return replace(text, container.start + 1, container.start + 1, before + render(indent));
  }
  if (!ownLine) return replace(text, last.end, last.end, `, ${render(undefined)}`);
  const indent = indentAt(text, last.start);
  const element = lineEnd + indent + render(indent);
  const following = matchEnd(language.gap, text, last.end);
  const hasComma = text[following] === ',';
  const lineStop = matchEnd(language.restOfLine, text, hasComma ? following + 1 : last.end);
  if (!/[\r\n]/.test(text[lineStop] ?? '')) return replace(text, last.end, last.end, `,${element}`);
  const added = replace(text, lineStop, lineStop, hasComma ? `${element},` : element);
  return hasComma ? added : replace(added, last.end, last.end, ',');
}

export function replace(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** Returns the document's line ending. */
export function detectLineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Returns the white space at the start of the line that contains an offset. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** Returns one level of the document's indentation. */
export function indentUnit(text: string): string {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
}

/** Returns the end of a sticky expression's match; `start` if it does not match. */
export function matchEnd(sticky: RegExp, text: string, start: number): number {
  sticky.lastIndex = start;
  return sticky.test(text) ? sticky.lastIndex : start;
}
