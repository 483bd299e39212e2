import { isProblem } from '../../model/problem.ts';
import type { Platform } from '../http/exchange.ts';
import type { ShapeFault, Way } from '../http/shape-faults.ts';

/** The context in which the parts of a seed are checked and written. */
export interface SeedContext {
  readonly platform: Platform;
  /** The sandbox's clock, in milliseconds: relative times count from it. */
  readonly now: number;
  /** Whether existing data is removed first, so that it cannot conflict. */
  readonly replaces: boolean;
  /** Stops the writing between two chunks. */
  readonly signal?: AbortSignal | undefined;
  /** All faults found so far. */
  readonly faults: ShapeFault[];
}

/** Writes a checked part of a seed. */
export type Writing = () => void | Promise<void>;

/** Lets signals and other calls through between two chunks of writing. Throws if the signal has fired. */
export async function pause({ signal }: Pick<SeedContext, 'signal'>): Promise<void> {
  await new Promise(setImmediate);
  signal?.throwIfAborted();
}

/** Records a fault. */
export function complain({ faults }: SeedContext, at: Way, message: string): void {
  faults.push({ at, message });
}

/** Returns the result of `work`. If it throws a Problem, records its message as a fault and returns undefined. */
export function attempt<T>(context: SeedContext, at: Way, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!isProblem(error)) throw error;
    complain(context, at, error.message);
    return undefined;
  }
}

/** Records a fault for each entry whose name occurs earlier. */
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
        `${JSON.stringify(name)} is also used in ${at.join('.')}[${before}]`,
      );
  }
}

/** Decodes a string to bytes. Records a fault and returns undefined for invalid base64. */
export function bytesAt(
  context: SeedContext,
  at: Way,
  text: string,
  base64: boolean | undefined,
): Uint8Array | undefined {
  if (base64 !== true) return Buffer.from(text);
  if (text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)) return Buffer.from(text, 'base64');
  complain(context, at, 'is not base64');
  return undefined;
}
