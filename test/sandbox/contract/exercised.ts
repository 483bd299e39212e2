import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract } from '../../../src/sandbox/contract/contract.ts';
import type { AnsweredCall } from '../../../src/sandbox/http/app.ts';
import { published } from './openapi/published-file.ts';

/** A part of a route that tests have sent or received: `?page`, `cf-r2-jurisdiction:`, `title`, `10013`. */
export type Part = string;

/** Parts by route, such as `GET /zones/:zone`. */
export type PartsByRoute = Readonly<Record<string, readonly Part[]>>;

const file = 'test/sandbox/contract/exercised.json';

/** Returns the known parts that tests exercise, from the last recording. */
export function exercisedParts(): PartsByRoute {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Error codes that every route can return, because they depend on the caller: sign-in, permissions, pacing. */
export const commonCodes: ReadonlySet<number> = new Set([
  971, 1000, 6003, 6100, 9000, 9103, 9106, 9109, 10000, 10405,
]);

/** Returns all parts of a route that are known from the contract, the OpenAPI document and the clients generated from it. */
export function knownParts(route: string): Part[] {
  const { query, headers, body, codes } = published().routes[route] ?? noParts;
  const row = contract[route];
  const fields = [...body, ...(row?.body ?? []), ...(row?.form ?? [])];
  return [
    ...new Set([
      ...[...query, ...(row?.query ?? [])].map((name) => `?${name.replace(/\.\*$/, '')}`),
      ...headers.map((name) => `${name}:`),
      ...fields.filter((name) => !name.includes('.')),
      ...codes.filter((code) => !commonCodes.has(code)).map(String),
    ]),
  ].sort();
}

const noParts = { query: [], headers: [], body: [], codes: [] } as const;

/** Returns the known parts of a route that a call and its answer contain. */
export function partsOf({ method, pattern, call, answer }: AnsweredCall): Part[] {
  if (pattern === undefined || answer.status >= 500) return [];
  const known = new Set(knownParts(`${method} ${pattern}`));
  const query = new URLSearchParams(call.path.split('?')[1] ?? '');
  const seen = [
    ...[...query.keys()].flatMap((name) => [`?${name}`, `?${name.replace(/\..*$/, '')}`]),
    ...Object.keys(call.headers).map((name) => `${name.toLowerCase()}:`),
    ...bodyFields(call.body),
    ...errorCodes(answer.body),
  ];
  return [...new Set(seen)].filter((part) => known.has(part));
}

/** Returns the names of the fields of a JSON object, of the entries of a list, or of the parts of a form. Streams are not read. */
function bodyFields(body: AnsweredCall['call']['body']): string[] {
  if (!(body instanceof Uint8Array) || body.length > 1_000_000) return [];
  const text = Buffer.from(body).toString('utf8');
  if (!/^[[{]/.test(text)) return [...text.matchAll(/; name="([^"]+)"/g)].map(([, name = '']) => name);
  try {
    const value: unknown = JSON.parse(text);
    return (Array.isArray(value) ? value : [value]).flatMap((one) => Object.keys(Object(one)));
  } catch {
    return [];
  }
}

function errorCodes(body: AnsweredCall['answer']['body']): string[] {
  if (!(body instanceof Uint8Array)) return [];
  const text = Buffer.from(body).toString('utf8');
  if (!text.startsWith('{"success":false')) return [];
  const { errors } = JSON.parse(text) as { errors: readonly { code: number }[] };
  return errors.map(({ code }) => String(code));
}

const seen = new Map<string, Set<Part>>();

/** The folder where the processes of a recording run write the exercised parts; undefined in other runs. */
const folder = process.env['RECORD_EXERCISED'];

let isRecording = false;

/** Records the parts that the tests of this process exercise, in a recording run. */
export function recordExercised(): void {
  if (folder === undefined || isRecording) return;
  isRecording = true;
  subscribe('edgectl:sandbox:answer', (message) => {
    // The test of `checkAnswers` publishes answers without a call.
    const answered = message as AnsweredCall;
    if (answered.call === undefined) return;
    const route = `${answered.method} ${answered.pattern}`;
    const parts = seen.get(route) ?? new Set();
    for (const part of partsOf(answered)) parts.add(part);
    if (parts.size > 0) seen.set(route, parts);
  });
}

/** Writes the parts that were exercised since the previous call. */
export function saveExercised(): void {
  if (folder === undefined) return;
  for (const [route, parts] of seen) {
    const line = JSON.stringify({ route, parts: [...parts] });
    appendFileSync(join(folder, `${process.pid}.ndjson`), `${line}\n`);
  }
  seen.clear();
}

/** Merges the files written by the processes of a recording run. */
export function mergeExercised(from: string): PartsByRoute {
  const merged = new Map<string, Set<Part>>();
  for (const name of readdirSync(from)) {
    for (const line of readFileSync(join(from, name), 'utf8').split('\n')) {
      if (line === '') continue;
      const { route, parts } = JSON.parse(line) as { route: string; parts: readonly Part[] };
      merged.set(route, new Set([...(merged.get(route) ?? []), ...parts]));
    }
  }
  const routes = Object.keys(contract).sort();
  return Object.fromEntries(routes.map((route) => [route, [...(merged.get(route) ?? [])].sort()]));
}

/** Stores the result of a recording run, with one line per route, so that the diff of a change is readable. */
export function writeExercised(parts: PartsByRoute): void {
  const lines = Object.entries(parts).map(
    ([route, seen]) => `${JSON.stringify(route)}: ${JSON.stringify(seen)}`,
  );
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}
