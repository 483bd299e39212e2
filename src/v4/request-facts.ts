import { plainName } from '../model/dns/dns.ts';
import type { Noun } from '../model/guard/effect.ts';
import { decodePart, type NamedFact, type RequestEffect, type RequestFacts } from '../model/guard/policy.ts';
import { isObject } from '../model/json-object.ts';
import { findOperation, type S3Operation, s3Operations } from '../model/objects/s3-operation.ts';
import { type BodyNames, findBodyNames, type ListedNames, parseBody, readBodyNames } from './body-names.ts';
import { type DeclaredRoute, findRoute } from './routes.ts';
import type { Call, Method } from './send.ts';
import { objstoreHeaders } from './wire.ts';

/** The parts of a request that are used for rules and the audit log. */
export interface FactsInput extends Pick<Call, 'path' | 'api' | 'readsOnly'> {
  readonly method: string;
  readonly body?: Call['body'];
  /** The headers, with names in lower case. */
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns the facts about a request for the policy and the audit log. */
export function readRequestFacts(
  call: FactsInput,
  { target, client }: Pick<RequestFacts, 'target' | 'client'>,
): RequestFacts {
  const path = call.path.split('?', 1)[0] ?? call.path;
  const query = call.api === 's3' || isReadRequest(call.method, path) ? '' : call.path.slice(path.length);
  const common = {
    method: call.method,
    path,
    ...(query.length > 1 && { query }),
    target,
    client,
    ...readHeaderFacts(call),
  };
  if (call.api === 's3') return { ...common, path: `s3:${path}`, ...readS3Facts(call, path) };
  const route = findDeclared(call.method, path);
  if (route === undefined) return { ...common, ...noNames, ...readUnknownFacts(call.method, path) };
  const names = readNames(route, path);
  const inBody = findBodyNames(route);
  const body = readPlainBody(call);
  const listed = inBody && addPathName(inBody, readBodyNames(inBody, body), names.name);
  const unread = inBody?.facts.filter((fact) => listed?.[fact] === undefined) ?? [];
  if (inBody?.replaces || unread.includes('name')) names.name = undefined;
  for (const [fact, values] of Object.entries(listed ?? {}) as [NamedFact, readonly string[]][])
    names[fact] = values.length === 1 ? values[0] : undefined;
  const unnamed = findUnnamed(route, names).filter((fact) => listed?.[fact] === undefined);
  return {
    ...common,
    effect: isMaybeMutation(route, body, query) ? 'unknown' : route.effect,
    route: route.path,
    noun: route.noun,
    ...names,
    ...(listed !== undefined && { listed }),
    unnamed: [...new Set([...unnamed, ...unread])],
    count: countResources(route, body, listed?.name),
  };
}

/** Returns the body. A body that a server would decode differently counts as unreadable. */
function readPlainBody({ body, headers = {} }: FactsInput): Call['body'] {
  return body === undefined || isPlainText(headers) ? body : new Uint8Array();
}

/** Returns whether the headers specify no encoding of the body other than UTF-8. The names of headers must be in lower case. */
export function isPlainText(headers: Readonly<Record<string, unknown>>): boolean {
  return (
    /^(?:identity)?$/i.test(String(headers['content-encoding'] ?? '')) &&
    !/charset\s*=\s*(?!"?utf-8\b)/i.test(String(headers['content-type'] ?? ''))
  );
}

function readHeaderFacts({ headers = {} }: FactsInput): Pick<RequestFacts, 'source' | 'jurisdiction'> {
  const source = headers['x-amz-copy-source'];
  const jurisdiction = headers[objstoreHeaders.jurisdiction];
  return {
    ...(source !== undefined && { source: String(source) }),
    ...(jurisdiction !== undefined && { jurisdiction: String(jurisdiction) }),
  };
}

/** Adds the name that the path ends in to the names in the body, if the request affects both. */
function addPathName(
  { replaces }: BodyNames,
  listed: ListedNames | undefined,
  inPath: string | undefined,
): ListedNames | undefined {
  if (replaces || listed?.name === undefined || inPath === undefined) return listed;
  return { ...listed, name: [inPath, ...listed.name] };
}

const noNames = {
  account: undefined,
  zone: undefined,
  namespace: undefined,
  bucket: undefined,
  worker: undefined,
  hostname: undefined,
  name: undefined,
} as const satisfies Readonly<Record<NamedFact, undefined>>;

/** Returns the declared route. The route of GET also serves HEAD requests. */
function findDeclared(method: string, path: string): DeclaredRoute | undefined {
  return findRoute({ method: (method === 'HEAD' ? 'GET' : method) as Method, path });
}

function isReadMethod(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * Returns whether a request only reads, according to its method. A GET request for the GraphQL path is not a read, because some servers
 * also accept GraphQL mutations in its query string.
 */
function isReadRequest(method: string, path: string): boolean {
  return isReadMethod(method) && path.toLowerCase() !== graphqlPath;
}

function readUnknownFacts(
  method: string,
  path: string,
): Pick<RequestFacts, 'effect' | 'route' | 'noun' | 'account' | 'zone' | 'unnamed' | 'count'> {
  const effect: RequestEffect = isReadRequest(method, path) ? 'read' : 'unknown';
  const [, kind, id] = /^\/(accounts|zones)\/([^/]+)/.exec(path) ?? [];
  const unnamed: NamedFact[] = ['namespace', 'bucket', 'worker', 'hostname', 'name'];
  if (kind !== 'accounts') unnamed.push('account');
  if (kind !== 'zones') unnamed.push('zone');
  return {
    effect,
    route: undefined,
    noun: undefined,
    account: kind === 'accounts' ? id : undefined,
    zone: kind === 'zones' ? id : undefined,
    unnamed,
    count: undefined,
  };
}

/** The facts that route parameters contain. If a parameter means something else in other routes, the key includes the segment before it. */
const factNames: Readonly<Record<string, NamedFact>> = {
  account: 'account',
  zone: 'zone',
  namespace: 'namespace',
  bucket: 'bucket',
  script: 'worker',
  'custom/:domain': 'hostname',
};

function readNames(route: DeclaredRoute, path: string): Record<NamedFact, string | undefined> {
  const names: Record<NamedFact, string | undefined> = { ...noNames };
  const pattern = route.path.split('/');
  const segments = path.split('/');
  for (const [index, part] of pattern.entries()) {
    if (!/^[:*]/.test(part)) continue;
    const rest = part.startsWith('*') ? segments.slice(index).join('/') : (segments[index] ?? '');
    const value = decodePart(rest);
    const fact = factNames[part.slice(1)] ?? factNames[`${pattern[index - 1]}/${part}`];
    const plain = fact === 'hostname' ? plainName(value) : value;
    if (fact !== undefined) names[fact] = plain;
    names.name = plain;
  }
  // In a list of keys or objects, the last name in the path is the name of the namespace or the bucket.
  if ((route.noun === 'key' || route.noun === 'object') && !route.path.includes('*')) names.name = undefined;
  return names;
}

function countResources(
  route: DeclaredRoute,
  body: Call['body'],
  names: readonly string[] | undefined,
): number | undefined {
  if (route.effect === 'read' || !isBulk(route)) return 1;
  return names?.length ?? countItems(route, body);
}

/**
 * Returns the facts that the route does not contain. The route of a zone does not contain its account. A hostname is identified only by its
 * id, or in the body.
 */
function findUnnamed({ noun, path }: DeclaredRoute, names: Record<NamedFact, unknown>): NamedFact[] {
  const byNoun: Partial<Record<Noun, NamedFact>> = {
    hostname: 'hostname',
    'worker-domain': 'hostname',
    'worker-route': 'hostname',
    record: 'hostname',
    certificate: 'hostname',
    zone: 'zone',
    namespace: 'namespace',
    bucket: 'bucket',
  };
  const own = byNoun[noun];
  const concerned: NamedFact[] = own === undefined ? [] : [own];
  if (path.startsWith('/zones')) concerned.push('account');
  // The zone of a bucket's custom domain is unknown, because the request contains only the domain's hostname.
  if (path.endsWith('/domains/custom/:domain')) concerned.push('zone');
  if (noun === 'worker-domain' || noun === 'worker-route') concerned.push('worker', 'zone');
  return concerned.filter((fact) => names[fact] === undefined);
}

/** Returns whether only the body states how many resources a request affects. */
function isBulk({ method, path }: DeclaredRoute): boolean {
  return (
    /\/(?:bulk|bulk\/delete|secrets-bulk|batch|import|domains\/records|versions\/latest)$/.test(path) ||
    (method === 'DELETE' && path.endsWith('/objects')) ||
    (method === 'PATCH' && path === settingsPath) ||
    path.startsWith('/sandbox/')
  );
}

/** Returns whether the names of the affected resources can be read from the body of a request. */
export function hasNamesInBody({ method, route }: Pick<RequestFacts, 'method' | 'route'>): boolean {
  return route !== undefined && findBodyNames({ method: method as Method, path: route })?.read !== undefined;
}

/** Returns whether the effect of a request depends on its body. */
export function hasEffectInBody({ route }: Pick<RequestFacts, 'route'>): boolean {
  return route === graphqlPath;
}

const graphqlPath = '/graphql';
const settingsPath = '/zones/:zone/settings';

/**
 * Returns whether the body of a GraphQL request may contain anything other than a query. The platform documents only queries, for its
 * analytics. A missing body counts as a query.
 */
function isMaybeMutation({ path }: DeclaredRoute, body: Call['body'], query: string): boolean {
  if (path !== graphqlPath) return false;
  // Some servers read the GraphQL request from the query string instead of the body.
  if (query.length > 1) return true;
  if (body === undefined) return false;
  if (!(body instanceof Uint8Array)) return true;
  const text = Buffer.from(body).toString('utf8');
  const decoded = text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  if (/mutation|subscription/i.test(decoded)) return true;
  try {
    const parsed: unknown = JSON.parse(text);
    return !isObject(parsed) || typeof parsed['query'] !== 'string';
  } catch {
    return true;
  }
}

/**
 * Returns the number of items in a JSON list, or in the `items` of a settings change; undefined for any other body, and for a body that is
 * too long.
 */
function countItems({ path }: DeclaredRoute, body: Call['body']): number | undefined {
  const value = parseBody(body)?.value;
  if (Array.isArray(value)) return value.length;
  if (path !== settingsPath || !isObject(value) || Object.keys(value).length !== 1) return undefined;
  return Array.isArray(value['items']) ? value['items'].length : undefined;
}

type S3Facts = Omit<RequestFacts, 'method' | 'path' | 'target' | 'client'>;

/**
 * Returns the facts about an S3 API call with the path `/bucket/key`. Paths and routes start with `s3:`, so that no rule about a v4 API
 * route matches them. The body of DeleteObjects, which contains the names of its objects, is not read here.
 */
function readS3Facts({ method, path: full, headers = {} }: FactsInput, path: string): S3Facts {
  const [, bucket = '', ...rest] = path.split('/').map(decodePart);
  const key = rest.join('/');
  const query = new Map(new URLSearchParams(full.slice(path.length)));
  const found = findOperation({ method, bucket, key, query, headers });
  const isKnown = isOrdinaryQuery(query) && (isReadMethod(method) || isSelectedBy(found, query));
  const operation = isKnown ? found : undefined;
  const declared = operation && s3Operations[operation];
  const unnamed: NamedFact[] = ['account'];
  if (bucket === '') unnamed.push('bucket');
  if (key === '') unnamed.push('name');
  return {
    ...noNames,
    effect: isReadMethod(method) ? 'read' : (declared?.effect ?? 'unknown'),
    route: operation && `s3:${operation}`,
    noun: declared?.noun ?? (key === '' ? 'bucket' : 'object'),
    bucket: bucket === '' ? undefined : bucket,
    name: key === '' ? undefined : key,
    unnamed,
    // The query of an unknown operation decides what the request does.
    ...(operation === undefined &&
      !isReadMethod(method) &&
      full !== path && { query: full.slice(path.length) }),
    count: operation === 'DeleteObjects' ? undefined : 1,
  };
}

/**
 * Query parameters that do not determine the operation, or that `findOperation` evaluates. A request with other parameters has an unknown
 * effect.
 */
const ordinaryQuery =
  /^(?:cors|delete|encryption|lifecycle|location|partNumber|uploadId|uploads|versioning|x-id|list-type|prefix|delimiter|marker|start-after|continuation-token|encoding-type|fetch-owner|key-marker|upload-id-marker|part-number-marker|max-(?:keys|parts|uploads|buckets)|response-[a-z-]+|x-amz-(?!copy-source)[a-z0-9-]+)$/i;

function isOrdinaryQuery(query: ReadonlyMap<string, string>): boolean {
  return [...query.keys()].every((name) => ordinaryQuery.test(name));
}

/** Query parameters that can select an operation. */
const selector = /^(?:cors|delete|encryption|lifecycle|location|partnumber|uploadid|uploads|versioning)$/i;

/** The parameters that select an operation that writes; none for other operations. */
const selectors: Partial<Record<S3Operation, readonly string[]>> = {
  AbortMultipartUpload: ['uploadId'],
  CompleteMultipartUpload: ['uploadId'],
  CreateMultipartUpload: ['uploads'],
  DeleteBucketCors: ['cors'],
  DeleteBucketLifecycle: ['lifecycle'],
  DeleteObjects: ['delete'],
  PutBucketCors: ['cors'],
  PutBucketLifecycleConfiguration: ['lifecycle'],
  UploadPart: ['partNumber', 'uploadId'],
  UploadPartCopy: ['partNumber', 'uploadId'],
};

/**
 * Returns whether the query contains exactly the parameters that select the operation. A server could interpret additional parameters, or
 * other spellings, differently.
 */
function isSelectedBy(operation: S3Operation | undefined, query: ReadonlyMap<string, string>): boolean {
  const expected = (operation && selectors[operation]) ?? [];
  const found = [...query.keys()].filter((name) => selector.test(name));
  return found.length === expected.length && expected.every((name) => query.has(name));
}

/** Headers with which some servers replace the method of a request. */
const methodHeaders = new Set([
  'x-forwarded-method',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'x-original-method',
]);

/** Headers with which some servers replace the path or the host of a request. Clients of this API do not send them. */
const targetHeaders = new Set([
  'forwarded',
  'x-envoy-original-path',
  'x-forwarded-host',
  'x-forwarded-path',
  'x-forwarded-prefix',
  'x-forwarded-server',
  'x-forwarded-uri',
  'x-host',
  'x-http-host-override',
  'x-original-host',
  'x-original-uri',
  'x-original-url',
  'x-rewrite-uri',
  'x-rewrite-url',
]);

/** Headers that the guard reads or replaces. Servers that use CGI's header names treat "_" as "-" (RFC 3875, section 4.1.18). */
const readHeaders = new Set([
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
  'x-auth-email',
  'x-auth-key',
  'x-auth-user-service-key',
]);

/** Explains why a header could change the method, path or meaning of a request; undefined if no header can. Names are in lower case. */
export function findHeaderAmbiguity(headers: Readonly<Record<string, unknown>>): string | undefined {
  for (const name of Object.keys(headers)) {
    const plain = name.replaceAll('_', '-');
    if (methodHeaders.has(plain)) return `The header ${name} could change the method.`;
    if (targetHeaders.has(plain)) return `The header ${name} could change the path or the host.`;
    const isRead = readHeaders.has(plain) || /^(?:cf-|x-amz-(?!meta-))/.test(plain);
    if (plain !== name && isRead) return `The header ${name} must be spelled ${plain}.`;
  }
  return findConnectionAmbiguity(headers);
}

/** Returns whether a server could read the method from a query parameter: `_method`, also as a list or with other separators. */
export function isMethodParameter(name: string): boolean {
  const words = name
    .toLowerCase()
    .replace(/\[.*$/s, '')
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
  return /^(?:x-)?(?:http-)?method(?:-override)?$/.test(words.join('-'));
}

/** Options in the Connection header that do not remove a header that the platform requires. */
const connectionOptions = new Set(['close', 'http2-settings', 'keep-alive', 'te', 'upgrade']);

/**
 * Explains why a request could lose headers before it reaches the platform: servers do not forward the headers that are listed in
 * Connection. Undefined if none is listed.
 */
function findConnectionAmbiguity(headers: Readonly<Record<string, unknown>>): string | undefined {
  const names = String(headers['connection'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const wrong = names.find((name) => name !== '' && !connectionOptions.has(name));
  return wrong === undefined ? undefined : `The header Connection must not contain ${wrong}.`;
}

/** The methods of the API. */
export const allowedMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE']);

/**
 * Explains why the platform could interpret a request differently than the policy does; undefined if the request has only one meaning.
 * `path` is relative to the base URL, exactly as it will be sent, with its query.
 */
export function findAmbiguity(
  method: string,
  path: string,
  headers: Readonly<Record<string, unknown>>,
): string | undefined {
  if (!allowedMethods.has(method)) return `The method ${method} is not used by this API.`;
  const header = findHeaderAmbiguity(headers);
  if (header !== undefined) return header;
  const [bare = '', ...queries] = path.split('?');
  // Some servers also separate parameters by ";".
  const parameters = queries.flatMap((query) => query.split(/[&;]/));
  if (parameters.some((one) => isMethodParameter(decodeBytes(one.split('=', 1)[0] ?? ''))))
    return 'The query could change the method.';
  if (!/^\/[!-~]*$/.test(path) || /[\\#]/.test(path))
    return 'The path contains characters that must be encoded.';
  if (/%(?![0-9A-Fa-f]{2})/.test(bare)) return 'The path contains a malformed percent encoding.';
  const route = findDeclared(method, bare);
  const ambiguity = findPathAmbiguity(method, bare, route);
  if (ambiguity !== undefined || isReadRequest(method, bare)) return ambiguity;
  return findLengthFault(route === undefined ? path : path.slice(bare.length));
}

/**
 * Maximum length of the query of a write, or of the path of an unknown write. These determine what the write does, so a person must be able
 * to read them on one screen.
 */
const maxReadable = 1024;

/** Explains why a person cannot check a write; undefined if its query, or its path if the route is unknown, is short enough. */
export function findLengthFault(text: string): string | undefined {
  if (text.length <= maxReadable) return undefined;
  return `The query of a write, or the path of an unknown write, is longer than ${maxReadable} characters.`;
}

function findPathAmbiguity(
  method: string,
  path: string,
  route: DeclaredRoute | undefined,
): string | undefined {
  const pattern = route?.path.split('/') ?? [];
  const open = pattern.findIndex((part) => part.startsWith('*'));
  if (!isPercentEncodedUtf8(path)) return 'The path is not percent-encoded UTF-8.';
  const segments = path.split('/');
  for (const [index, segment] of segments.entries()) {
    if (index === 0) continue;
    // The segment belongs to the name of a key or an object. In such a name, encoding does not change the route, and empty segments are
    // allowed.
    const inName = open !== -1 && index >= open;
    if (segment === '' && (!inName || index === open)) return 'The path contains an empty segment.';
    const parts = decodeBytes(segment).split(/[/\\]/);
    if (parts.some((part) => part === '.' || part === '..')) return 'The path contains . or .. as a segment.';
    if (!inName && isAmbiguousSegment(segment))
      return 'The path contains an encoded character that must not be encoded, or that separates segments.';
    if (!inName && !hasPlainSpelling(segment, pattern[index] ?? segments[index - 1]))
      return `The id or name ${segment} must be spelled as the platform returns it.`;
  }
  const inLowerCase = findDeclared(method, path.toLowerCase());
  if (inLowerCase !== undefined && inLowerCase !== route)
    return 'The path matches another route if case is ignored.';
  return undefined;
}

/**
 * Matches the route parameters for ids of 32 hex digits without hyphens (length in the OpenAPI document) and, for unknown routes, the
 * segments that precede such ids.
 */
const plainIds = /^(?::(?:account|zone|namespace)|accounts|zones)$/;

/** Matches the route parameters that contain names. */
const names = /^:(?:bucket|script|secret|setting|environment)$/;

/** Matches the route parameters that contain names without capitals. */
const lowerCaseNames = /^:(?:bucket|setting)$/;

/**
 * Returns whether a segment has the platform's spelling of an id or name. A server that parses ids as UUIDs also accepts capitals and other
 * hyphens (RFC 9562, section 4), and often braces, spaces and a prefix. `parameter` is the parameter of the route or, if the route is
 * unknown, the previous segment.
 */
function hasPlainSpelling(segment: string, parameter = ''): boolean {
  if (names.test(parameter)) return !lowerCaseNames.test(parameter) || segment === segment.toLowerCase();
  if (!plainIds.test(parameter) && !parameter.startsWith(':')) return true;
  if (!/^[\w.-]+$/.test(segment)) return false;
  const isHex = /^(?:0x)?[0-9a-f]{32}$/i.test(segment.replaceAll('-', ''));
  if (!isHex || /^[0-9a-f]{32}$/.test(segment)) return true;
  return !plainIds.test(parameter) && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(segment);
}

/** Returns whether a string is percent-encoded UTF-8. */
export function isPercentEncodedUtf8(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether a server that decodes a segment before it looks up the route could find a different route. */
function isAmbiguousSegment(segment: string): boolean {
  const encoded = segment.match(/%[0-9A-Fa-f]{2}/g) ?? [];
  return (
    segment.includes(';') || encoded.some((code) => /[\w\-.~/\\;%\x00-\x1f\x7f]/.test(decodeBytes(code)))
  );
}

/** Decodes percent encoding byte by byte. */
function decodeBytes(text: string): string {
  return text.replace(/%[0-9A-Fa-f]{2}/g, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}
