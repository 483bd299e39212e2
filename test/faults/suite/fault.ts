import type { Passing, ProxyAnswer } from '../../support/proxy.ts';
import { type Misbehave, reply } from './faulty-server.ts';

/** Something that a server does wrong. */
export interface Fault {
  readonly name: string;
  /** Starts a run; counters and state belong to that run. */
  begin(): Misbehave;
  /** Whether a command can succeed in spite of it; `asked` are its requests at the place. */
  mayPass(right: ProxyAnswer, asked: readonly Passing[]): boolean;
  /** The complete body that it sends instead of the right one; absent if there is none. */
  body?(right: ProxyAnswer): Buffer;
  /** Whether it applies to this answer at this place; if omitted, to any. */
  concerns?(right: ProxyAnswer, place: string): boolean;
}

/** Faults of one kind: in `npm test` each command gets one of them, in `npm run test:soak` all of them. */
export interface Kind {
  readonly name: string;
  readonly faults: readonly [Fault, ...Fault[]];
}

export type Headers = Readonly<Record<string, string>>;

export const json: Headers = { 'content-type': 'application/json' };
export const html: Headers = { 'content-type': 'text/html' };
export const page = '<!DOCTYPE html><html><head><title>Bad gateway</title></head><body>Sorry</body></html>';

/** Whether an answer is a v4 API envelope, not the bytes of a value, an object or a script. */
export function isEnvelope({ headers, body }: ProxyAnswer): boolean {
  return (headers['content-type'] ?? '').startsWith('application/json') && /^\{"success":/.test(String(body));
}

/** Another answer instead of the right one. The other answer confirms nothing, except that a value has these bytes. */
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

/** The right answer with another body, which confirms nothing except the bytes of a value. */
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

/** The right envelope, modified; `step` is the number of the answer in a run, starting at 1. */
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
