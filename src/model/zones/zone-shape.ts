import { bool, number, object, oneOf, optional, text, texts } from '../shape.ts';

/** A zone of the account, as the platform reports it. `status` can be any string, because newer platforms may have other values. */
export const zone = object({
  id: text('Id of the zone: 32 hexadecimal digits'),
  name: text('The domain'),
  status: optional(text('Status of the zone: active, pending, or another status that the platform defines')),
  paused: optional(bool('Whether the zone is paused, so that its requests are not proxied')),
});

export const zoneDnsRecordFields = {
  id: text('Id of the record: 32 hexadecimal digits'),
  type: text('Record type: A, AAAA, CNAME, TXT, CAA, …'),
  name: text('Full name of the record'),
  content: text('Address, target or text'),
  proxied: optional(bool('Whether the platform proxies requests')),
  ttl: optional(number('TTL in seconds; 1 means automatic')),
};

/** A DNS record of the account's own zone, as the platform reports it. */
export const zoneDnsRecord = object(zoneDnsRecordFields);

/** The fields of a record that was set: whether it was created or changed, and the old state of a changed record. */
export const setRecordFields = {
  outcome: oneOf(['made', 'changed', 'there'], 'made: created; changed: modified; there: unchanged'),
  record: zoneDnsRecord,
  before: optional(zoneDnsRecord),
};

const platformTime = (about: string) => optional(text(`${about}, RFC 3339, as the platform reports it`));

export const fallbackOriginFields = {
  origin: text('Hostname of the origin'),
  status: optional(
    text('Status of the origin: active, initializing, or another status that the platform defines'),
  ),
  errors: optional(texts('Errors that the platform reports')),
  created_at: platformTime('When the fallback origin was set'),
  updated_at: platformTime('When the fallback origin was last changed'),
};

/** The origin that serves custom hostnames without a custom origin. `status` can be any string. */
export const fallbackOrigin = object(fallbackOriginFields);

/** The number of custom hostnames that a zone may have. */
export const hostnameQuota = object({
  allocated: number('Custom hostname quota of the zone'),
  used: number('Number of custom hostnames in the zone'),
  exceeded: optional(bool('Whether the quota is exceeded')),
  hard_cap: optional(number('Hard limit on the number of custom hostnames')),
});
