import type { Answer, Call, Send } from '../../v4/send.ts';

/** One thing that a fault does around a call. */
export type FaultStep = (call: Call, send: Send) => Promise<Answer>;

/** The answer of a strict sandbox, and why it is another one than usual, in words for the log. */
export interface StrictAnswer {
  readonly answer: Answer;
  readonly reason?: string;
}

/** The clock that faults go by. */
export interface FaultClock {
  /** Milliseconds since the UNIX epoch. */
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Thrown to cut the connection instead of answering. */
export class ConnectionCut extends Error {}

/** The call through all effects, the first outermost. */
export function applied(effects: readonly FaultStep[], call: Call, send: Send): Promise<Answer> {
  const [first, ...rest] = effects;
  return first === undefined ? send(call) : first(call, (inner) => applied(rest, inner, send));
}

/** The path of a call without its query. */
export function pathOf({ path }: Pick<Call, 'path'>): string {
  const mark = path.indexOf('?');
  return mark === -1 ? path : path.slice(0, mark);
}

/** Reads a body to its end: what is answered before it was read looks like a cut connection to many clients. */
export async function dropBody({ body }: Call): Promise<void> {
  if (typeof body !== 'function') return;
  for await (const _ of body());
}
