import { type Fact, type Facts, ifKnown, type TokenAnswer } from '../facts.ts';
import { exactRecord } from './reading.ts';
import { findWorkerRoute } from './worker-route.ts';

/** The response that an authority gets for the HTTP token. `wanted` is the token, if the certificate waits for a token. */
export interface FetchedToken {
  readonly answer: TokenAnswer;
  readonly wanted?: string;
}

/** Returns the response for the token as an authority gets it; undefined if it was not fetched. */
export function fetchedToken(facts: Facts, found: Fact<TokenAnswer> = facts.token): FetchedToken | undefined {
  const answer = ifKnown(found);
  const records = exactRecord(facts)?.ssl?.validation_records ?? [];
  const wanted = records.find((one) => one.http_url === answer?.url)?.http_body;
  return answer === undefined ? undefined : { answer, ...(wanted !== undefined && { wanted }) };
}

export function isToken({ status, body }: TokenAnswer, wanted: string | undefined): boolean {
  return status === 200 && body.trim() === wanted;
}

/** Returns the response that an authority gets instead of the token, if the authority does not reach the edge. */
export function barrier(facts: Facts): FetchedToken | undefined {
  const found = fetchedToken(facts);
  if (found === undefined) return undefined;
  const { answer, wanted } = found;
  if (wanted !== undefined) return isToken(answer, wanted) ? undefined : found;
  // Responses from our own worker have no cache status: if a worker route matches, a missing cache status does not show that another server
  // answered.
  const isBefore = answer.reachedOrigin === false && findWorkerRoute(facts) === undefined;
  return isBefore || answer.challenged || answer.cached ? found : undefined;
}

/** Returns the response from another server that an authority reaches because it tries IPv6 first; undefined if IPv4 has the same fault. */
export function barrierV6(facts: Facts): FetchedToken | undefined {
  const found = fetchedToken(facts, facts.tokenV6);
  if (found === undefined || isToken(found.answer, found.wanted) || barrier(facts) !== undefined)
    return undefined;
  return found;
}

/**
 * Returns whether an authority cannot validate over HTTP although DNS points here, because another server responds before the edge does.
 */
export function httpIsBarred(facts: Facts): boolean {
  return barrier(facts) !== undefined || barrierV6(facts) !== undefined;
}
