import {
  type AnnouncedLimit,
  addLate,
  type BudgetUse,
  clockToleranceMs,
  convertUse,
  countOthers,
  isSameBudget,
  moveRequest,
  platformBudget,
  type RequestBudget,
  type RequestsLeft,
  releasePlace,
  requestsLeft,
  takePlace,
  unusedBudget,
} from './budget.ts';
import { hostnameLimits } from './hostnames/hostname.ts';
import { issuanceSpanMilliseconds, issuanceWait } from './hostnames/issuance.ts';

/** The known limits of one token, shared by all programs that use it. Times are milliseconds since the UNIX epoch. */
export interface PaceState {
  /** The limit that the platform has announced, and the time until which it applies. */
  readonly announced?: { readonly budget: RequestBudget; readonly until: number } | undefined;
  /** The used part of the budget. */
  readonly counted?: { readonly budget: RequestBudget; readonly use: BudgetUse } | undefined;
  /** The time before which the platform allows no requests (Retry-After). */
  readonly closedUntil: number;
  /** When certificates for custom hostnames were requested in the last minute, oldest first, and the time before which none is issued. */
  readonly certificates: { readonly issued: readonly number[]; readonly closedUntil: number };
  /** When each KV key was last written, by a hash of its path. */
  readonly keys: Readonly<Record<string, number>>;
}

export const unusedPace: PaceState = {
  closedUntil: 0,
  certificates: { issued: [], closedUntil: 0 },
  keys: {},
};

/** The limits that apply if the platform has not announced any. */
export interface PaceLimits {
  /** The budget; undefined on loopback, where only announced limits apply. */
  readonly budget: RequestBudget | undefined;
  /** Whether the user chose the budget. If so, the platform's announcements can only reduce it. */
  readonly isChosen?: boolean;
  /** Whether the platform's limit on certificates per minute applies. Commands apply their own limit, which the user can change. */
  readonly limitsCertificates?: boolean;
}

/** The limited resources that a request uses in addition to the budget. */
export interface PacedUse {
  /** Whether the request orders a certificate for a custom hostname. */
  readonly createsHostname: boolean;
  /** A hash of the path of the KV key that the request writes. */
  readonly key: string | undefined;
}

/** The budget that counts a request, and the time of the request. */
export interface BudgetPlace {
  readonly budget: RequestBudget;
  readonly time: number;
}

/** Milliseconds between two writes to one key (specification, Limits). */
const keyIntervalMs = 1000;

/** Maximum number of milliseconds for which an announced limit counts. */
const announcementMs = 10 * 60_000;

/** Maximum delay in milliseconds that the platform can impose on all requests: the length of its rate limit window. */
export const maxClosedMs = platformBudget.seconds * 1000;

/**
 * Returns the time before which no request is sent. Ignores a time that is too far in the future, because the clock was set back after the
 * time was saved.
 */
export function findClosedUntil({ closedUntil }: Pick<PaceState, 'closedUntil'>, now: number): number {
  return closedUntil > now + maxClosedMs + clockToleranceMs ? 0 : closedUntil;
}

/** Returns the budget that applies now; undefined if there is none. */
export function findBudget(
  { announced }: PaceState,
  { budget, isChosen = false }: PaceLimits,
  now: number,
): RequestBudget | undefined {
  if (announced === undefined || announced.until <= now || announced.until > now + announcementMs)
    return budget;
  const isLower =
    budget !== undefined &&
    budget.requests / budget.seconds < announced.budget.requests / announced.budget.seconds;
  return isChosen && isLower ? budget : announced.budget;
}

/** The reserved time of a certificate; or, for a key, the reserved time of a write, and the time of the write before it. */
export interface Reservation {
  readonly time: number;
  readonly before: number | undefined;
}

/**
 * Reserves the certificate or the key that a request uses. `reserved` is undefined if no limit applies. `time` is when the certificate or
 * key becomes available. The request takes its place in the budget only at that time, so that it does not delay other requests.
 */
export function reserveOwn(
  state: PaceState,
  { createsHostname, key }: PacedUse,
  limits: PaceLimits,
  now: number,
): { readonly state: PaceState; readonly time: number; readonly reserved?: Reservation } {
  const closedUntil = findClosedUntil(state.certificates, now);
  if (findBudget(state, limits, now) === undefined) {
    const blocked = createsHostname ? closedUntil : now;
    return { state, time: Math.max(now, blocked) };
  }
  if (key !== undefined) {
    const last = state.keys[key];
    const time = Math.max(now, last === undefined || last > now + 60_000 ? now : last + keyIntervalMs);
    const recent = Object.entries(state.keys).filter(
      ([, at]) => at > now - keyIntervalMs && at <= now + 60_000,
    );
    const keys = { ...Object.fromEntries(recent), [key]: time };
    return { state: { ...state, keys }, time, reserved: { time, before: last } };
  }
  if (!createsHostname) return { state, time: now };
  const issued = state.certificates.issued.filter(
    (at) => at > now - issuanceSpanMilliseconds && at <= now + 10 * issuanceSpanMilliseconds,
  );
  const full = limits.limitsCertificates ? issuanceWait(issued, hostnameLimits.issuances, now) : 0;
  const time = Math.max(now + full, closedUntil);
  const certificates = { closedUntil, issued: [...issued, time] };
  return { state: { ...state, certificates }, time, reserved: { time, before: undefined } };
}

/** Reserves a place in the budget for a request. `time` is when the request can be sent; `place` is undefined if there is no budget. */
export function takePaced(
  state: PaceState,
  limits: PaceLimits,
  now: number,
): { readonly state: PaceState; readonly time: number; readonly place: BudgetPlace | undefined } {
  const budget = findBudget(state, limits, now);
  const earliest = Math.max(now, findClosedUntil(state, now));
  if (budget === undefined) return { state, time: earliest, place: undefined };
  const { use, time } = takePlace(readUse(state, budget, now), budget, now, earliest);
  return { state: { ...state, counted: { budget, use } }, time, place: { budget, time } };
}

/** Releases the place of a request that was not sent. */
export function returnPlace(state: PaceState, place: BudgetPlace, now: number): PaceState {
  const { counted } = state;
  if (counted === undefined || counted.budget.seconds !== place.budget.seconds) return state;
  return {
    ...state,
    counted: { ...counted, use: releasePlace(counted.use, counted.budget, place.time, now) },
  };
}

/**
 * Releases the reserved certificate or key of a request that was not sent. `isReturned` finds earlier writes to the key that were also
 * released. The key becomes available after the last write that was not released.
 */
export function returnOwn(
  state: PaceState,
  { createsHostname, key }: PacedUse,
  { time }: Reservation,
  isReturned: (key: string, time: number) => Reservation | undefined,
): PaceState {
  const { certificates, keys } = state;
  if (createsHostname) {
    const at = certificates.issued.lastIndexOf(time);
    if (at === -1) return state;
    return { ...state, certificates: { ...certificates, issued: certificates.issued.toSpliced(at, 1) } };
  }
  if (key === undefined || keys[key] === undefined) return state;
  let last: number | undefined = keys[key];
  for (let one = isReturned(key, last); one !== undefined; one = isReturned(key, last)) {
    last = one.before;
    if (last === undefined) break;
  }
  if (last === keys[key]) return state;
  const { [key]: _, ...others } = keys;
  return { ...state, keys: last === undefined ? others : { ...others, [key]: last } };
}

/** The limits that a response from the platform announces. */
export interface PacedAnswer extends AnnouncedLimit {
  /** Milliseconds during which the platform allows no requests; undefined if it did not refuse the request. */
  readonly closedMs?: number | undefined;
}

/** Updates the state with the limits in a response. Returns the same value if nothing changes. */
export function settlePaced(
  state: PaceState,
  sent: { readonly place: BudgetPlace | undefined } & Pick<PacedUse, 'createsHostname'>,
  answer: PacedAnswer,
  limits: PaceLimits,
  now: number,
): PaceState {
  const told = announce(state, answer.budget, now);
  const closed = answer.closedMs === undefined ? told : close(told, sent, now, answer.closedMs);
  const budget = findBudget(closed, limits, now);
  if (budget === undefined) return closed;
  const before = readUse(closed, budget, now);
  const { place } = sent;
  // Budgets with the same period have the same cells.
  const isCounted = place !== undefined && place.budget.seconds === budget.seconds;
  const own = isCounted
    ? moveRequest(before, budget, place.time, now)
    : addUncounted(before, budget, place, now);
  const use =
    answer.left === undefined || answer.budget === undefined || !isSameBudget(answer.budget, budget)
      ? own
      : countOthers(own, budget, answer.left, now, place?.time);
  if (use === closed.counted?.use) return closed;
  return { ...closed, counted: { budget, use } };
}

/**
 * Counts a request that was sent before the budget was known. A request that was counted in another budget was converted together with that
 * budget.
 */
function addUncounted(
  use: BudgetUse,
  budget: RequestBudget,
  place: BudgetPlace | undefined,
  now: number,
): BudgetUse {
  return place === undefined ? addLate(use, budget, now) : use;
}

function announce(state: PaceState, budget: RequestBudget | undefined, now: number): PaceState {
  if (budget === undefined) return state;
  const { announced } = state;
  const isKnown = announced !== undefined && isSameBudget(announced.budget, budget);
  if (isKnown && announced.until > now + announcementMs / 2) return state;
  return { ...state, announced: { budget, until: now + announcementMs } };
}

function close(
  state: PaceState,
  { createsHostname }: Pick<PacedUse, 'createsHostname'>,
  now: number,
  closedMs: number,
): PaceState {
  const latest = (earlier: Pick<PaceState, 'closedUntil'>) =>
    Math.max(findClosedUntil(earlier, now), now + closedMs);
  // A 429 for the creation of a hostname refers to the limit on certificates per minute, not to other requests.
  if (createsHostname)
    return { ...state, certificates: { issued: [], closedUntil: latest(state.certificates) } };
  return { ...state, closedUntil: latest(state) };
}

function readUse({ counted }: PaceState, budget: RequestBudget, now: number): BudgetUse {
  if (counted === undefined) return unusedBudget(budget, now);
  if (isSameBudget(counted.budget, budget)) return counted.use;
  return convertUse(counted.use, counted.budget, budget);
}

/** Returns the number of requests that can be sent now; undefined if there is no limit. */
export function pacedRequestsLeft(
  state: PaceState,
  limits: PaceLimits,
  now: number,
): RequestsLeft | undefined {
  const budget = findBudget(state, limits, now);
  return budget && requestsLeft(readUse(state, budget, now), budget, now);
}

/** Parses a stored state; undefined if it is invalid. */
export function parsePace(text: string): PaceState | undefined {
  try {
    const state: PaceState = JSON.parse(text);
    return isPace(state) ? state : undefined;
  } catch {
    return undefined;
  }
}

function isPace({ announced, counted, closedUntil, certificates, keys }: PaceState): boolean {
  const use = counted?.use;
  const times = [closedUntil, certificates.closedUntil, ...certificates.issued, ...Object.values(keys)];
  const counts = use && [use.tokens, use.at, use.last, use.taken, ...use.cells.flat()];
  const others = use?.others && [use.others.count, use.others.until];
  const until = announced && [announced.until];
  return (
    [times, counts, others, until].every((list) => (list ?? []).every(Number.isFinite)) &&
    [announced?.budget, counted?.budget].every((budget) => budget === undefined || isBudget(budget))
  );
}

function isBudget({ requests, seconds }: RequestBudget): boolean {
  return Number.isInteger(requests) && requests > 0 && Number.isInteger(seconds) && seconds > 0;
}
