import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { type Answer, type Body, openStream } from './send.ts';

/** One part of a multipart form, as bytes. */
export interface FormPart {
  readonly name: string;
  readonly fileName: string | undefined;
  /** The content type; `text/plain` if the part does not specify one. */
  readonly contentType: string;
  readonly content: Uint8Array;
}

/** Thrown if a body is not a multipart form. The message explains why. */
export class MalformedForm extends Error {}

const limits = { fieldNameSize: 1024, parts: 1000, headerPairs: 20 };

/**
 * Returns the parts of a `multipart/form-data` body (RFC 7578) in order, each as bytes and with its full file name. Throws `MalformedForm`
 * for an invalid form or a form with more than 1,000 parts, and a RangeError for a body longer than `limit` bytes.
 */
export async function readForm(
  contentType: string,
  body: Body | Answer['body'] | undefined,
  limit: number,
): Promise<FormPart[]> {
  const parser = createParser(contentType, limit);
  const parts: (Omit<FormPart, 'content'> & { chunks: Buffer[] })[] = [];
  parser.on('file', (name, stream, fileName, _encoding, type) => {
    const chunks: Buffer[] = [];
    parts.push({ name, fileName, contentType: type, chunks });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    // Ignores the error, because the parser reports the same error.
    stream.on('error', () => undefined);
  });
  await feed(parser, body, limit);
  return parts.map(({ chunks, ...part }) => ({ ...part, content: Buffer.concat(chunks) }));
}

function createParser(contentType: string, limit: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: () => true,
      preservePath: true,
      limits: { ...limits, fileSize: limit },
    });
  } catch (error) {
    throw malformedForm(error);
  }
}

async function feed(
  parser: BusboyInstance,
  body: Body | Answer['body'] | undefined,
  limit: number,
): Promise<void> {
  const fault = Promise.withResolvers<never>();
  // If the body is too long, the parser reports the RangeError that the body throws.
  parser.on('error', (error) => fault.reject(error instanceof RangeError ? error : malformedForm(error)));
  parser.on('partsLimit', () => fault.reject(new MalformedForm('it has more than 1,000 parts')));
  const fed = pipeline(limited(body, limit), parser);
  fed.catch(() => undefined);
  await Promise.race([fed, fault.promise]);
}

/** Limits the number of bytes of the whole body, because the parser limits only each part. */
async function* limited(body: Body | Answer['body'] | undefined, limit: number): AsyncGenerator<Uint8Array> {
  const isOpenable = body === undefined || body instanceof Uint8Array || typeof body === 'function';
  let length = 0;
  for await (const chunk of isOpenable ? openStream(body) : body) {
    length += chunk.length;
    if (length > limit) throw new RangeError(`longer than ${limit} bytes`);
    yield chunk;
  }
}

function malformedForm(error: unknown): MalformedForm {
  return new MalformedForm(error instanceof Error ? error.message : String(error));
}
