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
export function ageOf(age: number): { readonly words: string; readonly lasts: number } {
  const past = Math.max(0, age);
  const { step, unit, word } = steps.findLast(({ from }) => past >= from) ?? steps[0];
  const told = Math.floor(past / step) * step;
  return { words: told === 0 ? 'just now' : `${told / unit} ${word} ago`, lasts: told + step - past };
}
