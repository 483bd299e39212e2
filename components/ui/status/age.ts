const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The steps in which an age is shown. A change each second would be distracting. */
const steps = [
  { from: 0, step: 10 * second, unit: second, word: 's' },
  { from: minute, step: minute, unit: minute, word: 'min' },
  { from: hour, step: hour, unit: hour, word: 'h' },
  { from: day, step: day, unit: day, word: 'd' },
] as const;

/** Returns the age of a reading in words, and the milliseconds until they change. `age` is in milliseconds. */
export function formatAge(age: number): { readonly words: string; readonly validForMs: number } {
  const elapsed = Math.max(0, age);
  const { step, unit, word } = steps.findLast(({ from }) => elapsed >= from) ?? steps[0];
  const rounded = Math.floor(elapsed / step) * step;
  return {
    words: rounded === 0 ? 'just now' : `${rounded / unit} ${word} ago`,
    validForMs: rounded + step - elapsed,
  };
}
