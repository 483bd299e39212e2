import { isProblem } from '../../model/problem.ts';
import type { Platform } from '../http/exchange.ts';
import type { ShapeFault, Way } from '../http/shape-faults.ts';

/** The surroundings in which the parts of a seed are checked and written. */
export interface SeedContext {
  readonly platform: Platform;
  /** The sandbox's clock, in milliseconds: relative times count from it. */
  readonly now: number;
  /** Whether all that was there is removed first, so that nothing can be in the way. */
  readonly replaces: boolean;
  /** Ends the writing between two chunks. */
  readonly signal?: AbortSignal | undefined;
  /** All that was found wrong so far. */
  readonly faults: ShapeFault[];
}

/** Writes a part of a seed that was checked. */
export type Writing = () => void | Promise<void>;

/** Lets signals and other calls come through between two chunks of writing, and ends it when it is to end. */
export async function pause({ signal }: Pick<SeedContext, 'signal'>): Promise<void> {
  await new Promise(setImmediate);
  signal?.throwIfAborted();
}

/** Notes what is wrong at a place. */
export function complain({ faults }: SeedContext, at: Way, message: string): void {
  faults.push({ at, message });
}

/** The result of `work`; where that refuses, its sentence is noted for the place, and the result is undefined. */
export function attempt<T>(context: SeedContext, at: Way, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!isProblem(error)) throw error;
    complain(context, at, error.message);
    return undefined;
  }
}

/** Notes everything that has the name of one before it. */
export function refuseTwins<T>(
  context: SeedContext,
  at: Way,
  all: readonly T[],
  nameOf: (one: T) => string,
  field: string,
): void {
  const first = new Map<string, number>();
  for (const [index, one] of all.entries()) {
    const name = nameOf(one);
    const before = first.get(name);
    if (before === undefined) first.set(name, index);
    else
      complain(
        context,
        [...at, index, field],
        `${JSON.stringify(name)} is the one of ${at.join('.')}[${before}] as well`,
      );
  }
}

/** The bytes of a string, or undefined for invalid base64, which is reported. */
export function bytesAt(
  context: SeedContext,
  at: Way,
  text: string,
  base64: boolean | undefined,
): Uint8Array | undefined {
  if (base64 !== true) return Buffer.from(text);
  if (text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)) return Buffer.from(text, 'base64');
  complain(context, at, 'is no base64');
  return undefined;
}
