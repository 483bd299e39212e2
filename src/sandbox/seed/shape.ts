import * as v from 'valibot';
import { formatVersions } from '../../model/formats.ts';
import {
  certificateAuthorities,
  certificateStatuses,
  hostnameStatuses,
  validationMethods,
} from '../../model/hostnames/hostname.ts';
import { acceptedJurisdictions, namespaceJurisdictions } from '../../model/jurisdiction.ts';
import { bucketLocations, storageClasses } from '../../model/objects/bucket.ts';
import { moduleContentTypes } from '../../model/workers/worker.ts';
import { zonePlans } from '../../model/zones/plan.ts';
import { accountSettingsShape, settingsShape } from './settings-shape.ts';

const about = v.description;
const text = v.string();
const id32 = v.pipe(text, v.regex(/^[0-9a-f]{32}$/, 'must be 32 lower-case hex digits'));
const optional = v.exactOptional;

/** A time: RFC 3339, or an offset from the time of loading. */
const moment = v.pipe(
  text,
  v.check(
    isMoment,
    'must be an RFC 3339 time such as 2026-11-20T10:00:00Z, or an offset from now: -41d, +3h',
  ),
  about('RFC 3339 time, or an offset from the time of loading: -41d, +90m'),
);

function isMoment(given: string): boolean {
  return /^[+-](?=\d)(?:\d{1,6}w)?(?:\d{1,6}d)?(?:\d{1,6}h)?(?:\d{1,6}m)?(?:\d{1,6}s)?$/.test(given)
    ? true
    : /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/.test(given) && Number.isFinite(Date.parse(given));
}

const base64 = v.pipe(v.boolean(), about('Whether the value is base64, for bytes that are not UTF-8'));
const jsonObject = v.record(text, v.unknown());

const key = v.strictObject({
  key: text,
  value: text,
  base64: optional(base64),
  metadata: optional(v.pipe(v.unknown(), about('Any JSON value, up to 1,024 bytes'))),
  expiration: optional(
    v.pipe(
      v.union([v.number(), moment], 'must be UNIX seconds, an RFC 3339 time, or an offset such as +3h'),
      about('UNIX seconds, an RFC 3339 time, or an offset such as +3h'),
    ),
  ),
  expiration_ttl: optional(v.pipe(v.number(), v.integer(), v.minValue(1), about('Seconds after loading'))),
});

const namespace = v.strictObject({
  title: v.pipe(text, v.nonEmpty('cannot be empty')),
  id: optional(v.pipe(id32, about('32 lower-case hex digits (default: a new id)'))),
  jurisdiction: optional(v.picklist(namespaceJurisdictions)),
  keys: optional(v.array(key)),
});

const object = v.strictObject({
  key: text,
  body: text,
  base64: optional(base64),
  http_metadata: optional(
    v.strictObject({
      contentType: optional(text),
      contentDisposition: optional(text),
      contentEncoding: optional(text),
      contentLanguage: optional(text),
      cacheControl: optional(text),
      cacheExpiry: optional(moment),
    }),
  ),
  custom_metadata: optional(v.record(text, text)),
  storage_class: optional(v.picklist(storageClasses)),
  checksum: optional(
    v.strictObject({
      algorithm: v.picklist(['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256']),
      type: v.picklist(['FULL_OBJECT', 'COMPOSITE']),
      value: text,
    }),
  ),
  ssec_key_md5: optional(text),
  uploaded: optional(moment),
});

const bucket = v.strictObject({
  name: text,
  location: optional(v.picklist(bucketLocations)),
  storage_class: optional(v.picklist(storageClasses)),
  jurisdiction: optional(v.picklist(acceptedJurisdictions)),
  created: optional(moment),
  objects: optional(v.array(object)),
});

const record = v.strictObject({
  type: text,
  name: v.pipe(text, about('Full name, or without the zone; @ is the zone itself')),
  content: optional(text),
  data: optional(
    v.pipe(jsonObject, about('Content fields of structured record types such as SRV, CAA and HTTPS')),
  ),
  priority: optional(v.number()),
  ttl: optional(v.pipe(v.number(), about('Seconds; 1 is automatic'))),
  proxied: optional(v.boolean()),
  comment: optional(v.nullable(text)),
  tags: optional(v.array(text)),
  settings: optional(jsonObject),
  id: optional(id32),
  created: optional(moment),
  modified: optional(moment),
});

const zone = v.strictObject({
  name: v.pipe(text, about("saas.sandbox is the sandbox's own zone, which always exists")),
  id: optional(id32),
  created: optional(moment),
  delegation: optional(v.pipe(text, v.regex(/^[0-9a-f]{16}$/, 'must be 16 lower-case hex digits'))),
  hold: optional(
    v.strictObject({
      hold: v.boolean(),
      include_subdomains: optional(v.boolean()),
      hold_after: optional(moment),
    }),
  ),
  fallback_origin: optional(v.pipe(text, about('A name in the zone that has a DNS record'))),
  fallback_created: optional(moment),
  fallback_updated: optional(moment),
  fallback_failed: optional(
    v.pipe(v.boolean(), about('Whether the platform failed to deploy the fallback origin')),
  ),
  plan: optional(v.pipe(v.picklist(zonePlans), about('Default: the plan of the sandbox'))),
  vanity_name_servers: optional(v.array(text)),
  settings: optional(v.pipe(jsonObject, about('Values by setting id: {"ssl": "strict"}'))),
  settings_modified: optional(v.record(text, moment)),
  records: optional(v.array(record)),
});

const certificate = v.strictObject({
  status: optional(v.picklist(certificateStatuses)),
  method: optional(v.picklist(validationMethods)),
  certificate_authority: optional(v.picklist(certificateAuthorities)),
  wildcard: optional(v.boolean()),
  branding: optional(
    v.pipe(v.boolean(), about("Use the provider's Common Name, for hostnames of more than 64 characters")),
  ),
  bundle_method: optional(text),
  settings: optional(jsonObject),
  uploaded_on: optional(moment),
  expires_on: optional(moment),
  validity: optional(
    v.pipe(
      v.picklist(['expired', 'not_yet_valid']),
      about('Fault in the certificate that the edge serves, regardless of the dates in the record'),
    ),
  ),
  validation_errors: optional(v.array(text)),
});

/** A hostname with its internal state in a sandbox, as written by a snapshot. All other fields are used unchanged. */
const savedHostname = v.looseObject({
  state: v.looseObject({
    record: v.looseObject({ id: text, hostname: text, status: v.picklist(hostnameStatuses) }),
    track: v.looseObject({ attempts: v.number(), nextCheckAt: v.number(), everPointedHere: v.boolean() }),
    seed: text,
    delegation: text,
  }),
  activatedAt: optional(v.number()),
  keyed: optional(v.strictObject({ certificate: text, privateKey: text })),
});

const hostname = v.strictObject({
  hostname: text,
  zone: optional(v.pipe(text, about("Name of the zone (default: the sandbox's own zone)"))),
  status: optional(v.pipe(v.picklist(hostnameStatuses), about('Initial status (default: pending)'))),
  created_at: optional(
    v.pipe(moment, about('Time of creation (RFC 3339; default: moved_at, or else the time of loading)')),
  ),
  moved_at: optional(
    v.pipe(moment, about('Time at which the status became moved; the hostname is deleted seven days later')),
  ),
  verification_errors: optional(v.array(text)),
  custom_origin_server: optional(text),
  custom_origin_sni: optional(text),
  custom_metadata: optional(jsonObject),
  ssl: optional(v.nullable(certificate)),
  kept: optional(
    v.pipe(
      savedHostname,
      about(
        'The complete state, as written by sandbox snapshot save; replaces all fields except hostname and zone',
      ),
    ),
  ),
});

const binding = v.variant('type', [
  v.strictObject({ type: v.literal('plain_text'), name: text, text }),
  v.strictObject({ type: v.literal('secret_text'), name: text, text }),
  v.strictObject({ type: v.literal('json'), name: text, json: v.unknown() }),
  v.strictObject({
    type: v.literal('kv_namespace'),
    name: text,
    namespace: v.pipe(text, about('Title or id of a namespace')),
  }),
  v.strictObject({
    type: v.literal('r2_bucket'),
    name: text,
    bucket_name: text,
    jurisdiction: optional(v.pipe(text, about('Jurisdiction of the bucket'))),
  }),
]);

const kinds = Object.keys(moduleContentTypes) as (keyof typeof moduleContentTypes)[];

const worker = v.strictObject({
  name: text,
  code: optional(v.pipe(text, about('A single ES module; for several, use modules'))),
  modules: optional(
    v.array(v.strictObject({ name: text, kind: v.picklist(kinds), content: text, base64: optional(base64) })),
  ),
  format: optional(v.picklist(['modules', 'script'])),
  entry: optional(v.pipe(text, about('Name of the module that runs (default: the first module)'))),
  compatibility_date: optional(text),
  compatibility_flags: optional(v.array(text)),
  bindings: optional(v.array(binding)),
  routed: optional(
    v.pipe(v.boolean(), about('Whether the worker answers at its own hostname (default: true)')),
  ),
});

const dnsEntry = v.strictObject({
  name: text,
  type: text,
  contents: v.array(text),
  ttl: optional(v.number()),
});

const data = {
  namespaces: optional(v.array(namespace)),
  buckets: optional(v.array(bucket)),
  workers: optional(v.array(worker)),
  zones: optional(v.array(zone)),
  hostnames: optional(v.array(hostname)),
};

const account = v.strictObject({
  name: v.pipe(text, v.nonEmpty('cannot be empty')),
  id: optional(
    v.pipe(
      id32,
      about('32 lower-case hex digits (default: a new id). The id of the first account cannot be set'),
    ),
  ),
  ...data,
  settings: optional(accountSettingsShape),
});

/** The data to fill a sandbox with. All fields are optional. */
export const seedShape = v.strictObject({
  $schema: optional(v.pipe(text, about('Location of this schema, for editors'))),
  version: optional(v.pipe(v.literal(formatVersions.seed), about('Version of this format (default: 1)'))),
  ...data,
  accounts: optional(
    v.pipe(
      v.array(account),
      about(
        "The first account is the sandbox's own account; it also contains the data that is specified outside the accounts",
      ),
    ),
  ),
  dns: optional(v.pipe(v.array(dnsEntry), about("Customers' DNS records, as in sandbox dns set"))),
  settings: optional(
    v.pipe(
      settingsShape,
      about('Clock, authorities and other settings, as written by sandbox snapshot save'),
    ),
  ),
});
