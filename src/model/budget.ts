/** A maximum number of requests per period. */
export interface RequestBudget {
  readonly requests: number;
  readonly seconds: number;
}

/** The platform's limit per user (reference: client API limits). Each request counts once, including bulk requests. */
export const platformBudget: RequestBudget = { requests: 1200, seconds: 300 };

/**
 * The used part of a budget. Requests are counted in cells, each a hundredth of the period. A request counts at the time of its response
 * or, if it has not been sent yet, at the time when it can be sent. All times are in milliseconds since the UNIX epoch.
 */
export interface BudgetUse {
  /** The number of requests in each cell, in ascending order of cells. `cell` is the number of cells since the epoch. */
  readonly cells: readonly (readonly [cell: number, count: number])[];
  /** Requests that can be sent together at the time `at`. */
  readonly tokens: number;
  readonly at: number;
  /** When the most recently scheduled request can be sent. */
  readonly last: number;
  /** When the most recent request was scheduled. */
  readonly taken: number;
  /** Requests from other programs and machines, and the time until which they count. */
  readonly others?: { readonly count: number; readonly until: number };
}

/** Number of cells in a period. A request therefore counts for up to a hundredth of the period longer here than on the platform. */
const cellsPerPeriod = 100;

function cellMilliseconds({ seconds }: RequestBudget): number {
  return (seconds * 1000) / cellsPerPeriod;
}

function cellAt(budget: RequestBudget, time: number): number {
  return Math.floor(time / cellMilliseconds(budget));
}

/**
 * Returns the maximum number of requests sent together after a pause: a quarter of the budget, so that short operations are never delayed.
 */
function burstSize({ requests }: RequestBudget): number {
  return Math.max(1, Math.floor(requests / 4));
}

/**
 * Returns the number of tokens added per millisecond. At this rate, a burst and the added tokens together stay within the budget in every
 * period.
 */
function tokensPerMillisecond(budget: RequestBudget): number {
  return Math.max(1, budget.requests - burstSize(budget)) / (budget.seconds * 1000);
}

export function unusedBudget(budget: RequestBudget, now: number): BudgetUse {
  return { cells: [], tokens: burstSize(budget), at: now, last: now, taken: now };
}

/** The number of requests that can be sent together now, and after a pause. */
export interface RequestsLeft {
  readonly left: number;
  readonly of: number;
}

/** Returns whether less than a quarter of the budget is left. In that case, data that the user did not request is not loaded. */
export function isScarce({ left, of }: RequestsLeft): boolean {
  return left < of / 4;
}

/** Returns the number of requests that can be sent together at a given time; 0 while requests are waiting. */
export function requestsLeft(use: BudgetUse | undefined, budget: RequestBudget, now: number): RequestsLeft {
  const of = burstSize(budget);
  if (use === undefined) return { left: of, of };
  const free = budget.requests - countUsed(use, budget, now);
  const left = use.last > now ? 0 : Math.min(free, refilled(use, budget, now));
  return { left: Math.max(0, Math.floor(left)), of };
}

/** Returns the number of requests that count at a given time, including requests that will be sent later. */
function countUsed({ cells, others }: BudgetUse, budget: RequestBudget, at: number): number {
  const oldest = cellAt(budget, at) - cellsPerPeriod;
  const own = cells.reduce((sum, [cell, count]) => (cell < oldest ? sum : sum + count), 0);
  return own + (others !== undefined && others.until > at ? others.count : 0);
}

function refilled({ tokens, at }: BudgetUse, budget: RequestBudget, now: number): number {
  return Math.min(burstSize(budget), tokens + Math.max(0, now - at) * tokensPerMillisecond(budget));
}

/**
 * Schedules one request at `earliest` or later. The returned `time` is the time at which the request can be sent. After a burst, requests
 * are spread over the period: they are sent as tokens are added, or faster, up to the full rate, while the budget has room.
 */
export function takePlace(
  used: BudgetUse,
  budget: RequestBudget,
  now: number,
  earliest = now,
): { readonly use: BudgetUse; readonly time: number } {
  const use = dropOld(used, budget, now);
  let time = Math.max(now, earliest, use.last);
  for (;;) {
    const oldest = cellAt(budget, time) - cellsPerPeriod;
    const expiry = findExpiry(use, budget, oldest, time);
    const free = budget.requests - countUsed(use, budget, time);
    if (free < 1 && expiry > time) {
      time = expiry;
      continue;
    }
    const tokens = refilled(use, budget, time);
    if (tokens < 1) {
      const spread = Math.max((budget.seconds * 1000) / budget.requests, (expiry - time) / Math.max(1, free));
      const refill = time + (1 - tokens) / tokensPerMillisecond(budget);
      const next = Math.ceil(Math.min(use.last + spread, refill));
      if (next > time) {
        time = next;
        continue;
      }
    }
    const left = Math.max(0, tokens - 1);
    const marks = { tokens: left, at: time, last: time, taken: now };
    return { use: { ...addRequest(use, budget, time, 1), ...marks }, time };
  }
}

/** Returns the time at which the oldest counted requests expire, or the end of a full period if none count. */
function findExpiry(
  { cells, others }: BudgetUse,
  budget: RequestBudget,
  oldest: number,
  time: number,
): number {
  const first = cells.find(([cell]) => cell >= oldest)?.[0];
  const own =
    first === undefined
      ? Number.POSITIVE_INFINITY
      : Math.ceil((first + cellsPerPeriod + 1) * cellMilliseconds(budget));
  const foreign = others !== undefined && others.until > time ? others.until : Number.POSITIVE_INFINITY;
  const expiry = Math.min(own, foreign);
  return expiry === Number.POSITIVE_INFINITY ? time + budget.seconds * 1000 : expiry;
}

/** Milliseconds by which a clock can be set back before saved times count as invalid. */
export const clockToleranceMs = 10_000;

/**
 * The number of past cells that are kept. More than one period is kept, because a late response reports what the platform had counted when
 * the request was sent.
 */
const keptCells = 1.5 * cellsPerPeriod;

/** Drops expired counts, and all counts if the clock was set back. */
function dropOld(use: BudgetUse, budget: RequestBudget, now: number): BudgetUse {
  if (use.taken > now + clockToleranceMs) return unusedBudget(budget, now);
  const oldest = cellAt(budget, now) - keptCells;
  return { ...use, cells: use.cells.filter(([cell]) => cell >= oldest) };
}

/** Adds requests to the cell of the given time. A count of -1 removes a request that was not sent. */
function addRequest(use: BudgetUse, budget: RequestBudget, time: number, count: number): BudgetUse {
  const cell = cellAt(budget, time);
  const cells = new Map(use.cells);
  const sum = (cells.get(cell) ?? 0) + count;
  if (sum > 0) cells.set(cell, sum);
  else cells.delete(cell);
  return { ...use, cells: [...cells].sort(([one], [other]) => one - other) };
}

/**
 * Removes a request that was not sent. If it was the last scheduled request, the next request is scheduled after the remaining requests, or
 * immediately. The tokens are reduced to the number available at that time.
 */
export function releasePlace(use: BudgetUse, budget: RequestBudget, time: number, now: number): BudgetUse {
  const left = addRequest(use, budget, time, -1);
  const [lastCell = Number.NEGATIVE_INFINITY] = left.cells.at(-1) ?? [];
  const last = Math.max(
    now,
    lastCell > cellAt(budget, now) ? (lastCell + 1) * cellMilliseconds(budget) : now,
  );
  if (last >= left.last) return left;
  const tokens = left.tokens + 1 - (left.at - last) * tokensPerMillisecond(budget);
  return { ...left, tokens: Math.max(0, tokens), at: last, last };
}

/**
 * Moves a request to the time of its response, because the platform counts the request at some time before the response. Returns the same
 * value if the cell stays the same.
 */
export function moveRequest(use: BudgetUse, budget: RequestBudget, from: number, to: number): BudgetUse {
  if (cellAt(budget, from) === cellAt(budget, to)) return use;
  return addRequest(addRequest(use, budget, from, -1), budget, to, 1);
}

/**
 * Counts a request that was sent before the budget was known. Removes the request from the count of other clients' requests, because an
 * earlier response may have included it in that count.
 */
export function addLate(use: BudgetUse, budget: RequestBudget, now: number): BudgetUse {
  const { others, ...own } = addRequest(use, budget, now, 1);
  if (others === undefined || others.until <= now || others.count <= 1) return own;
  return { ...own, others: { ...others, count: others.count - 1 } };
}

/** The state of a limit, as announced in a response from the platform. */
export interface AnnouncedLimit {
  readonly budget?: RequestBudget | undefined;
  /** Requests left, and the seconds until the limit is reset. */
  readonly left?: { readonly requests: number; readonly seconds: number } | undefined;
}

/**
 * Counts other clients' requests: requests that the platform has counted, but this budget has not. The platform counted at some time after
 * `sent`, so this budget's own requests that expired after `sent` did not come from other clients.
 */
export function countOthers(
  use: BudgetUse,
  budget: RequestBudget,
  left: NonNullable<AnnouncedLimit['left']>,
  now: number,
  sent = now,
): BudgetUse {
  const { others, ...own } = use;
  const count = budget.requests - left.requests - countUsed(own, budget, Math.min(sent, now));
  // Keeps a higher count, because the response to an earlier request can arrive later.
  const isKnown = others !== undefined && others.until > now && others.count >= count;
  if (isKnown || count <= 0) return use;
  return { ...own, others: { count, until: now + left.seconds * 1000 } };
}

/**
 * Converts the used part to another budget. Requests keep their times, so that they do not expire later if the platform alternates between
 * two policies. The remaining burst is scaled to the burst size of the other budget.
 */
export function convertUse(use: BudgetUse, budget: RequestBudget, other: RequestBudget): BudgetUse {
  const tokens = (use.tokens * burstSize(other)) / burstSize(budget);
  if (budget.seconds === other.seconds) return { ...use, tokens };
  const [width, otherWidth] = [cellMilliseconds(budget), cellMilliseconds(other)];
  // Counts a request at the end of a longer cell, so that it does not expire early, and at the start of a shorter cell, so that a second
  // conversion returns it to the same cell.
  const offset = otherWidth < width ? width - 1 : 0;
  const counts = new Map<number, number>();
  for (const [cell, count] of use.cells) {
    const target = Math.floor((cell * width + offset) / otherWidth);
    counts.set(target, (counts.get(target) ?? 0) + count);
  }
  return { ...use, cells: [...counts], tokens };
}

export function isSameBudget(one: RequestBudget, other: RequestBudget): boolean {
  return one.requests === other.requests && one.seconds === other.seconds;
}

/** Returns the seconds until the last of the given number of requests can be sent, if no requests were sent before. */
export function secondsFor(budget: RequestBudget, requests: number): number {
  const waiting = requests - burstSize(budget);
  return waiting <= 0 ? 0 : waiting / tokensPerMillisecond(budget) / 1000;
}
