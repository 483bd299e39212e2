import { graphemeLength, graphemeLengthBefore } from '../../../src/text/width.ts';
import type { InputToken } from '../../kit/terminal/input-tokens.ts';

/** The content of a field: its text, and the cursor's offset in code units. */
export interface Editing {
  readonly text: string;
  readonly cursor: number;
  /** Whether the whole text is selected, and typing therefore replaces it. A cursor movement clears the selection. */
  readonly isSelected?: boolean;
}

const editingKeys: Readonly<Record<string, (editing: Editing) => Editing>> = {
  '\u001b[D': (editing) => goTo(editing, before(editing)),
  '\u001bOD': (editing) => goTo(editing, before(editing)),
  '\u0002': (editing) => goTo(editing, before(editing)),
  '\u001b[C': (editing) => goTo(editing, after(editing)),
  '\u001bOC': (editing) => goTo(editing, after(editing)),
  '\u0006': (editing) => goTo(editing, after(editing)),
  '\u001b[H': (editing) => goTo(editing, 0),
  '\u001bOH': (editing) => goTo(editing, 0),
  '\u001b[1~': (editing) => goTo(editing, 0),
  '\u0001': (editing) => goTo(editing, 0),
  '\u001b[F': (editing) => goTo(editing, editing.text.length),
  '\u001bOF': (editing) => goTo(editing, editing.text.length),
  '\u001b[4~': (editing) => goTo(editing, editing.text.length),
  '\u0005': (editing) => goTo(editing, editing.text.length),
  '\u001bb': (editing) => goTo(editing, wordBefore(editing)),
  '\u001b[1;5D': (editing) => goTo(editing, wordBefore(editing)),
  '\u001bf': (editing) => goTo(editing, wordAfter(editing)),
  '\u001b[1;5C': (editing) => goTo(editing, wordAfter(editing)),
  '\u007f': (editing) => erase(editing, before(editing), editing.cursor),
  '\b': (editing) => erase(editing, before(editing), editing.cursor),
  '\u001b[3~': (editing) => erase(editing, editing.cursor, after(editing)),
  '\u0004': (editing) => erase(editing, editing.cursor, after(editing)),
  '\u0017': (editing) => erase(editing, wordBefore(editing), editing.cursor),
  '\u001b\u007f': (editing) => erase(editing, wordBefore(editing), editing.cursor),
  '\u0015': (editing) => erase(editing, 0, editing.cursor),
  '\u000b': (editing) => erase(editing, editing.cursor, editing.text.length),
};

/** Presses that delete text. If the whole text is selected, each of these presses deletes the whole text. */
const erasingKeys: ReadonlySet<string> = new Set([
  ...['\u007f', '\b', '\u001b[3~', '\u0004', '\u0017', '\u001b\u007f', '\u0015', '\u000b'],
]);

const nothing: Editing = { text: '', cursor: 0 };

/** Presses that the field leaves to its form or list: Enter, Tab, Shift-Tab, Esc, up, down, page up, page down. */
const passedOnPattern = /^(?:\r|\t|\u001b|\u001b\[Z|\u001b[[O][AB]|\u001b\[[56]~)$/;

/** Ctrl-J and Alt-Enter, which insert a line feed in a multi-line field. */
const newLines: ReadonlySet<string> = new Set(['\n', '\u001b\r']);

const control = /^[\x00-\x1f\x7f]/;

/** A field after an edit, and the number of tokens consumed. */
export interface Edited extends Editing {
  readonly taken: number;
}

/**
 * Applies tokens to a field, up to the first token that is not for the field. Text is inserted unchanged; consecutive characters are one
 * insertion. `multiline`: whether the field can have several lines.
 */
export function editField(tokens: readonly InputToken[], editing: Editing, multiline = false): Edited {
  let field = editing;
  let taken = 0;
  const typed: string[] = [];
  const settle = () => {
    if (typed.length > 0) field = insert(typed.splice(0).join(''), field.isSelected ? nothing : field);
  };
  for (const token of tokens) {
    if (token.kind === 'press' && passedOnPattern.test(token.text)) break;
    taken++;
    const text = insertedText(token, multiline);
    if (text !== undefined) {
      typed.push(text);
      continue;
    }
    settle();
    const erases = field.isSelected && erasingKeys.has(token.text);
    field = erases ? nothing : (editingKeys[token.text]?.(field) ?? field);
  }
  settle();
  return { ...field, taken };
}

/** Returns the text that a token inserts; undefined for a press that inserts nothing. */
function insertedText(token: InputToken, multiline: boolean): string | undefined {
  if (token.kind === 'paste') return pastedText(token.text, multiline);
  if (multiline && newLines.has(token.text)) return '\n';
  return control.test(token.text) ? undefined : token.text;
}

/**
 * Converts carriage returns in a paste to line feeds, because terminals send a line feed as a carriage return. Copied text often ends with
 * a line end, which is dropped for a one-line field.
 */
function pastedText(text: string, multiline: boolean): string {
  const lines = text.replace(/\r(?!\n)/g, '\n');
  return multiline ? lines : lines.replace(/[\r\n]+$/, '');
}

function insert(inserted: string, { text, cursor }: Editing): Editing {
  return { text: text.slice(0, cursor) + inserted + text.slice(cursor), cursor: cursor + inserted.length };
}

function goTo({ text }: Editing, target: number): Editing {
  return { text, cursor: target };
}

function erase({ text }: Editing, from: number, to: number): Editing {
  return { text: text.slice(0, from) + text.slice(to), cursor: from };
}

function before({ text, cursor }: Editing): number {
  return cursor - graphemeLengthBefore(text, cursor);
}

function after({ text, cursor }: Editing): number {
  return cursor >= text.length ? cursor : cursor + graphemeLength(text, cursor);
}

const separator = /[\s/:.,;_-]/;

function wordBefore({ text, cursor }: Editing): number {
  let at = cursor;
  while (at > 0 && separator.test(text.charAt(at - 1))) at--;
  while (at > 0 && !separator.test(text.charAt(at - 1))) at--;
  return at;
}

function wordAfter({ text, cursor }: Editing): number {
  let at = cursor;
  while (at < text.length && separator.test(text.charAt(at))) at++;
  while (at < text.length && !separator.test(text.charAt(at))) at++;
  return at;
}
