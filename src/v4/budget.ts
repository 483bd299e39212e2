import { createHash } from 'node:crypto';
import type { RequestsLeft } from '../model/budget.ts';
import {
  findClosedUntil,
  type PacedUse,
  type PaceLimits,
  type PaceState,
  pacedRequestsLeft,
  type Reservation,
  reserveOwn,
  returnOwn,
  returnPlace,
  settlePaced,
  takePaced,
  unusedPace,
} from '../model/pace.ts';
import { readRateHeaders } from './rate-headers.ts';
import { maxWaitMs, readRetryAfter } from './retry-after.ts';
import type { Answer, Call, Send } from './send.ts';

/** The state of one token's limits, shared by all users of the token. */
export interface PaceStore {
  /** Replaces the state. `change` may be called several times, and must return the same value if nothing changes. */
  change(change: (state: PaceState) => PaceState): void;
  /** Reads the state, which other processes also change. */
  read(): PaceState;
  /** The state when this process last read it. */
  readonly known: PaceState;
}

/** Returns a store in memory, for one process. */
export function memoryPace(): PaceStore {
  let known = unusedPace;
  return {
    change(change) {
      known = change(known);
    },
    read: () => known,
    get known() {
      return known;
    },
  };
}

export interface PaceOptions extends PaceLimits {
  /** The state, shared between the users of the budget; if omitted, the state is not shared. */
  readonly store?: PaceStore;
  /** Returns the current time in milliseconds since the UNIX epoch. */
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Called before a delay that a user would notice. */
  onWait?: ((milliseconds: number, reason: WaitReason) => void) | undefined;
}

/** The reason why a request is delayed: the budget is used up, or the platform has requested a delay. */
export type WaitReason = 'budget' | 'retry-after';

/** Delays requests to a platform. */
export interface RequestPacer {
  /**
   * Resolves when a request can be sent. The result is a function that must be called with the answer to the request, or with undefined if
   * the request was not sent. Rejects if the signal is aborted first.
   */
  admit(call: PacedCall): Promise<(answer: Pick<Answer, 'status' | 'headers'> | undefined) => void>;
  /** Returns the number of requests that can be sent now; undefined if there is no limit. */
  requestsLeft(): RequestsLeft | undefined;
}

/** A request to pace, whose path is relative to the base URL. */
export interface PacedCall extends Pick<Call, 'path' | 'signal'> {
  readonly method: string;
}

const noticeable = 2000;

/**
 * Returns a pacer that delays requests to stay within a budget. While a 429 response requires a delay (Retry-After), all requests are
 * delayed, because the refusal of one request applies to all requests. If the required delay is longer than `maxWaitMs`, no request is
 * delayed, because no user waits that long. The limits that the platform announces replace the budget.
 */
export function openRequestPacer(options: PaceOptions): RequestPacer {
  const { store = memoryPace(), now, sleep, onWait } = options;
  const report = (wait: number) => {
    if (wait >= noticeable)
      onWait?.(wait, findClosedUntil(store.known, now()) - now() >= wait ? 'retry-after' : 'budget');
  };
  /** The reservations of writes that were not sent, by key and time. Each reservation is kept until its time. */
  const returned = new Map<string, Reservation>();
  const returnedId = (key: string | undefined, time: number) => `${key} ${time}`;
  const giveBack = (uses: PacedUse, reserved: Reservation) => {
    const at = now();
    for (const [id, { time }] of returned) if (time < at) returned.delete(id);
    if (uses.key !== undefined) returned.set(returnedId(uses.key, reserved.time), reserved);
    const find = (key: string, time: number) => returned.get(returnedId(key, time));
    store.change((state) => returnOwn(state, uses, reserved, find));
  };
  /**
   * Waits until the limit for the request's key, or for certificates, allows the request. Returns a function that cancels the reservation.
   */
  const waitForOwn = async (uses: PacedUse, signal: AbortSignal | undefined) => {
    const begun = now();
    let taken: ReturnType<typeof reserveOwn> | undefined;
    store.change((state) => {
      taken = reserveOwn(state, uses, options, begun);
      return taken.state;
    });
    const { time = begun, reserved } = taken ?? {};
    if (reserved !== undefined) returned.delete(returnedId(uses.key, time));
    const release = () => {
      if (reserved !== undefined) giveBack(uses, reserved);
    };
    if (time <= begun) return release;
    report(time - begun);
    try {
      await sleep(time - begun, signal);
    } catch (error) {
      release();
      throw error;
    }
    return release;
  };
  return {
    requestsLeft: () => pacedRequestsLeft(store.known, options, now()),
    async admit(call) {
      const uses = findUse(call);
      const needsOwn = uses.createsHostname || uses.key !== undefined;
      const releaseOwn = needsOwn ? await waitForOwn(uses, call.signal) : undefined;
      const begun = now();
      let taken: ReturnType<typeof takePaced> | undefined;
      store.change((state) => {
        taken = takePaced(state, options, begun);
        return taken.state;
      });
      const { time = begun, place } = taken ?? {};
      const release = () => {
        releaseOwn?.();
        if (place !== undefined) store.change((state) => returnPlace(state, place, now()));
      };
      if (time > begun) {
        try {
          report(time - begun);
          await sleepUntil(time);
        } catch (error) {
          release();
          throw error;
        }
      }
      return (received) => {
        if (received === undefined) return release();
        const { status, headers } = received;
        const asked = status === 429 ? (readRetryAfter({ headers }) ?? 0) : Number.POSITIVE_INFINITY;
        const answer = { ...readRateHeaders(headers), closedMs: asked <= maxWaitMs ? asked : undefined };
        const at = now();
        store.change((state) => settlePaced(state, { place, ...uses }, answer, options, at));
      };

      /** Waits until the given time, or longer if the platform requests a further delay. */
      async function sleepUntil(first: number): Promise<void> {
        await sleep(first - begun, call.signal);
        for (let until = first; ; ) {
          const closedUntil = findClosedUntil(store.read(), now());
          if (closedUntil <= until) return;
          await sleep(closedUntil - Math.max(now(), until), call.signal);
          until = closedUntil;
        }
      }
    },
  };
}

/** Paces the calls of a `Send`. Wrap the result in `withRetries`, so that retries are also paced. */
export function withPace(send: Send, pacer: RequestPacer): Send {
  return async (call) => {
    const settle = await pacer.admit(call);
    const answer = await send(call);
    settle(answer);
    return answer;
  };
}

function findUse({ method, path }: PacedCall): PacedUse {
  const bare = path.split('?', 1)[0] ?? '';
  const createsHostname = method === 'POST' && bare.endsWith('/custom_hostnames');
  const writesKey =
    (method === 'PUT' || method === 'DELETE') && /\/storage\/kv\/namespaces\/[^/]+\/values\/./.test(bare);
  return { createsHostname, key: writesKey ? hashPath(bare) : undefined };
}

function hashPath(path: string): string {
  return createHash('sha256').update(path).digest('base64url').slice(0, 12);
}
