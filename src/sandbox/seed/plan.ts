import { isProblem } from '../../model/problem.ts';
import type { Platform } from '../http/exchange.ts';
import type { FieldPath, ShapeFault } from '../http/shape-faults.ts';

/** The context in which the parts of a seed are checked and written. */
export interface SeedContext {
  readonly platform: Platform;
  /** The time on the sandbox's clock, in milliseconds. Relative times are offsets from this time. */
  readonly now: number;
  /** Whether existing data is removed first, and therefore cannot conflict. */
  readonly replaces: boolean;
  /** The signal that stops writing between two chunks. */
  readonly signal?: AbortSignal | undefined;
  /** All faults found so far. */
  readonly faults: ShapeFault[];
}

/** Writes a checked part of a seed. */
export type SeedWrite = () => void | Promise<void>;

/** Lets the event loop handle signals and other calls between the writes of two chunks. Throws if the signal is aborted. */
export async function pauseBetweenChunks({ signal }: Pick<SeedContext, 'signal'>): Promise<void> {
  await new Promise(setImmediate);
  signal?.throwIfAborted();
}

export function reportSeedFault({ faults }: SeedContext, at: FieldPath, message: string): void {
  faults.push({ at, message });
}

/** Returns the result of `work`. If `work` throws a Problem, records the message as a fault and returns undefined. */
export function tryOrReport<T>(context: SeedContext, at: FieldPath, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!isProblem(error)) throw error;
    reportSeedFault(context, at, error.message);
    return undefined;
  }
}

/** Records a fault for each entry whose name an earlier entry already has. */
export function reportDuplicates<T>(
  context: SeedContext,
  at: FieldPath,
  all: readonly T[],
  readName: (one: T) => string,
  field: string,
): void {
  const first = new Map<string, number>();
  for (const [index, one] of all.entries()) {
    const name = readName(one);
    const before = first.get(name);
    if (before === undefined) first.set(name, index);
    else
      reportSeedFault(
        context,
        [...at, index, field],
        `${JSON.stringify(name)} is also used in ${at.join('.')}[${before}]`,
      );
  }
}

/** Decodes a string to bytes. Records a fault and returns undefined for invalid base64. */
export function decodeBytes(
  context: SeedContext,
  at: FieldPath,
  text: string,
  base64: boolean | undefined,
): Uint8Array | undefined {
  if (base64 !== true) return Buffer.from(text);
  if (text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)) return Buffer.from(text, 'base64');
  reportSeedFault(context, at, 'is not base64');
  return undefined;
}
