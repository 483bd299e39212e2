import { globSync, readFileSync } from 'node:fs';

/** A call that the official SDK has. Parameters of the path are `:name`. */
export interface SdkCall {
  readonly method: string;
  readonly path: string;
  /** File below the SDK's `resources`. */
  readonly file: string;
}

const folder = 'node_modules/cloudflare/resources';
const call =
  /_client\.(get|post|put|patch|delete|getAPIList)\(\(0, path_1\.path\) `([^`]+)`(?:, \(pagination_1\.(\w+)\))?/g;
const fixed = /_client\.(get|post|put|patch|delete|getAPIList)\('([^']+)'/g;

/** The calls of a part of the official SDK, such as `kv` or `dns/records`, read from its sources. */
export function sdkCalls(...parts: readonly string[]): SdkCall[] {
  const files = parts.flatMap((part) =>
    [`${folder}/${part}.js`, `${folder}/${part}/**/*.js`].flatMap((glob) => globSync(glob)),
  );
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(call), ...text.matchAll(fixed)].flatMap(([, verb = '', path = '']) => {
      const method = verb === 'getAPIList' ? 'GET' : verb.toUpperCase();
      const name = file.slice(folder.length + 1).replace(/\.js$/, '');
      return bothWays(path).map((one) => ({ method, path: one.replace(/\$\{[^}]+\}/g, ':id'), file: name }));
    });
  });
}

/** Of a path that is an account's or a zone's: both. */
function bothWays(path: string): string[] {
  const either = /^\/\$\{accountOrZone\}\/\$\{accountOrZoneId\}/;
  if (!either.test(path)) return [path];
  return ['/accounts/:id', '/zones/:id'].map((start) => path.replace(either, start));
}
