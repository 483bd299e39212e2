import type { InputToken } from '../../kit/terminal/input-tokens.ts';
import { type Editing, editField } from './field-editing.ts';

/** The state of a field for drawing. */
export interface ShownField extends Editing {
  /** Number of edits made without ink-text-input. Each of these edits remounts ink-text-input, with the cursor at the end. */
  readonly edits: number;
}

export interface FieldOptions {
  /** Columns of the field. */
  readonly width: number;
  /** Whether several lines are allowed. */
  readonly multiline: boolean;
  onChange(text: string): void;
}

/**
 * The state of a field, outside React: all queued tokens are one edit, and each edit starts from the result of the previous one, even if
 * that result has not been drawn.
 */
export class FieldState {
  #shown: ShownField;
  #options: FieldOptions;
  readonly #listeners = new Set<() => void>();

  /** `isSelected`: whether the whole text is initially selected, so that typing replaces it. */
  constructor(text: string, options: FieldOptions, isSelected = false) {
    const shown = { text, cursor: text.length, edits: 0 };
    this.#shown = isSelected && text !== '' ? { ...shown, isSelected } : shown;
    this.#options = options;
  }

  /** The current state: the same object until the state changes. */
  get shown(): ShownField {
    return this.#shown;
  }

  /** Calls a listener after changes, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Sets the field's options. Must be called whenever they change. */
  setOptions(options: FieldOptions): void {
    this.#options = options;
  }

  /** Sets text that was not typed, with the cursor at its end. Setting the current text has no effect. */
  setText(text: string): void {
    if (text !== this.#shown.text) this.#put({ text, cursor: text.length, edits: this.#shown.edits + 1 });
  }

  /** Handles the text that ink-text-input reports after a press. */
  readonly typed = (text: string): void => this.#put({ ...this.#shown, text, cursor: text.length });

  /** Consumes the queued tokens for this field, unless ink-text-input can handle them. Returns the number of consumed tokens. */
  readonly take = (waiting: readonly InputToken[]): number => {
    if (fitsInkInput(this.#shown, this.#options.width) && isInkInputToken(waiting)) return 0;
    const { edits, ...before } = this.#shown;
    const { taken, ...edited } = editField(waiting, before, this.#options.multiline);
    const isEdited = edited.text !== before.text || edited.cursor !== before.cursor;
    if (isEdited || edited.isSelected !== before.isSelected) this.#put({ ...edited, edits: edits + 1 });
    return taken;
  };

  #put(next: ShownField): void {
    const isChanged = next.text !== this.#shown.text;
    this.#shown = next;
    if (isChanged) this.#options.onChange(next.text);
    for (const listener of this.#listeners) listener();
  }
}

/** Returns whether ink-text-input can handle the field: ASCII text that fits, with the cursor at its end and no selection. */
export function fitsInkInput({ text, cursor, isSelected }: Editing, width: number): boolean {
  return isSelected !== true && cursor === text.length && text.length < width - 1 && /^[ -~]*$/.test(text);
}

/** Returns whether the tokens are a single press of an ASCII character or Backspace. */
function isInkInputToken([first, ...others]: readonly InputToken[]): boolean {
  return others.length === 0 && first?.kind === 'press' && /^[ -~\x7f]$/.test(first.text);
}
