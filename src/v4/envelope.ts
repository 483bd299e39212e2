import type { Answer } from './send.ts';

/** An error as the platform sends it. `error_chain` contains the error's causes. */
export interface EnvelopeError {
  readonly code: number;
  readonly message: string;
  readonly error_chain?: readonly EnvelopeError[];
}

/** Paging information of a list. Numbered pages have totals; cursor pages have a cursor, which is "" on the last page. */
export interface EnvelopeInfo {
  readonly page?: number;
  readonly per_page?: number;
  readonly count?: number;
  readonly total_count?: number;
  readonly total_pages?: number;
  readonly cursor?: string;
  /** For a list of objects: whether there are more objects, and the common prefixes of keys up to the delimiter. */
  readonly is_truncated?: boolean;
  readonly delimited?: readonly string[];
}

/** The JSON envelope of every v4 API response except raw values. */
export interface Envelope<T> {
  readonly success: boolean;
  readonly result?: T | null;
  readonly errors: readonly EnvelopeError[];
  readonly messages: readonly unknown[];
  readonly result_info?: EnvelopeInfo;
}

/** Returns a response with HTTP 200 and a result. A list also has paging information. */
export function ok<T>(result: T, info?: EnvelopeInfo): Answer {
  const paging = info === undefined ? {} : { result_info: info };
  return json(200, { success: true, result, errors: [], messages: [], ...paging });
}

/** Returns a response with HTTP 200 and no result, as the platform does for some deletes. */
export function emptyOk(): Answer {
  return json(200, { success: true, errors: [], messages: [] });
}

/** Returns a refusal with one error. `chain` contains the causes of the error. */
export function refused(
  status: number,
  code: number,
  message: string,
  chain?: readonly EnvelopeError[],
): Answer {
  const error = chain === undefined ? { code, message } : { code, message, error_chain: chain };
  return refusedAll(status, [error]);
}

/** Returns a refusal with several errors, most important first. */
export function refusedAll(status: number, errors: readonly EnvelopeError[]): Answer {
  return json(status, { success: false, result: null, errors, messages: [] });
}

/** Returns an envelope as a response. */
export function json<T>(status: number, envelope: Envelope<T>): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(envelope)),
  };
}
