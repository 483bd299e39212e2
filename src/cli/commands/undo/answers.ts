import {
  anyOf,
  anything,
  bool,
  count,
  list,
  map,
  number,
  object,
  oneOf,
  only,
  optional,
  text,
  texts,
  time,
} from '../../../model/shape.ts';
import { value } from '../../output/answer-shape.ts';

/** The field of changes that saved the old state. */
export const undoId = optional(text('Undo entry with the old state; absent if none was saved'));

const zoneId = text('Id of the zone');

const where = anyOf([
  object({
    kind: only('remote', 'A platform'),
    profile: optional(text('Profile that acted; absent if it was the environment')),
    baseUrl: text('Base URL of its API'),
  }),
  object({
    kind: oneOf(['sandbox', 'local'], 'The embedded platform, or local data'),
    folder: text('Where the data lie'),
    baseUrl: optional(text('Where a server answered for them')),
  }),
]);

const thing = anyOf([
  object({
    kind: only('value', "A key's value"),
    namespaceId: text('Id of the namespace'),
    key: text('The key'),
    expiration: optional(time('When the key was to expire')),
    metadata: optional(anything('Its metadata')),
  }),
  object({
    kind: only('object', 'An object'),
    bucket: text('Name of the bucket'),
    key: text('Key of the object'),
    etag: text('Of its bytes'),
    httpMetadata: map(anyOf([text('Text'), number('Milliseconds since the epoch')]), 'Headers by name'),
    customMetadata: map(text('Its value'), 'Custom metadata, by name'),
    storageClass: optional(text('Standard, InfrequentAccess, …')),
  }),
  object({
    kind: only('hostname', 'The settings of a custom hostname'),
    zoneId,
    hostname: text('The hostname'),
    method: optional(text('How control was proved')),
    authority: optional(text('Who issued the certificate')),
    wildcard: optional(bool('Whether *.hostname was in the certificate')),
    settings: optional(
      object({
        http2: optional(text('on or off')),
        tls_1_3: optional(text('on or off')),
        min_tls_version: optional(text('1.0 to 1.3')),
        early_hints: optional(text('on or off')),
        ciphers: optional(texts('Names of ciphers')),
      }),
    ),
    minimumTls: optional(text('In entries of older versions, instead of settings')),
    uploaded: optional(bool("Its certificate was the customer's own")),
    origin: optional(text('Custom origin')),
    originSni: optional(text('Name in TLS to that origin')),
    metadata: optional(map(anything('Its value'), 'Metadata by name')),
  }),
  object({
    kind: only('dns-record', 'A DNS record'),
    zoneId,
    recordId: text('Id that it had'),
    type: text('A, CNAME, …'),
    name: text('The whole name'),
    content: text('Address, target or text'),
    proxied: optional(bool('Whether requests went through the platform')),
    ttl: optional(count('Seconds; 1 is automatic')),
    besides: optional(map(anything('As the platform had it'), 'Its other fields')),
  }),
  object({
    kind: only('fallback-origin', 'The fallback origin of a zone'),
    zoneId,
    origin: text('Name of the origin'),
  }),
]);

const entry = object({
  id: text('8 hexadecimal digits'),
  at: time('When it was deleted or replaced'),
  by: optional(oneOf(['person', 'script'], 'Who made the change; absent in entries of older versions')),
  did: oneOf(['deleted', 'replaced', 'restored'], 'What happened; restored: by putting an earlier one back'),
  where,
  accountId: text('Id of the account'),
  target: oneOf(
    ['production', 'preview', 'local', 'sandbox'],
    'Which data: production or preview of an account, local data, or those of a sandbox',
  ),
  thing,
  size: count('Bytes saved with it'),
  sha256: text('SHA-256 of these bytes'),
  left: anyOf([
    only('nothing', 'The change left nothing there'),
    object({ mark: text('What it left there is known by this') }),
  ]),
});

export const undoAnswers = {
  'undo list': value(list(entry, 'What is kept, the newest first')),
  'undo show': value(entry, 'With --value, the saved bytes.'),
  'undo restore': value(
    object({
      id: text('Of the entry'),
      restored: only(true, 'It is back'),
      target: text('Where it was done, in words'),
    }),
  ),
  'undo purge': value(object({ purged: count('Entries that were forgotten') })),
} as const;
