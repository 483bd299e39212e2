import type { FormPart } from '../../v4/read-form.ts';
import { type Call, openStream } from '../../v4/send.ts';
import { contract } from '../contract/contract.ts';

/** One part of a form, for notes in the request log. */
export type NotedPart = Pick<FormPart, 'name' | 'content'>;

/** Maximum number of bytes of a form to read into memory. A longer form is read only by its route. */
const maxFormBytes = 100 * 1024 * 1024;

/** Reads the body of a call into memory if it is a form that the contract describes. */
export async function readFormIntoMemory(call: Call, route: string | undefined): Promise<Call> {
  const row = route === undefined ? undefined : contract[`${call.method} ${route}`];
  const isNoted = row?.form !== undefined || row?.formFields !== undefined;
  if (!isNoted || readBoundary(call) === undefined || typeof call.body !== 'function') return call;
  if (Number(call.headers['content-length'] ?? 0) > maxFormBytes) return call;
  return { ...call, body: await readIntoMemory(call.body) };
}

/** Reads a body into bytes. A body over `maxFormBytes` is returned as a stream that starts with the bytes already read. */
async function readIntoMemory(
  body: Extract<Call['body'], () => unknown>,
): Promise<NonNullable<Call['body']>> {
  const rest = openStream(body);
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length <= maxFormBytes) {
    const { done, value } = await rest.next();
    if (done === true) return Buffer.concat(chunks);
    chunks.push(value);
    length += value.length;
  }
  return async function* () {
    yield* chunks.splice(0);
    yield* rest;
  };
}

/** Parses the parts of a form (RFC 7578, 4.2), in order. Returns an empty list for other bodies and for streams. */
export function parseFormParts(call: Call): readonly NotedPart[] {
  const boundary = readBoundary(call);
  const { body } = call;
  if (boundary === undefined || !(body instanceof Uint8Array)) return [];
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
  const parts: NotedPart[] = [];
  let at = text.indexOf(boundary);
  while (at !== -1) {
    const next = text.indexOf(boundary, at + boundary.length);
    const end = text.indexOf('\r\n\r\n', at);
    const head = text.slice(at, end === -1 ? at : end);
    const name = /\r\ncontent-disposition:[^\r\n]*[; ]name="([^"\r\n]*)"/i.exec(head)?.[1];
    // The line break before a boundary belongs to the boundary.
    const content = body.subarray(end + 4, next === -1 ? body.length : next - 2);
    if (name !== undefined) parts.push({ name: Buffer.from(name, 'latin1').toString('utf8'), content });
    at = next;
  }
  return parts;
}

function readBoundary({ headers }: Call): string | undefined {
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(type)) return undefined;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  return boundary === undefined ? undefined : `--${boundary}`;
}
