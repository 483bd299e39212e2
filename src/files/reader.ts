import type { Writable } from 'node:stream';
import { Problem } from '../model/problem.ts';
import type { DirectOutput } from '../world.ts';
import { systemCode } from './system-reason.ts';

/** Thrown when the reader of our output closes it (`| head`): the command ends silently. */
export class ReaderClosed extends Problem {
  constructor() {
    super('system', 'The reader closed the output.');
  }
}

/** Error codes of the first write after the reader has closed, and of later writes. */
const closedCodes: ReadonlySet<string> = new Set(['EPIPE', 'ERR_STREAM_DESTROYED']);

/** Returns the part of a string or bytes that the direct write left for the stream; undefined if it wrote everything. */
export function unwrittenRest(
  direct: DirectOutput | undefined,
  content: string | Uint8Array,
): string | Uint8Array | undefined {
  if (direct === undefined || content.length === 0) return content;
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const taken = direct(bytes);
  if (taken === 0) return content;
  return taken === bytes.length ? undefined : bytes.subarray(taken);
}

/** Milliseconds for which a reader may still consume output after the command is interrupted. */
const interruptGraceMs = 1000;

/** Ways in which a write can end before the reader has consumed everything. */
interface WritingEnds {
  /** Called first when the reader has closed. */
  onGone?(): void;
  /** Aborted when the writer no longer waits for a reader that has stopped reading. */
  readonly interrupted: AbortSignal;
}

/**
 * Writes bytes or a string to a stream, unchanged, and waits until the reader has consumed them. Fails with ReaderClosed if the
 * reader has closed, and with 'interrupted' if it consumes nothing after an interruption.
 */
export function writeTo(
  stream: Writable,
  content: string | Uint8Array,
  { onGone, interrupted }: WritingEnds,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let late: NodeJS.Timeout | undefined;
    const giveUp = () => {
      late = setTimeout(
        () => reject(new Problem('interrupted', 'Interrupted; the output was not read to its end.')),
        interruptGraceMs,
      );
    };
    if (interrupted.aborted) giveUp();
    else interrupted.addEventListener('abort', giveUp, { once: true });
    stream.write(content, (error) => {
      clearTimeout(late);
      interrupted.removeEventListener('abort', giveUp);
      if (error === null || error === undefined) return resolve();
      const gone = closedCodes.has(systemCode(error) ?? '');
      if (gone) onGone?.();
      reject(gone ? new ReaderClosed() : error);
    });
  });
}
