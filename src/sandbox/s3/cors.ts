import { decodePath, parseObjectPath } from '../../s3/address.ts';
import { S3Refusal } from '../../s3/refusal.ts';
import type { Answer } from '../../v4/send.ts';
import type { Platform } from '../http/exchange.ts';
import { readBucketSettings } from '../objects/settings/bucket-settings.ts';
import type { CorsRule } from '../objects/settings/shapes.ts';
import type { S3Call } from './call.ts';
import { emptyAnswer, refusedAnswer } from './documents.ts';

/** Answers a CORS preflight request, which is not signed. */
export function preflight(platform: Platform, call: S3Call): Answer {
  const { headers } = call;
  const method = headers['access-control-request-method'] ?? '';
  const names = (headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  const rule = findCorsRule(platform, call, method, names);
  if (rule === undefined) {
    const message = 'CORSResponse: This CORS request is not allowed by the rules of the bucket.';
    return refusedAnswer(new S3Refusal('AccessForbidden', message), call.path.split('?', 1)[0] ?? '');
  }
  return emptyAnswer(204, {
    ...formatOriginHeaders(rule, headers['origin'] ?? ''),
    'access-control-allow-methods': rule.allowed.methods.join(', '),
    ...(names.length > 0 && { 'access-control-allow-headers': names.join(', ') }),
    ...(rule.maxAgeSeconds !== undefined && { 'access-control-max-age': String(rule.maxAgeSeconds) }),
  });
}

/** Adds CORS headers to an answer, if a rule of the bucket allows the origin. */
export function withCors(platform: Platform, call: S3Call, answer: Answer): Answer {
  const { origin } = call.headers;
  const rule = origin === undefined ? undefined : findCorsRule(platform, call, call.method, []);
  if (origin === undefined || rule === undefined) return answer;
  const exposed = rule.exposeHeaders ?? [];
  return {
    ...answer,
    headers: {
      ...answer.headers,
      ...formatOriginHeaders(rule, origin),
      ...(exposed.length > 0 && { 'access-control-expose-headers': exposed.join(', ') }),
    },
  };
}

function formatOriginHeaders({ allowed }: CorsRule, origin: string): Readonly<Record<string, string>> {
  const anybody = allowed.origins.includes('*');
  return { 'access-control-allow-origin': anybody ? '*' : origin, ...(!anybody && { vary: 'Origin' }) };
}

/** Returns the first rule of the bucket that allows this origin, method and headers. */
function findCorsRule(
  platform: Platform,
  { path, headers }: S3Call,
  method: string,
  names: readonly string[],
): CorsRule | undefined {
  const { origin } = headers;
  if (origin === undefined) return undefined;
  return readBucketSettings(platform, readBucketName(path)).cors?.find(
    ({ allowed }) =>
      allowed.methods.some((one) => one === method) &&
      allowed.origins.some((pattern) => matchesPattern(pattern, origin)) &&
      names.every((name) => allowed.headers?.some((pattern) => matchesPattern(pattern.toLowerCase(), name))),
  );
}

/** Returns the bucket in a path; empty for an invalid path, which the request's handler refuses. */
function readBucketName(path: string): string {
  try {
    return parseObjectPath(decodePath(path)).bucket;
  } catch {
    return '';
  }
}

/** Returns whether a string matches a pattern with up to one star, which matches any string. */
function matchesPattern(pattern: string, text: string): boolean {
  const star = pattern.indexOf('*');
  if (star === -1) return pattern === text;
  const [start, end] = [pattern.slice(0, star), pattern.slice(star + 1)];
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
}
