import { shortText } from '../model/long-text.ts';
import type { Advice } from '../model/problem.ts';
import { Problem, type ProblemCode } from '../model/problem.ts';
import { explainShapeFault } from '../model/shape-fault.ts';
import { guardCodes } from './guard-codes.ts';
import { type ParsedEnvelope, type PlatformError, parseEnvelope, type ResultInfo } from './parse-envelope.ts';
import { barePath, limitedBody, readAnswer } from './read-answer.ts';
import { formatWait, maxWaitMs, readRetryAfter } from './retry-after.ts';
import { isRouteFault, permissionHint, unknownAdvice } from './scope-hint.ts';
import type { Answer, Call, Send } from './send.ts';
import { changesSomething, unknownOutcome } from './unknown-outcome.ts';

/**
 * Maximum response size in bytes. Except for raw values, v4 API responses are small. Longer responses are refused, so that they cannot fill
 * memory. The longest list is a thousand objects with their metadata.
 */
const answerLimit = 64 * 1024 * 1024;

/** A checked result, with its paging information. */
export interface Result<T> {
  readonly result: T;
  readonly info: ResultInfo;
}

/** Converts an unknown result to a typed result, or throws with the reason. `info` is the paging information from the same response. */
export type Check<T> = (result: unknown, info: ResultInfo) => T;

/**
 * Sends one call whose response is the provider's envelope. A call succeeds if the envelope contains `success: true` and the HTTP status is
 * below 400. An empty response is an error, because no route that edgectl calls is documented to return an empty response. Throws the
 * Problem for the envelope's first error. Refuses a response that is longer than the call's `wholeAnswer`, or than 64 MiB.
 */
export async function callResult<T>(send: Send, call: Call, check: Check<T>): Promise<Result<T>> {
  const limit = call.wholeAnswer ?? answerLimit;
  const answer = await send({ ...call, wholeAnswer: limit, envelope: true });
  refuseRedirect(answer, call);
  const bytes = await readAnswer(answer, call, limit);
  const envelope = parseEnvelope(bytes);
  if (envelope === undefined) throw malformedProblem(answer, call, bytes);
  if (!envelope.success || answer.status >= 400) throw refusal(answer, call, envelope.errors);
  return { result: checked(envelope, check, answer, call), info: envelope.resultInfo };
}

/**
 * Sends one call whose successful response is bytes (a value or an object), possibly empty. With `wholeAnswer`, the whole response is read
 * into memory; otherwise it may be a stream. If `limit` is set, a longer stream is refused. Errors are the same as for `callResult`.
 */
export async function callBytes(send: Send, call: Call, limit?: number): Promise<Answer> {
  const answer = await send(call);
  refuseRedirect(answer, call);
  if (answer.status < 400) return { ...answer, body: await bodyWithin(answer, call, limit) };
  const bytes = await readAnswer(answer, call, answerLimit);
  const envelope = parseEnvelope(bytes);
  if (envelope === undefined) throw malformedProblem(answer, call, bytes);
  throw refusal(answer, call, envelope.errors);
}

async function bodyWithin(answer: Answer, call: Call, limit: number | undefined): Promise<Answer['body']> {
  if (call.wholeAnswer !== undefined) return readAnswer(answer, call, call.wholeAnswer);
  const { body } = answer;
  return limit === undefined || body instanceof Uint8Array ? body : limitedBody(body, call, limit);
}

function checked<T>(envelope: ParsedEnvelope, check: Check<T>, answer: Answer, call: Call): T {
  const { result, resultInfo, fault } = envelope;
  try {
    if (fault !== undefined) throw new Error(fault);
    return check(result, resultInfo);
  } catch (error) {
    const reason = cleanMessage(answer, explainShapeFault(error)).replace(/\.$/, '');
    throw new Problem(
      'refused',
      `The response to ${call.method} ${barePath(call)} has an unknown format: ${reason}.`,
      {
        cause: error,
        requestId: answer.headers['cf-ray'],
      },
    );
  }
}

/** Refuses a redirect. Redirects are not followed and contain no result. 304 cannot occur, because no call is conditional. */
function refuseRedirect(answer: Answer, call: Call): void {
  if (answer.status < 300 || answer.status >= 400) return;
  const target = answer.headers['location'];
  const where = target === undefined ? '' : ` to ${cleanMessage(answer, target, 300)}`;
  throw new Problem(
    'refused',
    `${call.method} ${barePath(call)} returned a redirect${where} (HTTP ${answer.status}).`,
    {
      status: answer.status,
      requestId: answer.headers['cf-ray'],
      hint: 'Redirects are not followed, to protect credentials. Check the base URL.',
    },
  );
}

function refusal(answer: Answer, call: Call, errors: readonly PlatformError[]): Problem {
  const first = errors[0];
  const code = codeFor(answer.status, first);
  // The number of the first error is shown next to the message. The message contains the numbers of further errors.
  const words = errors
    .map(({ message, code: number }, at) =>
      cleanMessage(answer, at === 0 ? message : `${message} (${number})`),
    )
    .join('; ');
  return new Problem(
    code,
    (words === ''
      ? `${call.method} ${barePath(call)} returned HTTP ${answer.status}.`
      : `${describeRoute(call, first, words)}${words.replace(/\.?$/, '.')}`) + tooLongWait(answer),
    {
      platformCode: first?.code,
      status: answer.status,
      requestId: answer.headers['cf-ray'],
      ...readRetry(answer, call),
      ...adviceFor(code, call, answer, first),
    },
  );
}

/**
 * Returns whether a refused call may be retried, and after which delay. A call that creates something may have been executed, unless the
 * response shows that it was not accepted.
 */
function readRetry(answer: Answer, call: Call): Pick<Problem, 'retryAfter'> & { retryable?: boolean } {
  const wait = readRetryAfter(answer);
  const retryAfter = wait === undefined ? undefined : Math.ceil(wait / 1000);
  const isUnsure = answer.status >= 500 && answer.status !== 503 && !call.repeatable;
  return { retryAfter, ...(isUnsure && { retryable: false }) };
}

/**
 * Returns the start of a message about an unknown route; an empty string for other errors, or if the platform's message already contains
 * the path.
 */
function describeRoute(call: Call, first: PlatformError | undefined, words: string): string {
  const path = barePath(call);
  return isRouteFault(first) && !words.includes(path)
    ? `The platform has no route for ${call.method} ${path}: `
    : '';
}

const credentialCodes = new Set([1000, 1001, 6003, 6111, 9106, 10001]);

/**
 * Returns the error code for a refusal. The platform uses 9109 both for invalid tokens and for valid tokens without the required
 * permission; only the message distinguishes them.
 */
function codeFor(status: number, first: PlatformError | undefined): ProblemCode {
  if (status === 401 || /^invalid access token/i.test(first?.message ?? '')) return 'not-signed-in';
  if (first?.code === 9103) return 'not-signed-in';
  if (status === 403 || first?.code === 9109) return 'not-permitted';
  if (status === 400 && first !== undefined && credentialCodes.has(first.code)) return 'not-signed-in';
  // The path is unknown because the account, the zone or the base URL is wrong.
  if (isRouteFault(first)) return 'refused';
  if (status === 404) return 'not-found';
  if (status === 429) return 'rate-limited';
  if (status === 409) return 'conflict';
  return status >= 500 ? 'unavailable' : 'refused';
}

function adviceFor(code: ProblemCode, call: Call, answer: Answer, first: PlatformError | undefined): Advice {
  switch (code) {
    case 'not-permitted':
      // A guard's message states the rule that refused the call; the token is not the cause.
      return first?.code === guardCodes.refused ? {} : { hint: permissionHint(call, answer) };
    case 'not-signed-in':
      return {
        hint: 'The platform does not accept the token, or the email and key. Check the profile, and check whether the credentials have expired.',
      };
    case 'rate-limited':
      return {
        hint: `The platform asks clients to wait${describeWait(answer)}. Its limit is 1,200 requests in 5 minutes.`,
      };
    default:
      return first === undefined ? {} : unknownAdvice(call, answer, first);
  }
}

function describeWait(answer: Answer): string {
  const wait = readRetryAfter(answer);
  return wait === undefined ? '' : ` ${formatWait(wait)}`;
}

/** Returns a sentence for the message if the platform requested a longer delay than edgectl waits; otherwise an empty string. */
function tooLongWait(answer: Answer): string {
  const wait = readRetryAfter(answer) ?? 0;
  if (wait <= maxWaitMs) return '';
  return ` The platform asks clients to wait ${formatWait(wait)} (Retry-After), but edgectl does not wait that long.`;
}

function malformedProblem(answer: Answer, call: Call, bytes: Uint8Array): Problem {
  if (bytes.length === 0) return emptyAnswerProblem(answer, call);
  const text = cleanMessage(answer, Buffer.from(bytes.subarray(0, 10_000)).toString('utf8'));
  const start = text.slice(0, 100).replaceAll(/\s+/g, ' ').trim();
  const status = `${call.method} ${barePath(call)} -> ${answer.status}`;
  const temporary = answer.status >= 500 || answer.status === 429;
  const code = answer.status === 429 ? 'rate-limited' : temporary ? 'unavailable' : 'refused';
  return new Problem(code, `The response is not from the v4 API (${status}): "${start}".`, {
    status: answer.status,
    requestId: answer.headers['cf-ray'],
    ...readRetry(answer, call),
    hint: temporary
      ? 'The platform or a proxy reports a temporary error. Try again later.'
      : 'The response is not from the platform: check the host in the base URL, and any proxy between edgectl and the platform.',
  });
}

/** Returns a server's message, shortened, and without edgectl's credentials, which the server may have repeated. */
function cleanMessage({ redact }: Answer, text: string, maxLength?: number): string {
  // Removes credentials before the string is shortened. Otherwise, part of a credential could be shown.
  return shortText(redact === undefined ? text : redact(text), maxLength);
}

/**
 * Returns the Problem for an empty response. A 404 without a body is not trusted, because the platform reports missing resources in JSON.
 */
function emptyAnswerProblem(answer: Answer, call: Call): Problem {
  if (answer.status >= 400 && answer.status !== 404) return refusal(answer, call, []);
  return new Problem(
    'refused',
    `${call.method} ${barePath(call)} returned an empty response (HTTP ${answer.status}).`,
    {
      status: answer.status,
      requestId: answer.headers['cf-ray'],
      hint: changesSomething(call)
        ? unknownOutcome
        : 'The platform always responds with JSON. A proxy between edgectl and the platform may be at fault.',
    },
  );
}
