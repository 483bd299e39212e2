import { bucketNameFault } from '../../model/objects/bucket.ts';
import { globMatcher } from '../../text/glob.ts';
import { declaredRoutes } from '../../v4/routes.ts';
import type { Call } from '../../v4/send.ts';
import { pathWithoutQuery } from './effect.ts';

/** First path segments of the v4 API, and of the sandbox's own routes. */
export const v4Roots: readonly string[] = [
  ...[
    'accounts',
    'certificates',
    'graphql',
    'ips',
    'live',
    'memberships',
    'organizations',
    'radar',
    'sandbox',
  ],
  ...['signed-url', 'system', 'tenants', 'user', 'users', 'zones'],
];

/** A pattern for requests of one API: a method and a path. */
interface Match {
  /** The method; `*` matches any method. */
  readonly method: string;
  readonly isS3: boolean;
  readonly glob: string;
}

/** The form of a fault's `match`: an optional method or `*`, an optional `s3:` for the S3 API, and a path. */
export const matchPattern = /^(?:(?:GET|HEAD|PUT|POST|PATCH|DELETE|OPTIONS|\*) )?(?:s3:)?\/\S*$/;

function parseMatch(match: string): Match {
  const space = match.indexOf(' ');
  const method = space === -1 ? '*' : match.slice(0, space);
  const path = match.slice(space + 1);
  if (path.startsWith('s3:')) return { method, isS3: true, glob: path.slice('s3:'.length) };
  const glob = path.replace(/^\/client\/v4(?=\/)/, '');
  return { method, isS3: isBucketPath(glob), glob };
}

/** Returns whether a path can belong only to the S3 API: it starts with a valid bucket name that is not a root of the v4 API. */
function isBucketPath(glob: string): boolean {
  const [first = ''] = glob.slice(1).split('/');
  return bucketNameFault(first) === undefined && !v4Roots.includes(first);
}

/** Adds the API to a match: `PUT /pictures/**` becomes `PUT s3:/pictures/**`. */
export function spellOutMatch(match: string): string {
  const { isS3 } = parseMatch(match);
  return isS3 ? match.replace(/(^| )\//, '$1s3:/') : match;
}

/**
 * Returns a function that tests whether a call matches. `*` matches any characters within a segment; the segment `**` matches any number of
 * segments.
 */
export function createMatcher(match: string): (call: Call) => boolean {
  const { method, isS3, glob } = parseMatch(match);
  const steps = glob.slice(1).split('/').map(toStep);
  return (call) =>
    (call.api === 's3') === isS3 &&
    (method === '*' || method === call.method) &&
    matchesSegments(steps, pathWithoutQuery(call).slice(1).split('/'));
}

type Step = 'any' | ((segment: string) => boolean);

/** Returns the step for a segment of a glob. A path that ends in a slash has an empty segment, which only an empty glob matches. */
function toStep(glob: string): Step {
  if (glob === '**') return 'any';
  return glob === '' ? (segment) => segment === '' : globMatcher(glob);
}

/**
 * Returns whether the steps match all segments. Tracks all reachable positions in parallel, because backtracking could take exponential
 * time.
 */
function matchesSegments(steps: readonly Step[], segments: readonly string[]): boolean {
  let places: readonly number[] = [0];
  for (const step of steps) {
    const [first] = places;
    if (first === undefined) return false;
    if (step === 'any') places = Array.from({ length: segments.length + 1 - first }, (_, at) => first + at);
    else places = places.filter((at) => at < segments.length && step(segments[at] ?? '')).map((at) => at + 1);
  }
  return places.at(-1) === segments.length;
}

/** Returns whether a match can apply to a request of at least one route. Every S3 API path can be a bucket or an object. */
export function matchesRoute(match: string): boolean {
  const { method, isS3, glob } = parseMatch(match);
  if (isS3) return true;
  const steps = glob.slice(1).split('/').map(toStep);
  return declaredRoutes.some(
    (route) => (method === '*' || method === route.method) && canMatch(steps, route.path.slice(1).split('/')),
  );
}

/**
 * Returns whether any path matches both the steps and the pattern of a route. In the pattern, `:id` matches any segment, and `*key` matches
 * any number of segments.
 */
function canMatch(steps: readonly Step[], pattern: readonly string[]): boolean {
  const [step, ...left] = steps;
  const [expected, ...rest] = pattern;
  if (step === undefined || expected === undefined)
    return expected === undefined && left.every(isAny) && (step === undefined || isAny(step));
  if (expected.startsWith('*')) return true;
  if (step === 'any') return canMatch(left, pattern) || canMatch(steps, rest);
  return (expected.startsWith(':') || step(expected)) && canMatch(left, rest);
}

function isAny(step: Step): boolean {
  return step === 'any';
}
