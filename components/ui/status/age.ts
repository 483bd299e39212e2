const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The steps in which an age is shown: an age that changes each second would be distracting. */
const steps = [
  { from: 0, step: 10 * second, unit: second, word: 's' },
  { from: minute, step: minute, unit: minute, word: 'min' },
  { from: hour, step: hour, unit: hour, word: 'h' },
  { from: day, step: day, unit: day, word: 'd' },
] as const;

/** The age of displayed data. All times are in milliseconds. */
export interface DataAge {
  /** When the data was read; undefined if it was not read, or is always up to date. */
  readonly readAt: number | undefined;
  /** The age below which the data is shown as live; undefined for data that is not refreshed. */
  readonly liveForMs?: number | undefined;
}

interface AgeWords {
  readonly words: string;
  readonly validForMs: number;
}

/**
 * Formats the age of data, and returns the milliseconds until the text changes; undefined if the data has no age. While data is refreshed
 * as planned, the text stays `live`, so that an unchanged screen is not redrawn.
 */
export function formatDataAge({ readAt, liveForMs = 0 }: DataAge, now: number): AgeWords | undefined {
  if (readAt === undefined) return undefined;
  const age = Math.max(0, now - readAt);
  return age < liveForMs ? { words: 'live', validForMs: liveForMs - age } : formatAge(age);
}

/** Formats an age in milliseconds, and returns the milliseconds until the text changes. */
export function formatAge(age: number): AgeWords {
  const elapsed = Math.max(0, age);
  const { step, unit, word } = steps.findLast(({ from }) => elapsed >= from) ?? steps[0];
  const rounded = Math.floor(elapsed / step) * step;
  return {
    words: rounded === 0 ? 'just now' : `${rounded / unit} ${word} ago`,
    validForMs: rounded + step - elapsed,
  };
}
