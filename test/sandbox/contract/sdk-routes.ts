import { globSync, readFileSync } from 'node:fs';

/** A call of the official SDK. Path parameters are written `:id`. */
export interface SdkCall {
  readonly method: string;
  readonly path: string;
  /** The path of a file below the SDK's `resources`, without its extension. */
  readonly file: string;
  /** Offset of the function's name in that file. */
  readonly at: number;
  /** Whether the function returns the field `result` instead of the whole answer. */
  readonly unwraps: boolean;
}

/** The sources of the official SDK, as published in its package. */
export const sdkSources = 'node_modules/cloudflare/src/resources';

const call = /_client\s*\.(get|post|put|patch|delete|getAPIList)\(\s*(?:path`([^`]+)`|'([^']+)')/g;
const functionName = /^ {2}(?:async )?(?=\w+\()/gm;

/**
 * Returns the calls in a part of the official SDK, such as `kv` or `dns/records`, or in the whole SDK (`**`). The calls are read from the
 * SDK's sources.
 */
export function sdkCalls(...parts: readonly string[]): SdkCall[] {
  const globs = parts.flatMap((part) => [`${sdkSources}/${part}.ts`, `${sdkSources}/${part}/**/*.ts`]);
  return globSync(globs).sort().flatMap(getCalls);
}

function getCalls(source: string): SdkCall[] {
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

/** Replaces the parameter names in a path, so that two paths are equal if they differ only in these names. */
export function blank(path: string): string {
  return path.replace(/\$\{[^}]+\}|[:*]\w+/g, ':id').replace(/\?.*$/, '');
}

/** Returns both forms of a path that exists below accounts and below zones. */
function bothWays(path: string): string[] {
  const either = /^\/\$\{accountOrZone\}\/\$\{accountOrZoneId\}/;
  if (!either.test(path)) return [path];
  return ['/accounts/:id', '/zones/:id'].map((start) => path.replace(either, start));
}
