import { asProblem, Problem } from '../model/problem.ts';
import type { Call, Send } from '../v4/send.ts';
import type { World } from '../world.ts';

/** Refuses every call that changes something: the one place where `--read-only` is enforced. */
export function readOnlySend(send: Send): Send {
  return async (call) => {
    if (call.method === 'GET' || call.readsOnly === true) return send(call);
    throw new Problem('read-only', `Read-only: ${describeCall(call)} was not sent; nothing was changed.`, {
      hint: 'Leave --read-only out to change data.',
    });
  };
}

/** Gives a signal to every call that has none, so that Ctrl-C ends it. Who brings a signal decides for itself. */
export function interruptibleSend(send: Send, interrupted: AbortSignal): Send {
  return (call) => send(call.signal === undefined ? { ...call, signal: interrupted } : call);
}

/** Tells `debug` of each call and its outcome. A call carries no credentials, so there is nothing to redact. */
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
  return `${call.method} ${call.path}${body}`;
}
