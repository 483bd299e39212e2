/** Maximum number of seconds by which the clock of a sandbox is advanced in one step: a hundred years. */
export const maxAdvanceSeconds = 100 * 365 * 24 * 3600;
