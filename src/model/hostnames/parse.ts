import * as v from 'valibot';
import { jsonRecord } from '../json-record.ts';
import { Problem } from '../problem.ts';
import { explainShapeFault } from '../shape-fault.ts';
import type { FallbackOrigin, HostnameQuota, ZoneHold } from '../zones/zone.ts';
import type { CustomHostname } from './hostname.ts';

/** Returns a schema for a field whose values may differ on newer platforms. An unreadable value counts as absent. */
function lenient<S extends v.GenericSchema>(schema: S) {
  return v.optional(v.fallback(v.union([schema, v.undefined()]), undefined));
}

const text = lenient(v.string());
const texts = lenient(v.array(v.string()));

const validation = v.object({
  status: text,
  txt_name: text,
  txt_value: text,
  http_url: text,
  http_body: text,
  cname: text,
  cname_target: text,
  emails: texts,
});

const settings = v.object({
  http2: text,
  tls_1_3: text,
  min_tls_version: text,
  early_hints: text,
  ciphers: texts,
});

const certificate = v.object({
  id: text,
  status: text,
  type: text,
  method: text,
  certificate_authority: text,
  wildcard: lenient(v.boolean()),
  bundle_method: text,
  settings: lenient(settings),
  validation_records: lenient(v.array(validation)),
  validation_errors: lenient(v.array(v.object({ message: v.string() }))),
  dcv_delegation_records: lenient(v.array(validation)),
  custom_certificate: text,
  custom_csr_id: text,
  hosts: texts,
  issuer: text,
  serial_number: text,
  signature: text,
  uploaded_on: text,
  expires_on: text,
});

const customHostname = v.object({
  id: v.string(),
  hostname: v.string(),
  status: text,
  verification_errors: texts,
  ownership_verification: lenient(v.object({ type: text, name: text, value: text })),
  ownership_verification_http: lenient(v.object({ http_url: text, http_body: text })),
  custom_origin_server: text,
  custom_origin_sni: text,
  custom_metadata: lenient(jsonRecord()),
  created_at: text,
  ssl: lenient(certificate),
});

/**
 * Parses a custom hostname in a platform's response. Unknown statuses and authorities are kept; fields of an undocumented type count as
 * absent. Throws `refused` if the response has no id or hostname.
 */
export function parseCustomHostname(value: unknown): CustomHostname {
  return compact(read(customHostname, value, 'a custom hostname')) as CustomHostname;
}

const noOrigin = v.union([v.null(), v.undefined(), v.strictObject({})]);
const fallbackOrigin = v.object({
  origin: v.nullable(v.string()),
  status: text,
  errors: texts,
  created_at: text,
  updated_at: text,
});

/**
 * Parses a fallback origin. Returns undefined if none is set; the platform may then return an empty object. Rejects other data without an
 * origin.
 */
export function parseFallbackOrigin(value: unknown): FallbackOrigin | undefined {
  if (!Array.isArray(value) && v.is(noOrigin, value)) return undefined;
  const { origin, ...rest } = v.parse(fallbackOrigin, value);
  return origin === null || origin === '' ? undefined : (compact({ origin, ...rest }) as FallbackOrigin);
}

/** Parses the custom hostname quota of a zone. */
export function parseQuota(value: unknown): HostnameQuota {
  const count = lenient(v.number());
  const schema = v.object({
    allocated: v.number(),
    used: v.number(),
    exceeded: lenient(v.boolean()),
    hard_cap: count,
  });
  return compact(read(schema, value, 'a quota')) as HostnameQuota;
}

const zoneHold = v.object({
  hold: v.boolean(),
  hold_after: text,
  include_subdomains: lenient(v.union([v.boolean(), v.string()])),
});

/**
 * Parses a zone hold. `include_subdomains` is a string in the documents and a boolean elsewhere, and both are accepted.
 * `include_subdomains` and `hold_after` may be absent. Rejects a response without `hold`.
 */
export function parseZoneHold(value: unknown): ZoneHold {
  const { hold, hold_after, include_subdomains } = v.parse(zoneHold, value);
  const after = hold_after === undefined ? Number.NaN : Date.parse(hold_after);
  return {
    hold,
    includeSubdomains: include_subdomains === true || include_subdomains === 'true',
    ...(Number.isFinite(after) && !hold && { holdAfter: after }),
  };
}

function read<S extends v.GenericSchema>(schema: S, value: unknown, what: string): v.InferOutput<S> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  throw new Problem('refused', `The platform's response is not ${what}: ${explainShapeFault(result)}.`);
}

/** Removes undefined fields, so that an absent field has only one form. */
function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compact);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(entries.map(([name, field]) => [name, compact(field)]));
}
