import { attributeDifference, fleetEvent } from '../../../model/hostnames/fleet/fleet-shape.ts';
import { certificateAuthorities, validationMethods } from '../../../model/hostnames/hostname.ts';
import { customHostname, customHostnameFields } from '../../../model/hostnames/hostname-shape.ts';
import {
  anyOf,
  anything,
  bool,
  count,
  list,
  map,
  nullable,
  number,
  object,
  oneOf,
  only,
  optional,
  text,
} from '../../../model/shape.ts';
import { fallbackOrigin, fallbackOriginFields, hostnameQuota } from '../../../model/zones/zone-shape.ts';
import { value, valueOrLines } from '../../output/answer-shape.ts';
import { failure } from '../../output/talk-shape.ts';
import { undoId } from '../undo/answers.ts';
import { diagnosisAnswers } from './diagnosis-answers.ts';

const id = text('Id of the custom hostname');
const hostname = text('The hostname');
const zoneId = text('Id of the zone');
const line = optional(count('Line number in the file, starting at 1'));

const record = customHostname;

/** The differences between an existing hostname and the values in a create request. */
const unlike = optional(
  list(attributeDifference, 'Settings of an existing hostname that differ from the request'),
);

/** Fields of the answer about a changed hostname. */
const changedFields = { ...customHostnameFields, undo: undoId };

const changed = object(changedFields);

const states = {
  id: optional(id),
  status: optional(text('Status of the hostname')),
  certificate: optional(text('Status of the certificate')),
};

const failedLine = object({ hostname, line, result: only('failed', 'The action failed'), error: failure });

/** One line for each of several changed hostnames. */
const step = anyOf([
  object({
    hostname,
    line,
    result: oneOf(['created', 'changed', 'refreshed', 'deleted', 'left'], 'Result'),
    ...states,
    before: optional(record),
  }),
  failedLine,
]);

const creation = anyOf([
  object({
    line,
    hostname,
    result: oneOf(['created', 'exists'], 'Created, or already registered'),
    ...states,
    differences: unlike,
  }),
  failedLine,
  object({
    line,
    hostname: optional(hostname),
    reason: text('Why the line is invalid'),
    result: only('invalid', 'Skipped with --skip-invalid'),
  }),
]);

const deleted = object({ id, hostname, deleted: only(true, 'The resource no longer exists'), undo: undoId });

/** A line of an input file for hostname create and reconcile. */
const wanted = object({
  hostname,
  method: optional(oneOf(validationMethods, 'Method that proves control of the hostname')),
  ca: optional(oneOf(['default', ...certificateAuthorities], 'Certificate authority')),
  branding: optional(bool('Whether the Common Name belongs to the platform')),
  min_tls: optional(text('1.0 to 1.3')),
  wildcard: optional(bool('Whether the certificate covers *.hostname')),
  origin: optional(text('Custom origin')),
  origin_sni: optional(text('SNI for TLS to the custom origin')),
  metadata: optional(map(anything('A value'), 'Metadata by name')),
});

const planned = object({
  does: oneOf(['create', 'change', 'refresh', 'delete', 'leave'], 'The step'),
  hostname,
  id: optional(id),
  line,
  reason: text('Why the step is needed or not needed'),
  differences: optional(list(attributeDifference, 'Fields that a change replaces')),
});

export const hostnameAnswers = {
  'hostname list': value(list(record, "Custom hostnames, with the platform's field names")),
  'hostname get': value(record),
  'hostname create': valueOrLines(
    object({
      ...customHostnameFields,
      created: bool('False if the hostname already existed (--if-not-exists)'),
      differences: unlike,
    }),
    creation,
    'With --file, one JSON line for each line of the file.',
  ),
  'hostname edit': valueOrLines(
    object({ ...changedFields, before: optional(record) }),
    step,
    'For several hostnames, one line each.',
  ),
  'hostname refresh': valueOrLines(changed, step, 'For several hostnames, one line each.'),
  'hostname delete': valueOrLines(deleted, step, 'For several hostnames, one line each.'),
  'hostname watch': valueOrLines(
    record,
    fleetEvent,
    'The last state of the hostname; with --all, one line per change.',
  ),
  'hostname quota': value(hostnameQuota),
  'hostname export-world': value(
    object({ count: count('Number of exported hostnames'), file: text('Path of the file') }),
    'If FILE is -, the export goes to standard output.',
  ),
  'hostname import-world': value(
    object({ zone: text('Name of the zone'), count: count('Number of imported hostnames') }),
  ),
  'hostname export': valueOrLines(
    anyOf([
      list(wanted, 'Custom hostnames, one entry each, as in an exported file'),
      object({
        zoneId,
        exported: count('Number of exported hostnames'),
        file: text('Path of the file'),
        format: oneOf(['csv', 'ndjson', 'json', 'terraform'], 'Format of the file'),
      }),
    ]),
    wanted,
    'With --output, a summary of the file; with --format ndjson, one hostname per line. The formats csv and terraform are not JSON.',
  ),
  'hostname reconcile': valueOrLines(
    anyOf([
      object({ hash: text('Hash of the plan'), done: only(true, 'Nothing is left to do') }),
      object({
        hash: text('Hash that --apply expects'),
        zoneId,
        file: text('Path of the file'),
        prune: bool('Whether hostnames missing from the file are deleted'),
        limit: optional(number('Maximum number of deletes')),
        counts: object({
          create: count('Number of hostnames to create'),
          change: count('Number of hostnames to change'),
          refresh: count('Number of hostnames whose validation restarts'),
          delete: count('Number of hostnames to delete'),
          leave: count('Number of hostnames to leave unchanged'),
        }),
        requests: count('Number of requests'),
        minutes: number('Minimum duration in minutes'),
        steps: list(planned, 'All steps'),
      }),
    ]),
    step,
    'With --plan, the plan. Without --plan, one line per step, or `done` if no step is left.',
  ),
  'hostname fallback-origin get': value(fallbackOrigin),
  'hostname fallback-origin set': value(
    object({
      ...fallbackOriginFields,
      before: optional(nullable(fallbackOrigin)),
      undo: undoId,
    }),
    '`before` is the old origin, or null if there was none; it is omitted if --yes and --no-undo are both set.',
  ),
  'hostname fallback-origin delete': value(
    object({ deleted: only(true, 'The resource no longer exists'), undo: undoId }),
  ),
  ...diagnosisAnswers,
} as const;
