import { type FormPart, MalformedForm, readForm } from '../../../v4/read-form.ts';
import { type Exchange, isObject, readLimited, refusal, unreadable } from '../../http/exchange.ts';
import { workerCodes } from './codes.ts';

/** All modules of an upload together, in bytes (the provider's limit on a paid plan, uncompressed). */
const uploadLimit = 64 * 1024 * 1024;

/** The parts of the call's form in order, or undefined when its body is no form. Refuses more than 64 MiB. */
export async function formOf({ call }: Exchange): Promise<FormPart[] | undefined> {
  const contentType = call.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(contentType)) return undefined;
  try {
    return await readForm(contentType, call.body, uploadLimit);
  } catch (error) {
    if (error instanceof RangeError) throw tooLong();
    throw error instanceof MalformedForm ? unreadable('multipart form', error.message) : error;
  }
}

/** The body of a call that is no form. */
export function readScript({ call }: Exchange): Promise<Uint8Array> {
  return readLimited(call.body, uploadLimit, tooLong);
}

/**
 * The JSON object that a form holds under a name: as one part of JSON text, or as the official SDK spreads it, a part
 * for each value (`metadata[bindings][][name]`). Undefined when the form has neither.
 */
export function objectOf(
  parts: readonly FormPart[],
  name: string,
): Readonly<Record<string, unknown>> | undefined {
  const whole = parts.find((part) => part.name === name);
  if (whole !== undefined) return parseObject(name, whole.content);
  const spread = parts.filter((part) => part.name.startsWith(`${name}[`));
  if (spread.length === 0) return undefined;
  const root: Tree = {};
  for (const part of spread) {
    const keys = [...part.name.slice(name.length).matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? '');
    grow(root, keys, Buffer.from(part.content).toString('utf8'));
  }
  return root;
}

function parseObject(name: string, content: Uint8Array): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(content).toString('utf8'));
  } catch (error) {
    throw unreadable(name, error instanceof Error ? error.message : String(error));
  }
  if (!isObject(value)) throw unreadable(name, 'it is no JSON object');
  return value;
}

type Tree = { [key: string]: unknown };

/**
 * Puts a value at its place. An empty key stands for the end of a list; an object there goes on being filled until a
 * key comes a second time.
 */
function grow(at: Tree, [key = '', next, ...rest]: readonly string[], value: string): void {
  if (key === '__proto__') throw unreadable('metadata', 'it has a key named __proto__');
  if (next === undefined) at[key] = value;
  else if (next === '') growList(at, key, rest, value);
  else {
    if (!isObject(at[key])) at[key] = {};
    grow(at[key] as Tree, [next, ...rest], value);
  }
}

function growList(at: Tree, key: string, rest: readonly string[], value: string): void {
  if (!Array.isArray(at[key])) at[key] = [];
  const list = at[key] as unknown[];
  const [field] = rest;
  if (field === undefined) {
    list.push(value);
    return;
  }
  const last = list.at(-1);
  const filled = !isObject(last) || (field in last && rest.length === 1);
  if (filled) list.push({});
  grow(list.at(-1) as Tree, rest, value);
}

function tooLong() {
  return refusal(
    413,
    workerCodes.uploadTooLarge,
    `Your Worker exceeded the size limit of ${uploadLimit} bytes.`,
  );
}
