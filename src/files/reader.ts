import type { Writable } from 'node:stream';
import { Problem } from '../model/problem.ts';
import type { DirectOutput } from '../world.ts';
import { systemCode } from './system-reason.ts';

/** Thrown when the reader of our output has closed it (`| head`): the command ends quietly. */
export class ReaderGone extends Problem {
  constructor() {
    super('system', 'The reader of the output has closed it.');
  }
}

/** Error codes of the first write after the reader has closed, and of later ones. */
const goneCodes: ReadonlySet<string> = new Set(['EPIPE', 'ERR_STREAM_DESTROYED']);

/** The part of a string or bytes that the direct way leaves to the stream; undefined if it wrote everything. */
export function beyond(
  direct: DirectOutput | undefined,
  content: string | Uint8Array,
): string | Uint8Array | undefined {
  if (direct === undefined || content.length === 0) return content;
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const taken = direct(bytes);
  if (taken === 0) return content;
  return taken === bytes.length ? undefined : bytes.subarray(taken);
}

/** Milliseconds in which a reader may still take what is written, once the command is interrupted. */
const graceAfterInterruption = 1000;

/** The ways in which a write can end before its reader has consumed everything. */
interface WritingEnds {
  /** Called first when there is no reader any more. */
  onGone?(): void;
  /** A reader that has stopped reading is not waited for after this. */
  readonly interrupted: AbortSignal;
}

/**
 * Writes bytes or a string to a stream, unchanged. Waits until the reader has consumed them. Fails with ReaderGone if the
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
        graceAfterInterruption,
      );
    };
    if (interrupted.aborted) giveUp();
    else interrupted.addEventListener('abort', giveUp, { once: true });
    stream.write(content, (error) => {
      clearTimeout(late);
      interrupted.removeEventListener('abort', giveUp);
      if (error === null || error === undefined) return resolve();
      const gone = goneCodes.has(systemCode(error) ?? '');
      if (gone) onGone?.();
      reject(gone ? new ReaderGone() : error);
    });
  });
}
