import { escapeText } from '../../src/text/escape.ts';
import type { Token } from '../terminal/input-tokens.ts';
import { graphemeLength, graphemeLengthBefore } from '../viewer/fold.ts';

/** A one-line field: its text and the offset of the cursor, in code units. */
export interface Editing {
  readonly text: string;
  readonly cursor: number;
}

/** An edit of a field: presses for ink-text-input, its cursor afterwards, and how much was left out. */
export interface Edit {
  readonly sequences: readonly string[];
  readonly cursor: number;
  /** Characters of a paste that a one-line field cannot show and does not take. */
  readonly dropped: number;
}

const left = '\u001b[D';
const right = '\u001b[C';
const backspace = '\u007f';

const meanings: Readonly<Record<string, (editing: Editing) => Edit>> = {
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

/** Presses that a form or the help reads, not the field: Enter, Tab, Shift-Tab, Esc, lines, pages, Ctrl-C, Ctrl-Z. */
const passedOn = /^(?:\r|\t|\u001b|\u0003|\u001a|\u001b\[Z|\u001b[[O][AB]|\u001b\[[56]~)$/;

/**
 * Returns the edit of a field by a token. ink-text-input knows typing, left, right and a backspace that leaves half an
 * emoji: the other keys of a shell's line editor are translated into those. Invisible characters are not taken.
 */
export function editField(token: Token, editing: Editing): Edit {
  if (token.kind === 'paste') return insert(token.text.replace(/[\r\n]+$/, ''), editing);
  const meaning = meanings[token.text];
  if (meaning !== undefined) return meaning(editing);
  if (passedOn.test(token.text)) return { sequences: [token.text], cursor: editing.cursor, dropped: 0 };
  if (/^[\x00-\x1f\x7f]/.test(token.text)) return { sequences: [], cursor: editing.cursor, dropped: 0 };
  return insert(token.text, editing);
}

/** Characters that one paste can add: all of it is drawn anew with every press, and $EDITOR takes longer texts. */
const longestInsert = 16_384;

function insert(text: string, { cursor }: Editing): Edit {
  const characters = [...text];
  const kept = characters.slice(0, longestInsert).filter(isTaken);
  const inserted = kept.join('');
  return {
    sequences: inserted === '' ? [] : [inserted],
    cursor: cursor + inserted.length,
    dropped: characters.length - kept.length,
  };
}

const visibleMark = /^[\p{M}--\p{Default_Ignorable_Code_Point}]$/v;

/** Whether a character stands for itself on a terminal; marks stand on the one before them. */
function isTaken(character: string): boolean {
  return character === '\\' || visibleMark.test(character) || escapeText(character) === character;
}

function goTo({ cursor }: Editing, target: number): Edit {
  const press = target < cursor ? left : right;
  return { sequences: Array(Math.abs(target - cursor)).fill(press), cursor: target, dropped: 0 };
}

function erase(editing: Editing, from: number, to: number): Edit {
  const moves = goTo(editing, to).sequences;
  return { sequences: [...moves, ...Array(to - from).fill(backspace)], cursor: from, dropped: 0 };
}

function before({ text, cursor }: Editing): number {
  return cursor - graphemeLengthBefore(text, cursor);
}

function after({ text, cursor }: Editing): number {
  return cursor >= text.length ? cursor : cursor + graphemeLength(text, cursor);
}

function wordBefore({ text, cursor }: Editing): number {
  return text.slice(0, cursor).search(/[^\s/:.,;_-]*[\s/:.,;_-]*$/);
}

function wordAfter({ text, cursor }: Editing): number {
  const word = /^[\s/:.,;_-]*[^\s/:.,;_-]*/.exec(text.slice(cursor));
  return cursor + (word?.[0].length ?? 0);
}
