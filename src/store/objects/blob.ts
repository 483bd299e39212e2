import { createHash } from 'node:crypto';
import { closeSync, createReadStream, promises as files, readSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../../files/folders.ts';
import type { ByteRange } from '../../model/objects/range.ts';
import { blobPath, unlessMissing } from '../blobs.ts';
import { openFile } from '../inside.ts';

// `promises` is imported from `node:fs`, which loads it on first use, because importing `node:fs/promises` costs a millisecond at startup.

/** The size and hash of a blob that was streamed. */
export interface WrittenBlob {
  readonly size: number;
  /** MD5 as 32 hex digits. */
  readonly md5: string;
}

/**
 * Writes a stream to a new blob and hashes its bytes, with at most one chunk in memory. An incomplete blob has the name that workerd gives
 * to unfinished files, `.<id>.<pid>.<n>.tmp`, so that a collection recognizes a file left by a killed process. A complete blob is synced to
 * disk and renamed. A failed stream leaves no file.
 */
export async function writeBlobStream(
  folder: string,
  id: string,
  body: AsyncIterable<Uint8Array>,
): Promise<WrittenBlob> {
  makePrivateFolder(folder);
  const unfinished = join(folder, `.${id}.0.0.tmp`);
  const meter = new Meter();
  try {
    await using file = await files.open(unfinished, 'wx');
    await file.writeFile(meter.over(body));
    await file.datasync();
  } catch (error) {
    await files.rm(unfinished, { force: true });
    throw error;
  }
  await files.rename(unfinished, join(folder, id));
  return { size: meter.size, md5: meter.digest() };
}

/** A meter that counts and hashes the bytes of a stream. */
class Meter {
  readonly #hash = createHash('md5');
  size = 0;

  async *over(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      this.size += chunk.length;
      this.#hash.update(chunk);
      yield chunk;
    }
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}

/** Maximum size in bytes of a blob that is read in one call. Larger blobs are streamed. */
const readAtOnce = 64 * 1024;

/**
 * Returns a part of a blob; undefined if the file does not exist. The file is opened immediately, so that the caller can read the whole
 * file even if it is deleted meanwhile. The caller must read or destroy a returned stream.
 */
export function openBlob(
  folder: string,
  id: string,
  { start, end }: ByteRange,
): Uint8Array | AsyncIterable<Uint8Array> | undefined {
  const path = blobPath(folder, id);
  const fd = unlessMissing(() => openFile(path).file, undefined);
  if (fd === undefined) return undefined;
  const length = end - start + 1;
  if (length > readAtOnce) return createReadStream(path, { fd, start, end });
  try {
    const bytes = Buffer.alloc(Math.max(0, length));
    const read = length <= 0 ? 0 : readSync(fd, bytes, 0, length, start);
    return bytes.subarray(0, read);
  } finally {
    closeSync(fd);
  }
}

/** A part of an object: the id of its file, and its number of bytes. */
export interface BlobPart {
  readonly blobId: string;
  readonly size: number;
}

/** Yields a range of an object whose bytes are in several files. Each file is opened only when its first byte is needed. */
export async function* readParts(
  folder: string,
  parts: readonly BlobPart[],
  range: ByteRange,
): AsyncGenerator<Uint8Array> {
  let offset = 0;
  for (const { blobId, size } of parts) {
    const start = Math.max(range.start - offset, 0);
    const end = Math.min(range.end - offset, size - 1);
    offset += size;
    if (start > end) continue;
    const body = openBlob(folder, blobId, { start, end });
    if (body === undefined) throw new Error(`A part of an object has been removed: ${blobId}.`);
    if (body instanceof Uint8Array) yield body;
    else yield* body;
  }
}
