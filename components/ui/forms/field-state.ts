import type { InputToken } from '../../kit/terminal/input-tokens.ts';
import { type Editing, editField } from './field-editing.ts';

/** The state of a field for drawing. */
export interface ShownField extends Editing {
  /** Number of edits not made by ink-text-input. Each of these edits remounts the component, with its cursor at the end. */
  readonly edits: number;
}

export interface FieldOptions {
  /** Columns on the screen. */
  readonly width: number;
  /** Whether several lines are allowed. */
  readonly multiline: boolean;
  onChange(text: string): void;
}

/**
 * A field being edited, outside React: many tokens are one edit, and each edit sees the result of the previous edit,
 * even before that result is drawn.
 */
export class FieldState {
  #shown: ShownField;
  #options: FieldOptions;
  readonly #listeners = new Set<() => void>();

  /** `isSelected`: the whole string is initially selected, and typing replaces it. */
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

  /** Sets the field's options; called whenever they change. */
  setOptions(options: FieldOptions): void {
    this.#options = options;
  }

  /** Sets a string that was not typed, with the cursor at its end. Setting the current string again has no effect. */
  setText(text: string): void {
    if (text !== this.#shown.text) this.#put({ text, cursor: text.length, edits: this.#shown.edits + 1 });
  }

  /** Receives the string from ink-text-input after a press at its end. */
  readonly typed = (text: string): void => this.#put({ ...this.#shown, text, cursor: text.length });

  /** Consumes the queued tokens for this field, except tokens that ink-text-input can handle. Returns the number of consumed tokens. */
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

/** Whether ink-text-input can handle the field: plain text that fits, with the cursor at its end. */
export function fitsInkInput({ text, cursor, isSelected }: Editing, width: number): boolean {
  return isSelected !== true && cursor === text.length && text.length < width - 1 && /^[ -~]*$/.test(text);
}

/** Whether the tokens are one plain character or a backspace. */
function isInkInputToken([first, ...others]: readonly InputToken[]): boolean {
  return others.length === 0 && first?.kind === 'press' && /^[ -~\x7f]$/.test(first.text);
}
