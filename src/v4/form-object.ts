import { isObject } from '../model/json-object.ts';
import type { FormPart } from './read-form.ts';

/** Thrown if a part does not contain a JSON object. The message explains why. */
export class MalformedObject extends Error {}

/**
 * Returns the JSON object that a form contains under a name. The object can be sent as one part with JSON, or as one part per value, as in
 * requests from the official SDK (`metadata[bindings][][name]`). Returns undefined if the form contains neither.
 */
export function readFormObject(
  parts: readonly Pick<FormPart, 'name' | 'content'>[],
  name: string,
): Readonly<Record<string, unknown>> | undefined {
  const whole = parts.find((part) => part.name === name);
  if (whole !== undefined) return parseObject(whole.content);
  const spread = parts.filter((part) => part.name.startsWith(`${name}[`));
  if (spread.length === 0) return undefined;
  const root: Tree = {};
  for (const part of spread) {
    const keys = [...part.name.slice(name.length).matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? '');
    grow(root, keys, Buffer.from(part.content).toString('utf8'));
  }
  return root;
}

function parseObject(content: Uint8Array): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(content).toString('utf8'));
  } catch (error) {
    throw new MalformedObject(error instanceof Error ? error.message : String(error));
  }
  if (!isObject(value)) throw new MalformedObject('it is not a JSON object');
  return value;
}

type Tree = { [key: string]: unknown };

/** Stores a value at its path. An empty key represents the end of a list. An object at the end of a list is filled until a key repeats. */
function grow(at: Tree, [key = '', next, ...rest]: readonly string[], value: string): void {
  if (key === '__proto__') throw new MalformedObject('it has a key named __proto__');
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
