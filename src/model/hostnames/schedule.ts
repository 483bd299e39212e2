/** Checks of a hostname's own validation after the first, before it is given up: 7.06 days in all. */
export const hostnameChecks = 75;

/** Checks of a certificate's validation after the first, before it times out: 14.56 days in all. */
export const certificateChecks = 120;

const longestDelay = 14_400;

/**
 * Seconds from check `attempt` (0 is the first) to the next: a minute that grows by 5 % each time for ten checks,
 * then by 15 %, up to four hours (reference, section 2.4).
 */
export function backOffSeconds(attempt: number): number {
  const growth = attempt < 10 ? 1.05 : 1.15;
  return Math.min(Math.floor(60 * growth ** attempt), longestDelay);
}

/** Seconds from the first check to the one after `attempts` delays. */
export function backOffTotal(attempts: number): number {
  let total = 0;
  for (let attempt = 0; attempt < attempts; attempt += 1) total += backOffSeconds(attempt);
  return total;
}
