/** Maximum number of seconds by which a sandbox's clock can be advanced in one step: a hundred years. */
export const maxAdvanceSeconds = 100 * 365 * 24 * 3600;
