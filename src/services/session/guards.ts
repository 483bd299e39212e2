import { asProblem, isProblem, Problem, rephrase } from '../../model/problem.ts';
import type { Remedy } from '../../model/remedy.ts';
import { type Redact, redactUrl } from '../../text/redact.ts';
import type { Answer, Call, Send } from '../../v4/send.ts';
import type { World } from '../../world.ts';

/** Why a session is read-only: a noun phrase for messages, and a remedy, if any. */
export interface ReadOnlyReason {
  readonly description: string;
  readonly remedy?: Remedy;
}

/** Returns the Problem for a change in a read-only session. `refused` is a clause about the change. */
export function readOnlyProblem({ description, remedy }: ReadOnlyReason, refused: string): Problem {
  return new Problem('read-only', `Read-only (${description}): ${refused}`, { remedy });
}

/** Rejects every call that changes data, with the reason. Only this function enforces read-only mode. */
export function readOnlySend(send: Send, reason: ReadOnlyReason): Send {
  return async (call) => {
    if (call.method === 'GET' || call.readsOnly === true) return send(call);
    throw readOnlyProblem(reason, `${describeCall(call)} was not sent; nothing was changed.`);
  };
}

/** Adds the source of the credentials to every response, for use in error messages. */
export function signedSend(send: Send, source: string): Send {
  return async (call) => ({ ...(await send(call)), source });
}

/** Adds a signal to every call without one, so Ctrl-C aborts the call. */
export function interruptibleSend(send: Send, interrupted: AbortSignal): Send {
  return (call) => send(call.signal === undefined ? { ...call, signal: interrupted } : call);
}

/** Redacts credentials that a server returns in errors, request ids and redirects. Does not change stored values and objects. */
export function concealingSend(send: Send, redact: Redact): Send {
  return async (call) => {
    try {
      const answer = await send(call);
      return { ...answer, headers: redactHeaders(answer.headers, redact), redact };
    } catch (error) {
      throw isProblem(error) ? rephrase(error, redact) : error;
    }
  };
}

/** Headers to redact, because messages contain them. Other headers describe an object and stay unchanged. */
const shownHeaders = ['cf-ray', 'location'];

function redactHeaders(headers: Answer['headers'], redact: Redact): Answer['headers'] {
  const shown = shownHeaders.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, redactUrl(redact(value))]];
  });
  return { ...headers, ...Object.fromEntries(shown) };
}

/** Reports each call and its outcome to `debug`. */
export function reportingSend(send: Send, world: World, debug: (message: string) => void): Send {
  return async (call) => {
    const started = world.now();
    const report = (outcome: string): void =>
      debug(`${describeCall(call)} -> ${outcome} in ${world.now() - started} ms`);
    try {
      const answer = await send(call);
      report(`${answer.status} (${answer.headers['cf-ray'] ?? 'no request id'})`);
      return answer;
    } catch (error) {
      report(asProblem(error).message);
      throw error;
    }
  };
}

function describeCall(call: Call): string {
  const body = call.body instanceof Uint8Array ? ` (${call.body.length} bytes)` : '';
  return `${call.method} ${redactUrl(call.path)}${body}`;
}
