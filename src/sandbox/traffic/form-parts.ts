import { type Call, readBody } from '../../v4/send.ts';
import { contract } from '../contract/contract.ts';

/** Bytes of a form that is read as a whole; a longer one is left to its route. */
const longest = 100 * 1024 * 1024;

/** The call with its body in memory, where it is a form whose parts the contract names. */
export async function withForm(call: Call, route: string | undefined): Promise<Call> {
  const form = route === undefined ? undefined : contract[`${call.method} ${route}`]?.form;
  if (form === undefined || boundaryOf(call) === undefined || typeof call.body !== 'function') return call;
  const length = Number(call.headers['content-length']);
  if (!(length <= longest)) return call;
  return { ...call, body: await readBody(call.body(), longest) };
}

/** The names of a form's parts (RFC 7578, 4.2), in their order; empty for another body, and for one that is a stream. */
export function partNames(call: Call): readonly string[] {
  const boundary = boundaryOf(call);
  const { body } = call;
  if (boundary === undefined || !(body instanceof Uint8Array)) return [];
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
  const names: string[] = [];
  for (let at = text.indexOf(boundary); at !== -1; at = text.indexOf(boundary, at + boundary.length)) {
    const end = text.indexOf('\r\n\r\n', at);
    const head = text.slice(at, end === -1 ? at : end);
    const name = /\r\ncontent-disposition:[^\r\n]*[; ]name="([^"\r\n]*)"/i.exec(head)?.[1];
    if (name !== undefined) names.push(Buffer.from(name, 'latin1').toString('utf8'));
  }
  return names;
}

function boundaryOf({ headers }: Call): string | undefined {
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(type)) return undefined;
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  return boundary === undefined ? undefined : `--${boundary}`;
}
