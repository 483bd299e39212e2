import type { FieldChoice } from './form-state.ts';

/** The letters typed in a picker, and the value that they select. */
export interface TypedChoice {
  readonly letters: string;
  readonly value: string | undefined;
}

/**
 * Returns the picker after one more letter: the first value or label that begins with the typed letters. If there is no match,
 * the search restarts with this letter.
 */
export function typedChoice(choices: readonly FieldChoice[], letters: string, letter: string): TypedChoice {
  for (const tried of [letters + letter, letter]) {
    const small = tried.toLowerCase();
    const found = choices.find(({ value, label }) =>
      [value, label].some((text) => text.toLowerCase().startsWith(small)),
    );
    if (found !== undefined) return { letters: tried, value: found.value };
  }
  return { letters, value: undefined };
}
