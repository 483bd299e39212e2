import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { spool } from '../../files/spool.ts';
import type { Body } from '../../v4/send.ts';
import type { World } from '../../world.ts';

/** The body of a request, read completely before the request is sent. */
export interface HeldBody {
  readonly body: Body;
  /** SHA-256 of the body. */
  readonly digest: string;
  readonly bytes: number;
  /** The first part of the body, or all of it. */
  readonly start: Uint8Array;
  close(): Promise<void>;
}

/** Maximum length of a body that is kept in memory, in bytes. */
const memoryBytes = 1024 * 1024;
/** Maximum length of a body that is read before the request is sent, in bytes. */
const maxBytes = 512 * 1024 * 1024;

/**
 * Reads the body of a request. A short body stays in memory. A longer body is written to an unnamed file with mode 0600, which the system
 * deletes when the file is closed, even if this process is killed.
 */
export async function readHeldBody(
  world: Pick<World, 'folders' | 'random'>,
  request: IncomingMessage,
): Promise<HeldBody> {
  const hash = createHash('sha256');
  const first: Buffer[] = [];
  let bytes = 0;
  const source = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  const next = async (): Promise<Buffer | undefined> => {
    const { done, value } = await source.next();
    if (done) return undefined;
    bytes += value.length;
    hash.update(value);
    return value;
  };
  for (let part = await next(); part !== undefined; part = await next()) {
    first.push(part);
    if (bytes > memoryBytes) break;
  }
  const start = Buffer.concat(first);
  if (bytes <= memoryBytes)
    return { body: start, digest: hash.digest('hex'), bytes, start, close: async () => undefined };
  const rest = async function* () {
    yield start;
    for (let part = await next(); part !== undefined; part = await next()) yield part;
  };
  const file = await spool({ ...world, interrupted: new AbortController().signal }, rest(), {
    name: 'the body of a request',
    limit: maxBytes,
    tooLong: 'The body of this request must be read before the request is sent, but is longer than 512 MiB.',
  });
  return {
    body: () => file.createReadStream({ start: 0, autoClose: false }),
    digest: hash.digest('hex'),
    bytes,
    start,
    close: () => file.close(),
  };
}
