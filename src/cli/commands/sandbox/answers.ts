import { dnsEntry, fault, loggedRequest } from '../../../model/sandbox/traffic-shape.ts';
import { bool, count, list, map, number, object, only, optional, text, time } from '../../../model/shape.ts';
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
const credential = (about: string) => optional(text(`${about}; absent with --quiet and --ready-file`));

const clock = object({
  now: time('What the clock of the sandbox shows'),
  offsetSeconds: number('By how much it runs ahead of this machine'),
});

export const sandboxAnswers = {
  demo: noJson('The console, or a tour without a terminal.'),
  'sandbox start': value(
    object({
      ...addresses,
      apiToken: credential('Token'),
      email: credential('E-mail that goes with apiKey'),
      apiKey: credential('Key'),
      s3AccessKeyId: credential('For clients of S3'),
      s3SecretAccessKey: credential('For clients of S3'),
    }),
    'Printed when the server is ready; it runs until Ctrl-C.',
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
      removed: count('Entries that were removed'),
    }),
  ),
  'sandbox dns list': value(list(dnsEntry, 'DNS of customers')),
  'sandbox record': value(
    object({ file }),
    'If FILE is -, the seed goes to standard output; its schema is seed.json.',
  ),
  'sandbox snapshot save': value(
    object({ file }),
    'If FILE is -, the seed goes to standard output; its schema is seed.json.',
  ),
  'sandbox snapshot load': value(
    object({ file, folder, loaded: map(count('So many'), 'Things that were loaded, by their kind') }),
  ),
  'sandbox exec': noJson('The output of the command.'),
  'sandbox requests': lines(loggedRequest, 'One request per line; with --follow, as they arrive.'),
  'sandbox fault add': value(fault),
  'sandbox fault list': value(list(fault, 'Faults that are set')),
  'sandbox fault clear': value(object({ cleared: count('Faults that were ended') })),
  'sandbox clock advance': value(clock),
  'sandbox clock show': value(clock),
} as const;
