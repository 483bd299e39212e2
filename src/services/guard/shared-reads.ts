import type { IncomingMessage } from 'node:http';

/** A complete answer from the platform, for all clients that sent the same read. */
export interface SharedAnswer {
  readonly head: IncomingMessage;
  readonly body: Buffer;
}

/** Maximum length of a shared answer, in bytes. The answer stays in memory until every client has received it. */
const maxSharedBytes = 1024 * 1024;

/**
 * Result for the waiting clients: the answer, "unshared" if the answer cannot be shared, or "abandoned" if the client of the leading read
 * disconnected before the answer.
 */
type ReadResult = SharedAnswer | 'unshared' | 'abandoned';

interface Read {
  readonly result: Promise<ReadResult>;
  followers: number;
}

/** The first of several identical reads. Only this read is sent to the platform. */
export interface LeadingRead {
  /**
   * Called when the answer starts. From then on, a new identical read is sent to the platform. Returns whether other clients wait for this
   * answer. If the answer cannot be shared, each waiting client sends its own request.
   */
  stopJoining(answer: IncomingMessage): boolean;
  /** Delivers the answer to the waiting clients. */
  share(answer: SharedAnswer): void;
  /** Called when the answer cannot be shared: each waiting client sends its own request. */
  endUnshared(): void;
  /** Called when the client of this read has disconnected: one of the waiting clients leads the next read. */
  abandon(): void;
  /** Called when the read has failed: the waiting clients get the same error, because their own requests would probably fail too. */
  fail(error: unknown): void;
}

/** The reads in flight of a guard's clients. Identical reads are sent to the platform as one request. */
export class SharedReads {
  readonly #inFlight = new Map<string, Read>();

  /** Waits for the result of an identical read in flight; undefined if no such read exists. */
  join(key: string): Promise<ReadResult> | undefined {
    const read = this.#inFlight.get(key);
    if (read === undefined) return undefined;
    read.followers += 1;
    return read.result;
  }

  lead(key: string): LeadingRead {
    const { promise, resolve, reject } = Promise.withResolvers<ReadResult>();
    promise.catch(() => undefined);
    const read: Read = { result: promise, followers: 0 };
    this.#inFlight.set(key, read);
    const stop = () => {
      if (this.#inFlight.get(key) === read) this.#inFlight.delete(key);
    };
    const endUnshared = () => {
      stop();
      resolve('unshared');
    };
    return {
      stopJoining: (answer) => {
        stop();
        if (read.followers > 0 && canShare(answer)) return true;
        endUnshared();
        return false;
      },
      share: resolve,
      endUnshared,
      abandon() {
        stop();
        resolve('abandoned');
      },
      fail(error) {
        stop();
        reject(error);
      },
    };
  }

  /** Called when the platform has answered a write, because a later read must not get an answer from before the write. */
  forget(): void {
    this.#inFlight.clear();
  }
}

/**
 * Returns whether an answer can be shared. An answer without a length may never end, unless it is JSON: the v4 API sends JSON in chunks.
 */
function canShare({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length) <= maxSharedBytes;
  return /^application\/json\b/.test(headers['content-type'] ?? '');
}

/** Reads an answer up to the maximum length of a shared answer. */
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
