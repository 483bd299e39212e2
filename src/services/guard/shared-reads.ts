import type { IncomingMessage } from 'node:http';

/** A complete answer of the platform, for all clients that sent the same read. */
export interface SharedAnswer {
  readonly head: IncomingMessage;
  readonly body: Buffer;
}

/** Maximum length of a shared answer, in bytes. The answer stays in memory until every client has received it. */
const maxSharedBytes = 1024 * 1024;

interface Read {
  readonly answered: Promise<SharedAnswer | undefined>;
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
  /** Lets the remaining waiting clients send their own requests. */
  end(): void;
}

/** The reads in flight of a guard's clients. Identical reads are sent to the platform as one request. */
export class SharedReads {
  readonly #inFlight = new Map<string, Read>();

  /**
   * Waits for the answer to an identical read in flight. Returns undefined if no such read exists. Resolves with undefined if the answer is
   * not shared.
   */
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

  /** Called when the platform has answered a write, because a later read must not get an answer from before the write. */
  forget(): void {
    this.#inFlight.clear();
  }
}

/** Whether an answer can be shared. An answer without a length may never end, unless it is JSON: the v4 API sends JSON in chunks. */
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
