import type { Writable } from 'node:stream';
import { Problem } from '../model/problem.ts';
import { systemCode } from './system-reason.ts';

/** Thrown when the reader of our output has gone (`| head`): a command ends quietly. */
export class ReaderGone extends Problem {
  constructor() {
    super('system', 'Whoever read the output has gone.');
  }
}

/** Codes of the first write to a reader who has gone, and of those that follow it. */
const goneCodes: ReadonlySet<string> = new Set(['EPIPE', 'ERR_STREAM_DESTROYED']);

/**
 * Writes bytes or text to a stream, unchanged. Waits until its reader has taken them; ReaderGone when there is none any
 * more, of which `onGone` is told first.
 */
export function writeTo(stream: Writable, content: string | Uint8Array, onGone?: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(content, (error) => {
      if (error === null || error === undefined) return resolve();
      const gone = goneCodes.has(systemCode(error) ?? '');
      if (gone) onGone?.();
      reject(gone ? new ReaderGone() : error);
    });
  });
}
