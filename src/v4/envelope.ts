import type { Answer } from './send.ts';

/** An error as the platform sends it. `error_chain` holds the causes beneath it. */
export interface EnvelopeError {
  readonly code: number;
  readonly message: string;
  readonly error_chain?: readonly EnvelopeError[];
}

/** Paging facts of a list: numbered pages have totals, cursor pages a cursor, "" on the last one. */
export interface EnvelopeInfo {
  readonly page?: number;
  readonly per_page?: number;
  readonly count?: number;
  readonly total_count?: number;
  readonly total_pages?: number;
  readonly cursor?: string;
  /** Of a list of objects: whether there is more, and what its keys share up to the delimiter. */
  readonly is_truncated?: boolean;
  readonly delimited?: readonly string[];
}

/** The JSON round every answer of the v4 API but raw values. */
export interface Envelope<T> {
  readonly success: boolean;
  readonly result?: T | null;
  readonly errors: readonly EnvelopeError[];
  readonly messages: readonly unknown[];
  readonly result_info?: EnvelopeInfo;
}

/** HTTP 200 with a result, and paging facts for a list. */
export function ok<T>(result: T, info?: EnvelopeInfo): Answer {
  const paging = info === undefined ? {} : { result_info: info };
  return json(200, { success: true, result, errors: [], messages: [], ...paging });
}

/** HTTP 200 without a result, of which the platform has none for some deletes. */
export function done(): Answer {
  return json(200, { success: true, errors: [], messages: [] });
}

/** A refusal with one error; `chain` has its causes. */
export function refused(
  status: number,
  code: number,
  message: string,
  chain?: readonly EnvelopeError[],
): Answer {
  const error = chain === undefined ? { code, message } : { code, message, error_chain: chain };
  return refusedAll(status, [error]);
}

/** A refusal with several errors, the weightiest first. */
export function refusedAll(status: number, errors: readonly EnvelopeError[]): Answer {
  return json(status, { success: false, result: null, errors, messages: [] });
}

/** An envelope as an answer. */
export function json<T>(status: number, envelope: Envelope<T>): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(envelope)),
  };
}
