import type { Answer, Call, Send } from '../../v4/send.ts';

/** One effect of a fault on a call. */
export type FaultStep = (call: Call, send: Send) => Promise<Answer>;

/** The answer of a strict sandbox and, for the log, the reason why the answer differs from the usual answer. */
export interface StrictAnswer {
  readonly answer: Answer;
  readonly reason?: string;
}

/** The clock for faults. */
export interface FaultClock {
  /** Returns the time in milliseconds since the UNIX epoch. */
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** An error that makes the server drop the connection instead of answering. */
export class ConnectionCut extends Error {}

/** Sends a call through all effects; the first effect is the outermost. */
export function runEffects(effects: readonly FaultStep[], call: Call, send: Send): Promise<Answer> {
  const [first, ...rest] = effects;
  return first === undefined ? send(call) : first(call, (inner) => runEffects(rest, inner, send));
}

/** Returns the path of a call without its query. */
export function pathWithoutQuery({ path }: Pick<Call, 'path'>): string {
  const mark = path.indexOf('?');
  return mark === -1 ? path : path.slice(0, mark);
}

/** Reads a body to its end. If the answer is sent before the body has been read, many clients report a dropped connection. */
export async function discardBody({ body }: Call): Promise<void> {
  if (typeof body !== 'function') return;
  for await (const _ of body());
}
