import type { Writable } from 'node:stream';
import { Problem } from '../model/problem.ts';
import type { DirectOutput } from '../world.ts';
import { systemCode } from './system-reason.ts';

/** Thrown when the reader of our output has gone (`| head`): a command ends quietly. */
export class ReaderGone extends Problem {
  constructor() {
    super('system', 'The reader of the output has closed it.');
  }
}

/** Codes of the first write to a reader who has gone, and of those that follow it. */
const goneCodes: ReadonlySet<string> = new Set(['EPIPE', 'ERR_STREAM_DESTROYED']);

/** The part of a text or bytes that the direct way to an output leaves to its stream; undefined where it has taken all. */
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

/** The ends that a write can come to before its reader has taken all. */
interface WritingEnds {
  /** Called first when there is no reader any more. */
  onGone?(): void;
  /** A reader that has stopped reading is not waited for after this. */
  readonly interrupted: AbortSignal;
}

/**
 * Writes bytes or text to a stream, unchanged. Waits until its reader has taken them; fails with ReaderGone when there is none
 * any more, and with 'interrupted' when it takes nothing although the command is interrupted.
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
