import {
  bool,
  count,
  list,
  map,
  nullable,
  number,
  object,
  oneOf,
  only,
  optional,
  text,
  texts,
  time,
} from '../../../model/shape.ts';
import { lines, noJson, value } from '../../output/answer-shape.ts';

const folder = text('Folder of the sandbox');
const file = text('The file');

const addresses = {
  apiBaseUrl: text('Base URL of the v4 API'),
  accountId: text('Its account'),
  zoneId: text('Its zone'),
  edgeUrl: text('Where deployed workers and custom hostnames answer'),
  edgeTlsUrl: text('The same over TLS'),
  dns: text('Address and port of its DNS'),
  s3Endpoint: text('Where its buckets answer as S3'),
  proxyUrl: optional(text('The proxy for clients that know one host only; with --proxy')),
  caFile: optional(text("The certificate of the proxy's authority; with --proxy")),
  caBundleFile: optional(text("The same behind this machine's own authorities; with --proxy")),
  pid: count('Process of the server'),
  folder,
};
const credential = (about: string) => optional(text(`${about}; left out with --quiet and --ready-file`));

const dnsEntry = object({
  name: text('The name'),
  type: text('Type of the record; or SERVFAIL, REFUSED, TIMEOUT, NXDOMAIN, BOGUS'),
  ttl: optional(count('Seconds')),
  contents: texts('Of a failure, the types that it concerns; none for all'),
});

const fault = object({
  id: text('By which it is ended'),
  match: text('Method and glob of the path that it meets'),
  met: count('Requests that it has met'),
  status: optional(count('HTTP status that it answers with')),
  retryAfter: optional(count('Seconds in Retry-After')),
  latency: optional(count('Milliseconds that it waits')),
  jitter: optional(count('Up to so many milliseconds more')),
  cut: optional(oneOf(['before', 'in', 'after'], 'When it cuts the connection')),
  body: optional(oneOf(['truncated', 'wrong', 'empty', 'html'], 'In the place of the body')),
  unsuccessfulKeys: optional(number('Share of the keys of a bulk change that are not taken, 0 to 1')),
  stale: optional(count('Seconds for which what was read is read again')),
  pageSize: optional(count('Rows on a page at most')),
  rate: optional(
    object({
      requests: count('So many'),
      seconds: count('In so many seconds'),
      per: oneOf(['path', 'token'], 'Counted for each of these'),
    }),
  ),
  share: optional(number('Share of the requests that it meets, 0 to 1')),
  times: optional(count('Requests after which it is over')),
  seed: optional(number('By which chance is repeated')),
});

const request = object({
  number: count('In the order in which they ended, from 1'),
  time: time('When it came'),
  api: oneOf(['v4', 's3'], 'The v4 API, or the S3 API of its buckets'),
  method: text('GET, …'),
  path: text('Below /client/v4, percent-encoded; of the S3 API /bucket/key'),
  query: text('Without the question mark, and without a signature; empty when there is none'),
  status: nullable(count('HTTP status; null where the connection was cut')),
  route: nullable(
    text('Pattern of the route that answered, or operation of the S3 API; null where there is none'),
  ),
  rule: nullable(text('Why the answer is another one than usual; null where nothing made it so')),
  notes: texts('Parts of the request that were passed over'),
  milliseconds: number('Until the answer was ready'),
  requestHeaders: map(text('Its value'), 'Lower-case names; credentials are left out'),
  answerHeaders: map(text('Its value'), 'Lower-case names'),
  requestBody: optional(text('The beginning of a body of text')),
  answerBody: optional(text('The beginning of a body of text')),
});

const clock = object({
  now: time('What the clock of the sandbox shows'),
  offsetSeconds: number('By how much it runs ahead of this machine'),
});

export const sandboxAnswers = {
  demo: noJson('The console; without a terminal, a tour.'),
  'sandbox start': value(
    object({
      ...addresses,
      apiToken: credential('Token'),
      email: credential('E-mail that goes with apiKey'),
      apiKey: credential('Key'),
      s3AccessKeyId: credential('For clients of S3'),
      s3SecretAccessKey: credential('For clients of S3'),
    }),
    'As soon as it answers; it runs on until Ctrl-C.',
  ),
  'sandbox status': value(
    object({
      folder,
      running: bool('Whether a server runs on it'),
      pid: optional(count('Process of the server')),
      apiBaseUrl: optional(text('Base URL of the v4 API')),
    }),
  ),
  'sandbox reset': value(object({ folder, reset: only(true, 'All data are removed') })),
  'sandbox dns set': value(dnsEntry),
  'sandbox dns unset': value(
    object({
      name: text('The name'),
      type: optional(text('The type that was named')),
      removed: count('Entries that were taken away'),
    }),
  ),
  'sandbox dns list': value(list(dnsEntry, 'DNS of customers')),
  'sandbox record': value(
    object({ file }),
    'A FILE of - is written to standard output: a seed, as seed.json says.',
  ),
  'sandbox snapshot save': value(
    object({ file }),
    'A FILE of - is written to standard output: a seed, as seed.json says.',
  ),
  'sandbox snapshot load': value(
    object({ file, folder, loaded: map(count('So many'), 'Things that were loaded, by their kind') }),
  ),
  'sandbox exec': noJson('What the command writes.'),
  'sandbox requests': lines(request, 'A request on each line; with --follow, as they come.'),
  'sandbox fault add': value(fault),
  'sandbox fault list': value(list(fault, 'Faults that are set')),
  'sandbox fault clear': value(object({ cleared: count('Faults that were ended') })),
  'sandbox clock advance': value(clock),
  'sandbox clock show': value(clock),
} as const;
