import {
  anyOf,
  bool,
  list,
  nullable,
  object,
  only,
  openObject,
  optional,
  text,
  texts,
} from '../../../model/shape.ts';
import {
  deployment,
  deploymentFields,
  newProjectFields,
  secret,
  traceEvent,
  workerChange,
  workerSummary,
} from '../../../model/workers/worker-shape.ts';
import { lines, value } from '../../output/answer-shape.ts';
import { failure } from '../../output/talk-shape.ts';

const name = text('Name of the worker');
const secretName = text('Name of the secret');

const binding = openObject({
  name: text('Name of the binding; the worker reads it as env.NAME'),
  type: text(
    "kv_namespace, r2_bucket, plain_text, json or another of the platform's types; each type has its own fields",
  ),
});

/** Answer fields of a change to the same secret on many workers. */
const many = {
  name: secretName,
  failed: list(object({ worker: name, error: failure }), 'Workers for which the change failed'),
  left: texts('Workers for which the change was not started'),
};

export const workerAnswers = {
  'secret put': value(
    anyOf([
      object({
        name: secretName,
        worker: name,
        replaced: bool('Whether the secret existed before'),
      }),
      object({ ...many, set: texts('Workers for which the secret was set') }),
    ]),
    'With --all-workers or --workers, the result for each worker.',
  ),
  'secret list': value(list(secret, 'Secrets, without their values')),
  'secret delete': value(
    anyOf([
      object({ name: secretName, worker: name, deleted: only(true, 'The secret was deleted') }),
      object({ ...many, deleted: texts('Workers from which the secret was deleted') }),
    ]),
    'With --all-workers or --workers, the result for each worker.',
  ),
  'secret bulk': value(
    object({
      worker: name,
      set: texts('Names of the secrets that were set'),
      deleted: texts('Names of the secrets that were deleted'),
    }),
  ),
  'worker list': value(list(workerSummary, 'Workers in the account')),
  'worker get': value(
    object({
      name,
      running: optional(deployment),
      bindings: list(binding, 'All bindings except secrets'),
      compatibilityDate: optional(text('Compatibility date, such as 2026-11-01')),
      compatibilityFlags: texts('Compatibility flags'),
      secrets: texts("Names of the worker's secrets"),
    }),
  ),
  'worker delete': value(
    object({
      name,
      secrets: texts('Names of secrets that were deleted with the worker'),
      deleted: only(true, 'The worker was deleted'),
    }),
  ),
  'worker deployments': value(
    list(
      object({
        ...deploymentFields,
        changes: optional(list(workerChange, 'Changes from the previous deployment; absent if unknown')),
      }),
      'Deployments, newest first; the newest one receives traffic',
    ),
  ),
  'worker rollback': value(
    object({
      name,
      versionId: text('Id of the running version'),
      beforeId: text('Id of the previously running version'),
      changes: list(
        workerChange,
        'Changes from the previously running version, without the values of secrets',
      ),
      secrets: texts('Secrets whose older value is restored'),
      rolledBackAt: optional(text('When a rollback replaced this version (RFC 3339)')),
    }),
  ),
  'worker tail': lines(
    traceEvent,
    "One line per run of the worker, with the platform's field names, until Ctrl-C.",
  ),
  deploy: value(
    anyOf([
      object({
        name,
        url: nullable(text('URL of the worker; null if nothing serves it')),
        versionId: text('Id of the running version'),
      }),
      object({
        name,
        dryRun: only(true, 'Nothing was deployed'),
        new: bool('Whether the worker does not exist yet'),
        changes: list(workerChange, 'All changes, and the secrets that are kept'),
        foreign: texts(
          'Bindings that the deployment would remove, and that were not deployed from this project on this machine; the command asks for confirmation first',
        ),
      }),
    ]),
    'With --dry-run, the changes.',
  ),
  dev: value(
    object({
      name,
      url: text('URL of the worker'),
      folder: text('Folder of the local data'),
      apiBaseUrl: text('Base URL of the v4 API for the local data'),
    }),
    'Printed when the server is ready. The server runs until Ctrl-C.',
  ),
  init: value(object({ ...newProjectFields, next: texts('Next command lines to run') })),
} as const;
