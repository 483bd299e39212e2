import type { InputToken } from '../../kit/terminal/input-tokens.ts';
import { type Editing, editField } from './field-editing.ts';

/** A field for drawing. */
export interface ShownField extends Editing {
  /** Counts the edits that ink-text-input has not made itself: with each it is mounted again, its cursor at the end. */
  readonly edits: number;
}

export interface FieldOptions {
  /** Columns on the screen. */
  readonly width: number;
  /** Whether it may have several lines. */
  readonly multiline: boolean;
  onChange(text: string): void;
}

/**
 * A field that is being typed in, outside of React: many tokens are one edit, and the next ones meet what those before
 * them have done, whether it has been drawn or not.
 */
export class FieldState {
  #shown: ShownField;
  #options: FieldOptions;
  readonly #listeners = new Set<() => void>();

  /** `isSelected`: the whole string is selected at first, so that typing replaces it. */
  constructor(text: string, options: FieldOptions, isSelected = false) {
    const shown = { text, cursor: text.length, edits: 0 };
    this.#shown = isSelected && text !== '' ? { ...shown, isSelected } : shown;
    this.#options = options;
  }

  /** The same value until it changes. */
  get shown(): ShownField {
    return this.#shown;
  }

  /** Calls a listener after changes, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Receives its options after each change. */
  use(options: FieldOptions): void {
    this.#options = options;
  }

  /** Sets a string that was not typed, with the cursor at its end; the present one changes nothing. */
  become(text: string): void {
    if (text !== this.#shown.text) this.#put({ text, cursor: text.length, edits: this.#shown.edits + 1 });
  }

  /** Takes a string from ink-text-input after a press at its end. */
  readonly typed = (text: string): void => this.#put({ ...this.#shown, text, cursor: text.length });

  /** Takes the waiting tokens that are for it, and returns how many; leaves to ink-text-input what that can do. */
  readonly take = (waiting: readonly InputToken[]): number => {
    if (isServed(this.#shown, this.#options.width) && isServedToken(waiting)) return 0;
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

/** Whether ink-text-input serves: the cursor at the end of a plain text that fits. */
export function isServed({ text, cursor, isSelected }: Editing, width: number): boolean {
  return isSelected !== true && cursor === text.length && text.length < width - 1 && /^[ -~]*$/.test(text);
}

/** One plain character, or a backspace, and nothing after it. */
function isServedToken([first, ...others]: readonly InputToken[]): boolean {
  return others.length === 0 && first?.kind === 'press' && /^[ -~\x7f]$/.test(first.text);
}
