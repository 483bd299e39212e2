import type { Writable } from 'node:stream';
import { Problem } from '../model/problem.ts';
import type { DirectOutput } from '../world.ts';
import { systemCode } from './system-reason.ts';

/** Thrown when the reader of edgectl's output closes the output (`| head`). The command then ends without a message. */
export class ReaderClosed extends Problem {
  constructor() {
    super('system', 'The reader closed the output.');
  }
}

/** Error codes of the first write after the reader has closed the output, and of later writes. */
const closedCodes: ReadonlySet<string> = new Set(['EPIPE', 'ERR_STREAM_DESTROYED']);

/** Writes content directly, and returns the part that is left for the stream; undefined if everything was written. */
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

/** Milliseconds for which a reader may still read output after the command was interrupted. */
const interruptGraceMs = 1000;

/** Events that can end a write before the reader has consumed everything. */
interface WritingEnds {
  /** Called before the write fails, if the reader has closed the output. */
  onGone?(): void;
  /** Aborted when the writer should no longer wait for a reader that has stopped reading. */
  readonly interrupted: AbortSignal;
}

/**
 * Writes bytes or a string to a stream, unchanged, and waits until the reader has consumed them. Throws ReaderClosed if the reader has
 * closed the output, and 'interrupted' if the reader consumes nothing after an interruption.
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
        () => reject(new Problem('interrupted', 'Interrupted; the output was not read completely.')),
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
