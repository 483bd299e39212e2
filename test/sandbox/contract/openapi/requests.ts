import { globSync, readFileSync } from 'node:fs';

/** Known details about the calls of a route, besides its path. */
export interface KnownRequest {
  readonly query: readonly string[];
  /** Names of headers, in lower case. */
  readonly headers: readonly string[];
  /** Top-level fields of a JSON body. */
  readonly body: readonly string[];
  /** Error codes that the platform has returned. */
  readonly codes: readonly number[];
}

/** Requests by route, such as `GET /zones/{}`; parameters have no name. */
export type KnownRequests = ReadonlyMap<string, KnownRequest>;

/** Removes the parameter names from a document's path or from one of our patterns. */
export function blankPath(path: string): string {
  return path.replace(/\{[^}]*\}|[:*]\w+/g, '{}');
}

/** Reads the query parameters of the provider's own program, which generates them from its OpenAPI document. */
export function readProgram(folder: string): KnownRequests {
  const text = readFileSync(`${folder}/cf-dist/_meta/schemas.json`, 'utf8');
  const { schemas } = JSON.parse(text) as { schemas: Record<string, ProgramCall> };
  return new Map(
    Object.values(schemas).map(({ httpMethod, path, queryParams }) => [
      `${httpMethod} ${blankPath(path)}`,
      { query: queryParams.map(({ name }) => name), headers: [], body: [], codes: [] },
    ]),
  );
}

interface ProgramCall {
  readonly httpMethod: string;
  readonly path: string;
  readonly queryParams: readonly { readonly name: string }[];
}

/** Reads the sources of a client that lists, for each call, the error codes that its authors received from the platform. */
export function readClient(folder: string): KnownRequests {
  return new Map(globSync(`${folder}/src/services/*.ts`).sort().flatMap(callsIn));
}

const errorClass = /export class (\w+) extends T\.applyErrorMatchers\((.*?)\n\) \{\}/gs;
const requestStruct = /export const (\w+Request) =(.*?)as unknown as Schema\.Codec/gs;
const operation = /input: (\w+),\s*output: \w+,\s*errors: \[(.*?)\]/gs;

function callsIn(file: string): [string, KnownRequest][] {
  const text = readFileSync(file, 'utf8');
  const codes = new Map(
    [...text.matchAll(errorClass)].map(({ 1: name = '', 2: matchers = '' }) => [
      name,
      [...matchers.matchAll(/code: (\d+)/g)].map(([, code]) => Number(code)),
    ]),
  );
  const requests = new Map(
    [...text.matchAll(requestStruct)].map(({ 1: name = '', 2: struct = '' }) => [name, struct]),
  );
  return [...text.matchAll(operation)].flatMap(
    ({ 1: input = '', 2: errors = '' }): [string, KnownRequest][] => {
      const struct = requests.get(input) ?? '';
      const [, method, path] = /method: "(\w+)",\s*path: "([^"]+)"/.exec(struct) ?? [];
      if (method === undefined || path === undefined) return [];
      const named = errors.split(',').flatMap((name) => codes.get(name.trim()) ?? []);
      const known = {
        query: traitNames(struct, 'HttpQuery'),
        headers: traitNames(struct, 'HttpHeader').map((name) => name.toLowerCase()),
        body: bodyFields(struct),
        codes: [...new Set(named)].sort((left, right) => left - right),
      };
      return [[`${method} ${blankPath(path)}`, known]];
    },
  );
}

function traitNames(struct: string, trait: string): string[] {
  return [...struct.matchAll(new RegExp(`T\\.${trait}\\(\\s*"([^"]+)"`, 'g'))].map(([, name = '']) => name);
}

/** The client's names for a body without fields, and for form parts with any name. */
const wholeBodies = ['body', 'files'];

/** Returns the names, as sent to the platform, of those fields of the outer struct that are not in the path, the query or a header. */
function bodyFields(struct: string): string[] {
  const start = struct.indexOf('Schema.Struct({');
  if (start === -1) return [];
  const fields = splitFields(struct.slice(start + 'Schema.Struct({'.length));
  const renamed = new Map(
    [...struct.matchAll(/encodeKeys\(\{(.*?)\}\)/gs)]
      .flatMap(([, pairs = '']) => [...pairs.matchAll(/(\w+): "([^"]+)"/g)])
      .map(([, name = '', wire = '']) => [name, wire]),
  );
  return fields.flatMap((field) => {
    const [, name] = /^\s*(?:\/\*\*.*?\*\/\s*)?(\w+|"[^"]+"):/s.exec(field) ?? [];
    if (name === undefined || /T\.Http(?:Path|Query|Header)\(/.test(field)) return [];
    return [renamed.get(name) ?? name.replaceAll('"', '')].filter((one) => !wholeBodies.includes(one));
  });
}

/** Splits the fields of a struct, up to its closing brace, at the commas outside of brackets. */
function splitFields(text: string): string[] {
  const fields: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
    if (depth < 0) return [...fields, text.slice(start, at)];
    if (sign !== ',' || depth > 0) continue;
    fields.push(text.slice(start, at));
    start = at + 1;
  }
  return fields;
}
