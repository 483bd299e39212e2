import { type Fact, type Facts, ifKnown, type TokenAnswer } from '../facts.ts';
import { recordOf } from './reading.ts';
import { workerOf } from './worker-route.ts';

/** The answer that an authority gets for the HTTP token; `wanted` is the token, if the certificate waits for one. */
export interface FetchedToken {
  readonly answer: TokenAnswer;
  readonly wanted?: string;
}

/** The token as an authority finds it; undefined where it was not fetched. */
export function fetchedToken(facts: Facts, found: Fact<TokenAnswer> = facts.token): FetchedToken | undefined {
  const answer = ifKnown(found);
  const records = recordOf(facts)?.ssl?.validation_records ?? [];
  const wanted = records.find((one) => one.http_url === answer?.url)?.http_body;
  return answer === undefined ? undefined : { answer, ...(wanted !== undefined && { wanted }) };
}

export function isToken({ status, body }: TokenAnswer, wanted: string | undefined): boolean {
  return status === 200 && body.trim() === wanted;
}

/** The answer instead of the token, if the authority does not reach the edge. */
export function barrier(facts: Facts): FetchedToken | undefined {
  const found = fetchedToken(facts);
  if (found === undefined) return undefined;
  const { answer, wanted } = found;
  if (wanted !== undefined) return isToken(answer, wanted) ? undefined : found;
  // What a worker of ours answers has no cache status either.
  const isBefore = answer.reachedOrigin === false && workerOf(facts) === undefined;
  return isBefore || answer.challenged || answer.cached ? found : undefined;
}

/**
 * The other server that an authority reaches, because it queries over IPv6 first. A fault over IPv4 too is not reported here.
 */
export function barrierV6(facts: Facts): FetchedToken | undefined {
  const found = fetchedToken(facts, facts.tokenV6);
  if (found === undefined || isToken(found.answer, found.wanted) || barrier(facts) !== undefined)
    return undefined;
  return found;
}

/** Whether an authority cannot validate over HTTP although DNS points here: something else answers instead of the edge. */
export function httpIsBarred(facts: Facts): boolean {
  return barrier(facts) !== undefined || barrierV6(facts) !== undefined;
}
