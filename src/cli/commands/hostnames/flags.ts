import {
  certificateAuthorities,
  certificateStatuses,
  hostnameStatuses,
  minimumVersions,
  validationMethods,
} from '../../../model/hostnames/hostname.ts';
import { defaultIssuanceRate } from '../../../model/hostnames/issuance.ts';
import type { Flags } from '../../parsing/declaration.ts';
import { zoneFlags } from '../../parsing/flags.ts';

/** Attributes of a custom hostname: on create, on edit, and for every line of a file. */
export const wishFlags = {
  method: {
    kind: 'text',
    placeholder: 'METHOD',
    about: 'Validation of the certificate: http, txt or email',
    completes: validationMethods,
  },
  type: { kind: 'text', placeholder: 'TYPE', about: 'Kind of certificate: dv, the only one there is' },
  ca: {
    kind: 'text',
    placeholder: 'CA',
    about: `Certificate authority: default (the platform chooses), ${certificateAuthorities.join(', ')}; digicert takes no new orders`,
    completes: ['default', ...certificateAuthorities],
  },
  branding: {
    kind: 'boolean',
    about: "Provider branding: the provider's name becomes the Common Name, for hostnames over 64 characters",
  },
  'min-tls': {
    kind: 'text',
    placeholder: 'VERSION',
    about: 'Minimum TLS version: 1.0, 1.1, 1.2 or 1.3',
    completes: minimumVersions,
  },
  wildcard: { kind: 'boolean', about: 'The certificate covers *.<hostname> as well' },
  origin: {
    kind: 'text',
    placeholder: 'NAME',
    about: 'Origin of its own, a proxied record of the zone; "" takes it away',
  },
  'origin-sni': { kind: 'text', placeholder: 'NAME', about: 'Name that is sent to the origin in TLS' },
  metadata: { kind: 'text', placeholder: 'JSON', about: 'JSON object for workers, at most 4,096 bytes' },
} as const satisfies Flags;

export const filterFlags = {
  hostname: { kind: 'text', placeholder: 'NAME', about: 'Only this hostname' },
  contains: { kind: 'text', placeholder: 'TEXT', about: 'Only hostnames that contain this' },
  'starts-with': { kind: 'text', placeholder: 'TEXT', about: 'Only hostnames that start with this' },
  id: { kind: 'text', placeholder: 'ID', about: 'Only the one with this id' },
  status: {
    kind: 'text',
    placeholder: 'STATUS',
    about: 'Only hostnames in this status: active, moved …',
    completes: hostnameStatuses,
  },
  'certificate-status': {
    kind: 'text',
    placeholder: 'STATUS',
    about: 'Only certificates in this status: pending_validation …',
    completes: certificateStatuses,
  },
  'expires-within': {
    kind: 'text',
    placeholder: 'DURATION',
    about: 'Only certificates that expire within this, or have expired: 14d, 36h',
  },
  ca: {
    kind: 'text',
    placeholder: 'CA',
    about: 'Only certificates of this authority',
    completes: certificateAuthorities,
  },
  origin: { kind: 'text', placeholder: 'NAME', about: 'Only hostnames with this origin of their own' },
  wildcard: { kind: 'boolean', about: 'Only hostnames whose certificate covers *.<hostname>' },
  order: {
    kind: 'text',
    placeholder: 'FIELD',
    about: 'Order by ssl or ssl_status',
    completes: ['ssl', 'ssl_status'],
  },
  direction: { kind: 'text', placeholder: 'WAY', about: 'asc or desc', completes: ['asc', 'desc'] },
} as const satisfies Flags;

export const timeoutFlag = {
  kind: 'text',
  placeholder: 'DURATION',
  about: 'Give up after this long: 90s, 10m, 1h; forever when left out',
} as const;

/** How fast certificates are ordered where there are many. */
export const rateFlag = {
  kind: 'number',
  placeholder: 'N',
  about: `Certificates a minute, ${defaultIssuanceRate} when left out; the platform's limit is 15`,
} as const;

export const fileFlags = {
  file: {
    kind: 'path',
    placeholder: 'FILE',
    about: 'Create many: CSV, NDJSON or a JSON array; - is standard input',
  },
  rate: {
    kind: 'number',
    placeholder: 'N',
    about: `With --file: certificates a minute, ${defaultIssuanceRate} when left out; the platform's limit is 15`,
  },
  resume: { kind: 'boolean', about: 'With --file: go on where an interrupted run of the same file stopped' },
  'skip-invalid': {
    kind: 'boolean',
    about: 'With --file: leave wrong lines out instead of refusing the file',
  },
} as const satisfies Flags;

export const createFlags = {
  ...zoneFlags,
  ...wishFlags,
  'if-not-exists': { kind: 'boolean', about: 'Take a hostname that the zone already has' },
  wait: { kind: 'boolean', about: 'Wait until it is in service (exit 0) or has failed (exit 7)' },
  timeout: timeoutFlag,
  ...fileFlags,
} as const;

/** Which hostnames, by their names. */
export const manyArguments = {
  HOSTNAME: {
    about: 'Hostnames, or ids of custom hostnames; or --file, or filters',
    completes: 'hostname',
    many: true,
    optional: true,
  },
} as const;

/** Which hostnames, where they are not named. */
export const manyFlags = {
  file: {
    kind: 'path',
    placeholder: 'FILE',
    about: 'Those that a file names: CSV, NDJSON or a JSON array; - is standard input',
  },
  resume: { kind: 'boolean', about: 'With --file: go on where an interrupted run of the same file stopped' },
  status: filterFlags.status,
  'certificate-status': filterFlags['certificate-status'],
  'expires-within': filterFlags['expires-within'],
  'older-than': {
    kind: 'text',
    placeholder: 'DURATION',
    about: 'Only hostnames created longer ago: 90d, 12h',
  },
  metadata: {
    kind: 'texts',
    placeholder: 'NAME=VALUE',
    about: 'Only hostnames with this in their metadata; may be repeated',
  },
} as const satisfies Flags;

/** How all hostnames of a zone are watched. */
export const watchFlags = {
  all: {
    kind: 'boolean',
    about: 'All custom hostnames of the zone, until Ctrl-C: each change is a line of JSON',
  },
  status: {
    kind: 'text',
    placeholder: 'STATUS',
    about: 'Only changes from or to this status: moved, active …',
    completes: hostnameStatuses,
  },
  exec: {
    kind: 'text',
    placeholder: 'PROGRAM',
    about:
      'Run this for each change, without a shell: the event is on its standard input and in EDGECTL_EVENT_*',
  },
  webhook: {
    kind: 'text',
    placeholder: 'URL',
    about: 'Send each change there, signed with EDGECTL_WEBHOOK_SECRET',
  },
  metrics: {
    kind: 'number',
    placeholder: 'PORT',
    about: 'Serve metrics for Prometheus on this port of 127.0.0.1; 0 takes a free one',
  },
  interval: {
    kind: 'text',
    placeholder: 'DURATION',
    about: 'From one reading of the list to the next: 30s, 5m; a minute when left out',
  },
  once: { kind: 'boolean', about: 'Read once, tell what has changed since the last time, and end' },
} as const satisfies Flags;

/** Where the facts about a fleet come from beside the platform. */
export const lookFlags = {
  ...zoneFlags,
  resolver: {
    kind: 'texts',
    placeholder: 'ADDRESS',
    about: 'DNS server to ask, with port if not 53; may be repeated',
  },
  target: {
    kind: 'text',
    placeholder: 'NAME',
    about: 'Name to which customers are told to point; the fallback origin when left out',
  },
} as const satisfies Flags;

const probeFlags = {
  'no-probe': { kind: 'boolean', about: 'Do not ask the edge over HTTP and TLS' },
} as const satisfies Flags;

export const getFlags = { ...lookFlags, ...probeFlags } as const satisfies Flags;

/** The same for a look at many. */
export const fleetFlags = {
  ...lookFlags,
  resume: {
    kind: 'boolean',
    about: 'Go on where an interrupted run of the same command stopped, for an hour',
  },
  ...probeFlags,
} as const satisfies Flags;

export const diagnoseFlags = {
  ...fleetFlags,
  all: { kind: 'boolean', about: 'All custom hostnames of the zone' },
  status: {
    kind: 'text',
    placeholder: 'STATUS',
    about: 'All in this status: moved, pending …',
    completes: hostnameStatuses,
  },
  file: {
    kind: 'path',
    placeholder: 'FILE',
    about: 'Those that a file names: CSV, NDJSON, JSON; - is stdin',
  },
  fix: { kind: 'boolean', about: 'Carry out the remedies that are ours, after one confirmation' },
  verbose: { kind: 'boolean', about: 'Evidence and remedies of many hostnames, not only their headlines' },
} as const;
