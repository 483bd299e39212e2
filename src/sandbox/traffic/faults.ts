import type { Fault, FaultRequest } from '../../model/sandbox/fault.ts';
import type { Answer, Call, Send } from '../../v4/send.ts';
import { type FaultClock, type FaultStep, runEffects } from './effect.ts';
import { createFaultStep } from './effects.ts';
import { createMatcher, spellOutMatch } from './match.ts';

/** The faults of a server, in the order in which they were added. */
export interface Faults {
  add(request: FaultRequest): Fault;
  list(): Fault[];
  /** Removes one fault, or all faults. Returns the number of removed faults. */
  clear(id?: string): number;
  /**
   * Sends a call through the faults that affect the call. Returns the answer and the ids of these faults. Rejects with a `ConnectionCut` to
   * drop the connection.
   */
  send(call: Call, send: Send): Promise<{ readonly answer: Answer; readonly faultIds: readonly string[] }>;
}

interface SetFault {
  readonly fault: FaultRequest & { readonly id: string };
  readonly matches: (call: Call) => boolean;
  readonly chance: () => number;
  readonly effect: FaultStep;
  affected: number;
}

/** Opens the list of a server's faults, which is empty at first. */
export function openFaults(outside: FaultClock): Faults {
  let faults: SetFault[] = [];
  let count = 0;
  return {
    add(request) {
      count += 1;
      const fault = { id: String(count), ...request, match: spellOutMatch(request.match) };
      const chance = createRandom(request.seed ?? 1);
      const added = {
        fault,
        matches: createMatcher(request.match),
        chance,
        effect: createFaultStep(request, chance, outside),
        affected: 0,
      };
      faults.push(added);
      return toFault(added);
    },
    list: () => faults.map(toFault),
    clear(id) {
      const before = faults.length;
      faults = id === undefined ? [] : faults.filter(({ fault }) => fault.id !== id);
      return before - faults.length;
    },
    async send(call, send) {
      const meeting = faults.filter((one) => applies(one, call));
      for (const one of meeting) one.affected += 1;
      const answer = await runEffects(
        meeting.map(({ effect }) => effect),
        call,
        send,
      );
      return { answer, faultIds: meeting.map(({ fault }) => fault.id) };
    },
  };
}

/**
 * Returns whether a fault affects a call. The random choice is made only for matching calls, so a seed determines which of these calls are
 * affected.
 */
function applies({ fault: { share, times }, matches, chance, affected }: SetFault, call: Call): boolean {
  if (!matches(call) || (times !== undefined && affected >= times)) return false;
  return share === undefined || chance() < share;
}

function toFault({ fault, affected }: SetFault): Fault {
  return { ...fault, met: affected };
}

/** Creates a generator of pseudorandom numbers from 0 to less than 1, repeatable by seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
