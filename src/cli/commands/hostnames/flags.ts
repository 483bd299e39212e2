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

/** Attributes of a custom hostname, as accepted by create, by edit, and in every line of a file. */
export const attributeFlags = {
  method: {
    kind: 'text',
    placeholder: 'METHOD',
    about: 'Validation method of the certificate: http, txt or email',
    completes: validationMethods,
  },
  type: { kind: 'text', placeholder: 'TYPE', about: 'Certificate type: dv (the only type)' },
  ca: {
    kind: 'text',
    placeholder: 'CA',
    about: `Certificate authority: default (the platform chooses), ${certificateAuthorities.join(', ')}; digicert accepts no new orders`,
    completes: ['default', ...certificateAuthorities],
  },
  branding: {
    kind: 'boolean',
    about: 'Use a provider-owned Common Name, for hostnames of more than 64 characters',
  },
  'min-tls': {
    kind: 'text',
    placeholder: 'VERSION',
    about: 'Minimum TLS version: 1.0, 1.1, 1.2 or 1.3',
    completes: minimumVersions,
  },
  wildcard: { kind: 'boolean', about: 'Also cover *.<hostname> with the certificate' },
  origin: {
    kind: 'text',
    placeholder: 'NAME',
    about: 'Custom origin: a proxied record in the zone; "" removes it',
  },
  'origin-sni': {
    kind: 'text',
    placeholder: 'NAME',
    about: 'SNI: the name sent to the origin in the TLS handshake',
  },
  metadata: {
    kind: 'text',
    placeholder: 'JSON',
    about: 'Metadata for workers: a JSON object (maximum 4,096 bytes)',
  },
} as const satisfies Flags;

export const filterFlags = {
  hostname: { kind: 'text', placeholder: 'NAME', about: 'Only this hostname' },
  contains: { kind: 'text', placeholder: 'TEXT', about: 'Only hostnames that contain this text' },
  'starts-with': { kind: 'text', placeholder: 'TEXT', about: 'Only hostnames that start with this text' },
  id: { kind: 'text', placeholder: 'ID', about: 'Only the hostname with this id' },
  status: {
    kind: 'text',
    placeholder: 'STATUS',
    about: 'Only hostnames with this status, such as active or moved',
    completes: hostnameStatuses,
  },
  'certificate-status': {
    kind: 'text',
    placeholder: 'STATUS',
    about: 'Only hostnames whose certificate has this status, such as pending_validation',
    completes: certificateStatuses,
  },
  'expires-within': {
    kind: 'text',
    placeholder: 'DURATION',
    about: 'Only hostnames whose certificate has expired, or expires within this duration: 14d, 36h',
  },
  ca: {
    kind: 'text',
    placeholder: 'CA',
    about: 'Only hostnames whose certificate is from this certificate authority',
    completes: certificateAuthorities,
  },
  origin: { kind: 'text', placeholder: 'NAME', about: 'Only hostnames with this custom origin' },
  wildcard: { kind: 'boolean', about: 'Only hostnames whose certificate covers *.<hostname>' },
  order: {
    kind: 'text',
    placeholder: 'FIELD',
    about: 'Sort by ssl or ssl_status',
    completes: ['ssl', 'ssl_status'],
  },
  direction: {
    kind: 'text',
    placeholder: 'DIRECTION',
    about: 'Sort direction: asc or desc',
    completes: ['asc', 'desc'],
  },
} as const satisfies Flags;

export const timeoutFlag = {
  kind: 'text',
  placeholder: 'DURATION',
  about: 'Maximum time to wait: 90s, 10m, 1h (default: no limit)',
} as const;

/** The maximum rate of certificate orders, for commands that act on many hostnames. */
export const rateFlag = {
  kind: 'number',
  placeholder: 'N',
  about: `Maximum number of certificates to order per minute (default: ${defaultIssuanceRate}; the platform's limit is 15)`,
} as const;

export const fileFlags = {
  file: {
    kind: 'path',
    placeholder: 'FILE',
    about: 'Create the hostnames in this file: CSV, NDJSON or a JSON array; - is standard input',
  },
  rate: {
    kind: 'number',
    placeholder: 'N',
    about: `With --file: maximum number of certificates to order per minute (default: ${defaultIssuanceRate}; the platform's limit is 15)`,
  },
  resume: { kind: 'boolean', about: 'With --file: resume an interrupted run with the same file' },
  'skip-invalid': {
    kind: 'boolean',
    about: 'With --file: skip invalid lines instead of rejecting the file',
  },
} as const satisfies Flags;

export const createFlags = {
  ...zoneFlags,
  ...attributeFlags,
  'if-not-exists': {
    kind: 'boolean',
    about: 'If the zone already has the hostname, succeed and leave it unchanged',
  },
  wait: { kind: 'boolean', about: 'Wait until the hostname is active (exit 0) or has failed (exit 7)' },
  timeout: timeoutFlag,
  ...fileFlags,
} as const;

/** Arguments that select hostnames by name or id. */
export const manyArguments = {
  HOSTNAME: {
    about: 'Hostnames or ids of custom hostnames; or use --file or filters',
    completes: 'hostname',
    many: true,
    optional: true,
  },
} as const;

/** Flags that select hostnames with a file or filters. */
export const manyFlags = {
  file: {
    kind: 'path',
    placeholder: 'FILE',
    about: 'Act on the hostnames in this file: CSV, NDJSON or a JSON array; - is standard input',
  },
  resume: { kind: 'boolean', about: 'With --file: resume an interrupted run with the same file' },
  status: filterFlags.status,
  'certificate-status': filterFlags['certificate-status'],
  'expires-within': filterFlags['expires-within'],
  'older-than': {
    kind: 'text',
    placeholder: 'DURATION',
    about: 'Only hostnames older than this: 90d, 12h',
  },
  metadata: {
    kind: 'texts',
    placeholder: 'NAME=VALUE',
    about: 'Only hostnames with this metadata (repeatable)',
  },
} as const satisfies Flags;

/** Flags for watching all hostnames of a zone. */
export const watchFlags = {
  all: {
    kind: 'boolean',
    about: 'Watch all custom hostnames in the zone until Ctrl-C; print each change as a line of JSON',
  },
  status: {
    kind: 'text',
    placeholder: 'STATUS',
    about: 'Only changes from or to this status, such as moved',
    completes: hostnameStatuses,
  },
  exec: {
    kind: 'text',
    placeholder: 'PROGRAM',
    about:
      'Run this program for each change, without a shell; the event is on standard input and in EDGECTL_EVENT_*',
  },
  webhook: {
    kind: 'text',
    placeholder: 'URL',
    about: 'Send each change to this URL, signed with EDGECTL_WEBHOOK_SECRET',
  },
  metrics: {
    kind: 'number',
    placeholder: 'PORT',
    about: 'Serve Prometheus metrics on this port of 127.0.0.1 (0: any free port)',
  },
  interval: {
    kind: 'text',
    placeholder: 'DURATION',
    about: 'Interval between reads of the list: 30s, 5m (default: 1m)',
  },
  once: { kind: 'boolean', about: 'Print the changes since the last run, and exit' },
} as const satisfies Flags;

/** Flags that choose the sources of facts other than the platform. */
export const diagnosisRunFlags = {
  ...zoneFlags,
  resolver: {
    kind: 'texts',
    placeholder: 'ADDRESS',
    about: 'DNS server to query, with its port if not 53 (repeatable)',
  },
  target: {
    kind: 'text',
    placeholder: 'NAME',
    about: 'Name that customers must point to (default: the fallback origin)',
  },
} as const satisfies Flags;

const probeFlags = {
  'no-probe': { kind: 'boolean', about: 'Do not probe the edge over HTTP and TLS' },
} as const satisfies Flags;

export const getFlags = { ...diagnosisRunFlags, ...probeFlags } as const satisfies Flags;

/** Flags of a diagnosis of many hostnames. */
export const fleetFlags = {
  ...diagnosisRunFlags,
  resume: {
    kind: 'boolean',
    about: 'Resume an interrupted run of the same command (within an hour)',
  },
  ...probeFlags,
} as const satisfies Flags;

export const diagnoseFlags = {
  ...fleetFlags,
  all: { kind: 'boolean', about: 'Diagnose all custom hostnames in the zone' },
  status: {
    kind: 'text',
    placeholder: 'STATUS',
    about: 'Diagnose all hostnames with this status, such as moved',
    completes: hostnameStatuses,
  },
  file: {
    kind: 'path',
    placeholder: 'FILE',
    about: 'Diagnose the hostnames in this file: CSV, NDJSON or JSON; - is standard input',
  },
  fix: { kind: 'boolean', about: 'Apply the fixes on your side, after one confirmation' },
  verbose: { kind: 'boolean', about: 'Print evidence and fixes for many hostnames, not only a summary' },
} as const;
