const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The steps in which an age is shown, and from when. Seconds would draw the eye to the corner of the screen all the time. */
const steps = [
  { from: 0, step: 10 * second, unit: second, word: 's' },
  { from: minute, step: minute, unit: minute, word: 'min' },
  { from: hour, step: hour, unit: hour, word: 'h' },
  { from: day, step: day, unit: day, word: 'd' },
] as const;

/** The age of a reading, and milliseconds until its text changes. Takes milliseconds. */
export function ageOf(age: number): { readonly words: string; readonly lasts: number } {
  const past = Math.max(0, age);
  const { step, unit, word } = steps.findLast(({ from }) => past >= from) ?? steps[0];
  const told = Math.floor(past / step) * step;
  return { words: told === 0 ? 'just now' : `${told / unit} ${word} ago`, lasts: told + step - past };
}
