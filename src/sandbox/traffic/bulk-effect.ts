import { kvLimits } from '../../model/kv/kv.ts';
import { type Answer, type Body, type Call, readBody } from '../../v4/send.ts';
import type { FaultStep } from './effect.ts';

/** Carries out a bulk write or delete for a part of its keys, and names the others in `unsuccessful_keys`. */
export function withoutSomeKeys(share: number, chance: () => number): FaultStep {
  return async (call, send) => {
    if (!/\/bulk(?:\/delete)?$/.test(call.path)) return send(call);
    const bytes = await bytesOf(call.body);
    const entries = arrayOf(bytes);
    if (entries === undefined) return send(withBody(call, bytes));
    const left: unknown[] = [];
    const failed: string[] = [];
    for (const entry of entries) {
      if (chance() < share) failed.push(nameOf(entry));
      else left.push(entry);
    }
    const answer = await send(withBody(call, Buffer.from(JSON.stringify(left))));
    return answer.status === 200 ? naming(failed, answer) : answer;
  };
}

/** The array that a body is; undefined for another one, which the sandbox refuses in its own words. */
function arrayOf(bytes: Uint8Array): readonly unknown[] | undefined {
  try {
    const list: unknown = JSON.parse(Buffer.from(bytes).toString());
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

async function bytesOf(body: Body | undefined): Promise<Uint8Array> {
  if (body === undefined) return new Uint8Array(0);
  return readBody(typeof body === 'function' ? body() : body, kvLimits.bulkBytes);
}

function withBody(call: Call, body: Uint8Array): Call {
  return { ...call, headers: { ...call.headers, 'content-length': String(body.length) }, body };
}

/** The key of an entry: of a bulk write a field, of a bulk delete the entry itself. What is no text is told as JSON. */
export function nameOf(entry: unknown): string {
  const key = typeof entry === 'object' && entry !== null && 'key' in entry ? entry.key : entry;
  return typeof key === 'string' ? key : JSON.stringify(key);
}

async function naming(failed: readonly string[], answer: Answer): Promise<Answer> {
  const envelope = JSON.parse(Buffer.from(await readBody(answer.body)).toString());
  const result = { ...envelope.result, unsuccessful_keys: failed };
  return { ...answer, body: Buffer.from(JSON.stringify({ ...envelope, result })) };
}
