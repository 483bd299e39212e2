import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Problem } from '../../model/problem.ts';
import { type Body, openStream } from '../../v4/send.ts';
import { unreadableBody } from './exchange.ts';

const limits = { fieldNameSize: 100, files: 20, parts: 20, headerPairs: 20 };

/**
 * Reads the parts of a multipart form as bytes, by name. If a name occurs more than once, the last part is used. Parts are read as files,
 * because the parser would decode text fields. If a part is longer than `partLimit` bytes, throws `tooLong()`.
 */
export async function readMultipart(
  contentType: string,
  body: Body | undefined,
  partLimit: number,
  tooLong: () => Problem,
): Promise<Map<string, Uint8Array>> {
  const parts = new Map<string, Uint8Array>();
  let truncated = false;
  const parser = createParser(contentType, partLimit);
  parser.on('file', (name, part) => {
    const chunks: Buffer[] = [];
    part.on('data', (chunk: Buffer) => chunks.push(chunk));
    part.on('limit', () => {
      truncated = true;
    });
    part.on('end', () => parts.set(name, Buffer.concat(chunks)));
    // The error is ignored here, because the parser reports the same error.
    part.on('error', () => undefined);
  });
  await feedParser(parser, body);
  if (truncated) throw tooLong();
  return parts;
}

function createParser(contentType: string, partLimit: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: () => true,
      limits: { ...limits, fileSize: partLimit },
    });
  } catch (error) {
    throw malformedForm(error);
  }
}

async function feedParser(parser: BusboyInstance, body: Body | undefined): Promise<void> {
  const fault = Promise.withResolvers<never>();
  parser.on('error', (error) => fault.reject(malformedForm(error)));
  const fed = pipeline(openStream(body), parser);
  fed.catch(() => undefined);
  await Promise.race([fed, fault.promise]);
}

function malformedForm(error: unknown): Problem {
  return unreadableBody('multipart form', error instanceof Error ? error.message : String(error));
}
