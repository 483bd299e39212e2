import {
  addressFields,
  clock,
  dnsEntry,
  fault,
  loggedRequest,
  sandboxStatus,
} from '../../../model/sandbox/sandbox-shape.ts';
import { count, list, map, object, only, optional, text } from '../../../model/shape.ts';
import { lines, noJson, value } from '../../output/answer-shape.ts';

const { folder } = addressFields;
const file = text('The file');
const credential = (about: string) => optional(text(`${about}; absent with --quiet and --ready-file`));

export const sandboxAnswers = {
  demo: noJson('The console, or a text tour if there is no terminal.'),
  'sandbox start': value(
    object({
      ...addressFields,
      apiToken: credential('API token'),
      email: credential('Email address for apiKey'),
      apiKey: credential('API key'),
      s3AccessKeyId: credential('Access key id for S3 clients'),
      s3SecretAccessKey: credential('Secret access key for S3 clients'),
    }),
    'Printed when the server is ready. The server runs until Ctrl-C.',
  ),
  'sandbox status': value(sandboxStatus),
  'sandbox reset': value(object({ folder, reset: only(true, 'All data was deleted') })),
  'sandbox dns set': value(dnsEntry),
  'sandbox dns unset': value(
    object({
      name: text('The name'),
      type: optional(text('The record type, if given')),
      removed: count('Number of record sets and failures that were removed'),
    }),
  ),
  'sandbox dns list': value(
    list(dnsEntry, "Customers' DNS records and failures, one entry per name and type"),
  ),
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
