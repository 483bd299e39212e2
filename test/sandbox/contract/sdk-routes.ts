import { globSync, readFileSync } from 'node:fs';

/** A call that the official SDK has. Parameters of the path are `:id`. */
export interface SdkCall {
  readonly method: string;
  readonly path: string;
  /** File below the SDK's `resources`, without its end. */
  readonly file: string;
  /** Where the name of its function begins in that file. */
  readonly at: number;
  /** Whether the function gives the field `result` of the answer, and not the answer. */
  readonly unwraps: boolean;
}

/** The sources of the official SDK, as its package brings them. */
export const sdkSources = 'node_modules/cloudflare/src/resources';

const call = /_client\s*\.(get|post|put|patch|delete|getAPIList)\(\s*(?:path`([^`]+)`|'([^']+)')/g;
const functionName = /^ {2}(?:async )?(?=\w+\()/gm;

/** The calls of a part of the official SDK, such as `kv` or `dns/records`, read from its sources; of all of it without one. */
export function sdkCalls(...parts: readonly string[]): SdkCall[] {
  const globs = parts.flatMap((part) => [`${sdkSources}/${part}.ts`, `${sdkSources}/${part}/**/*.ts`]);
  return globSync(globs).sort().flatMap(callsOf);
}

function callsOf(source: string): SdkCall[] {
  const text = readFileSync(source, 'utf8');
  const names = [...text.matchAll(functionName)].map(({ index, 0: { length } }) => index + length);
  const file = source.slice(sdkSources.length + 1).replace(/\.ts$/, '');
  return [...text.matchAll(call)].flatMap(({ index, 1: verb = '', 2: template, 3: fixed = '' }) => {
    const method = verb === 'getAPIList' ? 'GET' : verb.toUpperCase();
    const at = names.findLast((start) => start < index) ?? 0;
    const end = names.find((start) => start > index) ?? text.length;
    const unwraps = text.slice(index, end).includes('._thenUnwrap(');
    return bothWays(template ?? fixed).map((path) => ({ method, path: blank(path), file, at, unwraps }));
  });
}

/** A path of the SDK or a pattern of ours with its parameters unnamed, so that two that differ in names are the same. */
export function blank(path: string): string {
  return path.replace(/\$\{[^}]+\}|[:*]\w+/g, ':id').replace(/\?.*$/, '');
}

/** Of a path that is an account's or a zone's: both. */
function bothWays(path: string): string[] {
  const either = /^\/\$\{accountOrZone\}\/\$\{accountOrZoneId\}/;
  if (!either.test(path)) return [path];
  return ['/accounts/:id', '/zones/:id'].map((start) => path.replace(either, start));
}
