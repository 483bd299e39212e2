import * as v from 'valibot';
import { originFaults, tlsModes } from '../hostnames/origins.ts';
import { inactiveStates } from '../zones/states.ts';

const text = v.string();
const optional = v.exactOptional;
const whole = v.pipe(v.number(), v.safeInteger('is not a whole number'));

/** The certificate and key of a sandbox's authority. */
const authority = v.strictObject({ certificate: text, privateKey: text });

const origin = v.strictObject({
  port: optional(v.pipe(whole, v.minValue(1), v.maxValue(65_535))),
  tls: optional(v.picklist(tlsModes)),
  authority: optional(text),
  fault: optional(v.picklist(originFaults)),
});

const edgeRule = v.strictObject({
  host: text,
  path: text,
  scheme: optional(v.picklist(['http', 'https'])),
  status: whole,
  location: optional(text),
  body: text,
  headers: v.record(text, text),
});

const intervention = v.strictObject({
  hostname: text,
  flagged: optional(v.boolean()),
  silent: optional(v.boolean()),
  refusal: optional(text),
  authority: optional(text),
  lingers: optional(v.pipe(whole, v.minValue(0))),
  staged: optional(v.boolean()),
  behind: optional(v.boolean()),
  validity: optional(v.picklist(['expired', 'not_yet_valid'])),
  kept: optional(authority),
  undeployable: optional(v.boolean()),
  shows: optional(v.strictObject({ status: optional(text), certificate: optional(text) })),
});

/** A token created through the API. All other fields are used unchanged. */
const token = v.looseObject({
  id: text,
  name: text,
  owner: text,
  hash: text,
  status: v.picklist(['active', 'disabled']),
  policies: v.array(v.looseObject({ id: text })),
  issuedOn: v.number(),
  modifiedOn: v.number(),
});

const workerRoute = v.strictObject({ zoneId: text, id: text, pattern: text, script: optional(text) });

/** Settings of the buckets and workers of one account. */
const ofAccount = {
  bucket_settings: optional(v.record(text, v.looseObject({}))),
  worker_domains: optional(
    v.array(
      v.strictObject({
        id: text,
        hostname: text,
        service: text,
        zoneId: text,
        certificateId: text,
        recordId: text,
      }),
    ),
  ),
  worker_schedules: optional(
    v.record(text, v.array(v.strictObject({ cron: text, created_on: text, modified_on: text }))),
  ),
};

export const accountSettingsShape = v.strictObject(ofAccount);

/**
 * The field `settings` of a seed, as written by a snapshot: the data of a sandbox that no other field contains. Unknown fields are refused.
 */
export const settingsShape = v.strictObject({
  ...ofAccount,
  clock_offset: optional(v.pipe(whole, v.minValue(0, 'is below 0: the clock cannot go back'))),
  'authority google': optional(authority),
  'authority lets_encrypt': optional(authority),
  'authority ssl_com': optional(authority),
  'authority digicert': optional(authority),
  demo_hostnames: optional(v.number()),
  edge_rules: optional(v.array(edgeRule)),
  entitlements: optional(v.strictObject({ wildcard_metadata: v.boolean(), custom_origin: v.boolean() })),
  hostname_quota: optional(v.strictObject({ allocated: whole, hard_cap: whole })),
  interventions: optional(v.array(intervention)),
  issuance: optional(
    v.strictObject({ limit: whole, issued: v.array(v.number()), blockedUntil: optional(v.number()) }),
  ),
  origins: optional(v.record(text, origin)),
  pages: optional(v.record(text, text)),
  paused_zones: optional(v.array(text)),
  prefixes: optional(v.array(text)),
  tokens: optional(v.array(token)),
  worker_routes: optional(v.array(workerRoute)),
  zone_states: optional(v.record(text, v.picklist(inactiveStates))),
});
