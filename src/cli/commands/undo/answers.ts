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

/** The answer field of changes that save the old state. */
export const undoId = optional(text('Undo entry with the old state; absent if none was saved'));

const zoneId = text('Id of the zone');

const where = anyOf([
  object({
    kind: only('remote', 'A platform'),
    profile: optional(text('Profile that was used; absent if credentials came from the environment')),
    baseUrl: text("Base URL of the platform's API"),
  }),
  object({
    kind: oneOf(['sandbox', 'local'], 'The embedded platform, or local data'),
    folder: text('Folder that contains the data'),
    baseUrl: optional(text('Base URL of the server, if a server was used')),
  }),
]);

const thing = anyOf([
  object({
    kind: only('value', "A key's value"),
    namespaceId: text('Id of the namespace'),
    key: text('The key'),
    expiration: optional(time('Expiry of the key')),
    metadata: optional(anything('Metadata of the key')),
  }),
  object({
    kind: only('object', 'An object'),
    bucket: text('Name of the bucket'),
    key: text('Key of the object'),
    etag: text('Etag of the object'),
    httpMetadata: map(
      anyOf([text('A header value'), number('Milliseconds since the UNIX epoch')]),
      'Headers by name',
    ),
    customMetadata: map(text('A value'), 'Custom metadata, by name'),
    storageClass: optional(text('Standard, InfrequentAccess, …')),
  }),
  object({
    kind: only('hostname', 'The settings of a custom hostname'),
    zoneId,
    hostname: text('The hostname'),
    method: optional(text('Validation method')),
    authority: optional(text('Certificate authority')),
    wildcard: optional(bool('Whether the certificate included *.hostname')),
    settings: optional(
      object({
        http2: optional(text('on or off')),
        tls_1_3: optional(text('on or off')),
        min_tls_version: optional(text('1.0 to 1.3')),
        early_hints: optional(text('on or off')),
        ciphers: optional(texts('Cipher names')),
      }),
    ),
    minimumTls: optional(
      text('Minimum TLS version; only in entries written by an older edgectl, which have no settings'),
    ),
    uploaded: optional(bool("Whether the customer's own certificate was uploaded")),
    origin: optional(text('Custom origin server')),
    originSni: optional(text('SNI for TLS to the custom origin')),
    metadata: optional(map(anything('The value'), 'Metadata by name')),
  }),
  object({
    kind: only('dns-record', 'A DNS record'),
    zoneId,
    recordId: text('Id of the record before the change'),
    type: text('Record type, such as A or CNAME'),
    name: text('Full name of the record'),
    content: text('Content: an address, a hostname or text'),
    proxied: optional(bool('Whether the record was proxied')),
    ttl: optional(count('TTL in seconds; 1 means automatic')),
    besides: optional(map(anything('Value as the platform reported it'), 'Other fields of the record')),
  }),
  object({
    kind: only('fallback-origin', 'The fallback origin of a zone'),
    zoneId,
    origin: text('Hostname of the origin'),
  }),
  object({
    kind: only('batch', 'Several items that one request through a guard deleted or replaced'),
    of: oneOf(['value', 'object'], 'Kind of the items'),
    within: text('Id of the namespace, or name of the bucket'),
    count: count('Number of items'),
    first: texts('The first keys'),
  }),
]);

const entry = object({
  id: text('8 hexadecimal digits'),
  at: time('When the change was made'),
  by: optional(
    oneOf(['person', 'script'], 'Who made the change; absent in entries written by an older edgectl'),
  ),
  client: optional(text('Program whose request a guard forwarded')),
  did: oneOf(
    ['deleted', 'replaced', 'restored'],
    'What happened to the saved state; restored: replaced by undo restore',
  ),
  where,
  accountId: text('Id of the account'),
  target: oneOf(
    ['production', 'preview', 'local', 'sandbox'],
    'Data that was changed: production or preview of an account, local data, or a sandbox',
  ),
  thing,
  size: count('Number of saved bytes'),
  sha256: text('SHA-256 of the saved bytes'),
  left: anyOf([
    only('nothing', 'Nothing existed after the change'),
    object({ mark: text('Identifies the state after the change') }),
  ]),
});

export const undoAnswers = {
  'undo list': value(list(entry, 'Undo entries, newest first')),
  'undo show': value(
    entry,
    'With --value, the saved bytes, or for several values a list that kv bulk put can read.',
  ),
  'undo restore': value(
    object({
      id: text('Id of the undo entry'),
      restored: only(true, 'The old state was restored'),
      target: text('Description of where the command acted'),
    }),
  ),
  'undo purge': value(
    object({
      purged: count('Number of deleted undo entries'),
      newer: optional(count('Number of undo entries that were kept because a newer edgectl wrote them')),
    }),
  ),
} as const;
