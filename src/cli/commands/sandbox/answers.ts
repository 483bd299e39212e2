import { dnsEntry, fault, loggedRequest } from '../../../model/sandbox/traffic-shape.ts';
import { bool, count, list, map, number, object, only, optional, text, time } from '../../../model/shape.ts';
import { lines, noJson, value } from '../../output/answer-shape.ts';

const folder = text('Folder of the sandbox');
const file = text('The file');

const addresses = {
  apiBaseUrl: text('Base URL of the v4 API'),
  accountId: text('Account ID'),
  zoneId: text("ID of the sandbox's own zone"),
  edgeUrl: text('Base URL of deployed workers and custom hostnames'),
  edgeTlsUrl: text('Base URL of the same over TLS'),
  dns: text('Address and port of its DNS'),
  s3Endpoint: text('Endpoint of the S3 API'),
  proxyUrl: optional(text('Proxy for clients that only know api.cloudflare.com; with --proxy')),
  caFile: optional(text("File with the certificate of the proxy's authority; with --proxy")),
  caBundleFile: optional(text("File with this machine's authorities and that of the proxy; with --proxy")),
  pid: count('Process ID of the server'),
  folder,
};
const credential = (about: string) => optional(text(`${about}; absent with --quiet and --ready-file`));

const clock = object({
  now: time("Time of the sandbox's clock"),
  offsetSeconds: number('Seconds by which it is ahead of this machine'),
});

export const sandboxAnswers = {
  demo: noJson('The console, or a tour without a terminal.'),
  'sandbox start': value(
    object({
      ...addresses,
      apiToken: credential('Token'),
      email: credential('E-mail address for apiKey'),
      apiKey: credential('Key'),
      s3AccessKeyId: credential('Credential for S3 clients'),
      s3SecretAccessKey: credential('Credential for S3 clients'),
    }),
    'Printed when the server is ready; it runs until Ctrl-C.',
  ),
  'sandbox status': value(
    object({
      folder,
      running: bool('Whether a server is running'),
      pid: optional(count('Process ID of the server')),
      apiBaseUrl: optional(text('Base URL of the v4 API')),
    }),
  ),
  'sandbox reset': value(object({ folder, reset: only(true, 'All data was deleted') })),
  'sandbox dns set': value(dnsEntry),
  'sandbox dns unset': value(
    object({
      name: text('The name'),
      type: optional(text('The record type, if given')),
      removed: count('Number of removed entries'),
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
    object({ file, folder, loaded: map(count('Number of items'), 'Loaded items by kind') }),
  ),
  'sandbox exec': noJson('The output of the command.'),
  'sandbox requests': lines(loggedRequest, 'One request per line; with --follow, as they arrive.'),
  'sandbox fault add': value(fault),
  'sandbox fault list': value(list(fault, 'All faults')),
  'sandbox fault clear': value(object({ cleared: count('Number of removed faults') })),
  'sandbox clock advance': value(clock),
  'sandbox clock show': value(clock),
} as const;
