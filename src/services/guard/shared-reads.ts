import type { IncomingMessage } from 'node:http';

/** A complete answer of the platform, for each client that sent the same read. */
export interface SharedAnswer {
  readonly head: IncomingMessage;
  readonly body: Buffer;
}

/** Longest answer that is shared, in bytes: it is kept in memory until each client has it. */
const maxSharedBytes = 1024 * 1024;

interface Read {
  readonly answered: Promise<SharedAnswer | undefined>;
  followers: number;
}

/** The first of several identical reads: the only one that is sent. */
export interface LeadingRead {
  /**
   * Called with the start of the answer: from now on, the same read is sent again. Returns whether other clients wait for the
   * answer; if it cannot be shared, each of them sends its own request.
   */
  stopJoining(answer: IncomingMessage): boolean;
  /** Gives the answer to the clients that wait for it. */
  share(answer: SharedAnswer): void;
  /** Lets the clients that still wait send their own requests. */
  end(): void;
}

/** The reads of the clients of a guard that are in flight: identical ones are one request to the platform. */
export class SharedReads {
  readonly #inFlight = new Map<string, Read>();

  /** Waits for the answer to the same read in flight. Undefined if there is none. Resolves with undefined if it is not shared. */
  join(key: string): Promise<SharedAnswer | undefined> | undefined {
    const read = this.#inFlight.get(key);
    if (read === undefined) return undefined;
    read.followers += 1;
    return read.answered;
  }

  lead(key: string): LeadingRead {
    const { promise, resolve } = Promise.withResolvers<SharedAnswer | undefined>();
    const read: Read = { answered: promise, followers: 0 };
    this.#inFlight.set(key, read);
    const stop = () => {
      if (this.#inFlight.get(key) === read) this.#inFlight.delete(key);
    };
    const end = () => {
      stop();
      resolve(undefined);
    };
    return {
      stopJoining: (answer) => {
        stop();
        if (read.followers > 0 && canShare(answer)) return true;
        end();
        return false;
      },
      share: resolve,
      end,
    };
  }

  /** Called when the platform has answered a write: a later read must not get an answer from before the write. */
  forget(): void {
    this.#inFlight.clear();
  }
}

/** An answer without a length may never end, unless it is JSON: the v4 API sends JSON in chunks. */
function canShare({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length) <= maxSharedBytes;
  return /^application\/json\b/.test(headers['content-type'] ?? '');
}

/** Reads an answer, but no further than the longest one that is shared. */
export async function readSharedStart(
  answer: IncomingMessage,
): Promise<{ readonly start: Buffer; readonly isWhole: boolean }> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of answer.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    if (length > maxSharedBytes) return { start: Buffer.concat(parts), isWhole: false };
  }
  return { start: Buffer.concat(parts), isWhole: true };
}
