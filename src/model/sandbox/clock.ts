/** Seconds that the clock of a sandbox is moved ahead at once, at most: a hundred years. */
export const longestAdvance = 100 * 365 * 24 * 3600;
