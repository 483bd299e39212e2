import type { Passing, ProxyAnswer } from '../../support/proxy.ts';
import { type Misbehave, reply } from './faulty-server.ts';

/** A fault of a server. */
export interface Fault {
  readonly name: string;
  /** Starts a run, which has its own counters and state. */
  begin(): Misbehave;
  /**
   * Returns true if a command can succeed despite the fault. `asked` contains the command's requests with the method and path of the fault.
   */
  mayPass(right: ProxyAnswer, asked: readonly Passing[]): boolean;
  /** Returns the complete body that the server sends instead of the correct body; absent if the server sends no body. */
  body?(right: ProxyAnswer): Buffer;
  /** Returns true if the fault applies to this answer to this request (default: it applies to all answers). */
  concerns?(right: ProxyAnswer, place: string): boolean;
}

/** Faults of one kind: `npm test` runs each command with one of these faults, `npm run test:soak` with all of them. */
export interface Kind {
  readonly name: string;
  readonly faults: readonly [Fault, ...Fault[]];
}

export type Headers = Readonly<Record<string, string>>;

export const json: Headers = { 'content-type': 'application/json' };
export const html: Headers = { 'content-type': 'text/html' };
export const page = '<!DOCTYPE html><html><head><title>Bad gateway</title></head><body>Sorry</body></html>';

/** Returns true if an answer is a v4 API envelope, not the bytes of a value, an object or a script. */
export function isEnvelope({ headers, body }: ProxyAnswer): boolean {
  return (headers['content-type'] ?? '').startsWith('application/json') && /^\{"success":/.test(String(body));
}

/** Creates a fault that replaces the correct answer. The replacement confirms nothing, except that a value has these bytes. */
export function instead(
  name: string,
  status: number,
  body: string | Uint8Array,
  headers: Headers = json,
): Fault {
  const answer = { status, headers, body: Buffer.from(body) };
  return {
    name,
    begin: () => (exchange) => reply(exchange.response, answer),
    body: () => answer.body,
    mayPass: (right) => status < 300 && !isEnvelope(right),
  };
}

/** Creates a fault that replaces the body of the correct answer. The new body confirms nothing, except that a value has these bytes. */
export function changed(name: string, change: (body: Buffer) => Uint8Array): Fault {
  const body = (right: ProxyAnswer): Buffer => Buffer.from(change(Buffer.from(right.body)));
  return {
    name,
    begin:
      () =>
      ({ response, right }) =>
        reply(response, { ...right, body: body(right) }),
    body,
    mayPass: (right) => !isEnvelope(right),
  };
}

type Json = Readonly<Record<string, unknown>>;

/** Creates a fault that modifies the envelope of the correct answer; `step` is the number of the answer in a run, starting at 1. */
export function rewritten(
  name: string,
  change: (envelope: Json, step: number) => unknown,
  {
    mayPass = () => false,
    concerns = () => true,
  }: { mayPass?: Fault['mayPass']; concerns?: (envelope: Json) => boolean } = {},
): Fault {
  return {
    name,
    begin() {
      let step = 0;
      return ({ response, right }) => {
        step += 1;
        const body = JSON.stringify(change(JSON.parse(String(right.body)), step));
        reply(response, { ...right, body });
      };
    },
    mayPass,
    concerns: (right) => isEnvelope(right) && concerns(JSON.parse(String(right.body))),
  };
}
