import {
  bool,
  count,
  map,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Shape,
  text,
  texts,
  time,
} from '../shape.ts';
import type { Fault, FaultRate } from './fault.ts';
import type { LoggedRequest } from './logged-request.ts';
import type { Ready } from './ready.ts';
import type { SeedDns } from './seed.ts';

/** A DNS entry of a customer in a sandbox. */
export const dnsEntry: Shape<SeedDns> = object({
  name: text('DNS name'),
  type: text('Record type, or SERVFAIL, REFUSED, TIMEOUT, NXDOMAIN, BOGUS'),
  ttl: optional(count('TTL in seconds')),
  contents: texts('Contents; for a failure, the record types that it affects (empty: all)'),
});

/** The sandbox's clock. */
export const clock = object({
  now: time("Current time of the sandbox's clock"),
  offsetSeconds: number('Seconds by which the clock is ahead of this machine'),
});

const folder = text('Folder of the sandbox');
const pid = count('Process id of the server');
const apiBaseUrl = text('Base URL of the v4 API');

export const sandboxStatus = object({
  folder,
  running: bool('Whether a server is running'),
  pid: optional(pid),
  apiBaseUrl: optional(apiBaseUrl),
});

type Addresses = Omit<Ready, 'apiToken' | 'email' | 'apiKey' | 's3AccessKeyId' | 's3SecretAccessKey'>;

// The library documents the types of DNS entries, addresses, faults and requests. The compiler checks that these shapes match the types.

/** The fields of a running sandbox, without its credentials. */
export const addressFields = {
  apiBaseUrl,
  accountId: text('Account ID'),
  zoneId: text("Id of the sandbox's own zone"),
  edgeUrl: text('Base URL of deployed workers and custom hostnames'),
  edgeTlsUrl: text('Base URL of deployed workers and custom hostnames over TLS'),
  dns: text('Address and port of the DNS server'),
  s3Endpoint: text('S3 API endpoint'),
  proxyUrl: optional(text('Proxy for clients that can only use api.cloudflare.com; absent unless requested')),
  caFile: optional(text("File with the certificate of the proxy's authority; absent unless requested")),
  caBundleFile: optional(
    text("File with this machine's certificate authorities and the proxy's; absent unless requested"),
  ),
  pid,
  folder,
} satisfies { readonly [Name in keyof Required<Addresses>]: Shape<Addresses[Name]> };

const faultRate: Shape<FaultRate> = object({
  requests: count('Number of requests'),
  seconds: count('Period in seconds'),
  per: oneOf(['path', 'token'], 'Whether requests are counted per path or per token'),
});

/** A fault. `docs/sandbox.md` describes the effects of faults. Effects can be combined; a delay comes first. */
export const fault: Shape<Fault> = object({
  id: text('Id, for sandbox fault clear'),
  match: text('Method and path glob of affected requests'),
  met: count('Number of affected requests'),
  status: optional(count('HTTP status of the response')),
  retryAfter: optional(count('Retry-After of the response, in seconds')),
  latency: optional(count('Delay in milliseconds')),
  jitter: optional(count('Maximum additional random delay in milliseconds')),
  cut: optional(oneOf(['before', 'in', 'after'], 'When the connection is dropped')),
  body: optional(oneOf(['truncated', 'wrong', 'empty', 'html'], 'Replacement of the response body')),
  unsuccessfulKeys: optional(number('Share of keys in a bulk request that are not changed, 0 to 1')),
  stale: optional(count('Seconds for which reads return earlier responses')),
  pageSize: optional(count('Maximum number of rows per page')),
  rate: optional(faultRate),
  share: optional(number('Share of matching requests that are affected, 0 to 1')),
  times: optional(count('Number of requests after which the fault ends')),
  seed: optional(number('Seed of the random choices')),
});

/** A request that a sandbox's server has answered, or whose connection it dropped. */
export const loggedRequest: Shape<LoggedRequest> = object({
  number: count('Number of the request, starting at 1, in the order in which requests ended'),
  time: time('When the request arrived'),
  api: oneOf(['v4', 's3'], 'v4: the v4 API; s3: the S3 API of the buckets'),
  method: text('HTTP method'),
  path: text('Path below /client/v4, percent-encoded; for the S3 API, /bucket/key'),
  query: text('Query without the question mark and the signature; empty if there is none'),
  status: nullable(count('HTTP status; null if the connection was dropped')),
  route: nullable(text('Pattern of the route that answered, or S3 API operation; null if there is none')),
  rule: nullable(text('Why the response differs from the usual one; null if it does not')),
  notes: texts('Ignored parts of the request'),
  milliseconds: number('Milliseconds until the response was ready'),
  requestHeaders: map(text('Value of the header'), 'Request headers by lower-case name, without credentials'),
  answerHeaders: map(text('Value of the header'), 'Response headers by lower-case name'),
  requestBody: optional(text('Start of the request body, if it is text')),
  answerBody: optional(text('Start of the response body, if it is text')),
});
