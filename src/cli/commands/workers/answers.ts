import {
  anyOf,
  anything,
  bool,
  list,
  map,
  nullable,
  number,
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
  workerChange,
  workerSummary,
} from '../../../model/workers/worker-shape.ts';
import { lines, value } from '../../output/answer-shape.ts';
import { failure } from '../../output/talk-shape.ts';

const name = text('Name of the worker');
const secretName = text('Name of the secret');
const id = text('Id of the version');

const binding = openObject({
  name: text('Its name in the worker'),
  type: text(
    'kv_namespace, r2_bucket, plain_text, json and other types of the platform, each with its own fields',
  ),
});

/** The same secret on many workers. */
const many = {
  name: secretName,
  failed: list(object({ worker: name, error: failure }), 'Workers on which it failed'),
  left: texts('Workers on which it was not begun'),
};

const stamp = optional(nullable(number('Milliseconds since the UNIX epoch, as the platform has it')));

/** A run of a worker, in the platform's fields. */
const run = object({
  outcome: text('ok, canceled, exception, exceededCpu, exceededMemory, unknown, and what the platform adds'),
  scriptName: optional(nullable(name)),
  scriptVersion: optional(nullable(object({ id: optional(id) }))),
  eventTimestamp: stamp,
  event: optional(
    nullable(map(anything('As the platform reports it'), 'What set it off: a request, a cron, a queue')),
  ),
  logs: list(
    object({
      level: text('log, debug, info, warn, error'),
      message: optional(anything('What was logged: a list of the arguments')),
      timestamp: stamp,
    }),
    'Calls of the console',
  ),
  exceptions: list(
    object({
      name: optional(text('Kind of the error')),
      message: optional(anything('What it says')),
      stack: optional(nullable(text('Where it was thrown'))),
      timestamp: stamp,
    }),
    'Errors that nobody caught',
  ),
});

export const workerAnswers = {
  'secret put': value(
    anyOf([
      object({
        name: secretName,
        worker: name,
        replaced: bool('Whether it existed before'),
      }),
      object({ ...many, set: texts('Workers on which it is set') }),
    ]),
    'With --all-workers or --workers, the result for each worker.',
  ),
  'secret list': value(
    list(
      object({ name: secretName, type: text('secret_text, and others of the platform') }),
      'Never their values',
    ),
  ),
  'secret delete': value(
    anyOf([
      object({ name: secretName, worker: name, deleted: only(true, 'It is not there any more') }),
      object({ ...many, deleted: texts('Workers on which it is deleted') }),
    ]),
    'With --all-workers or --workers, the result for each worker.',
  ),
  'secret bulk': value(
    object({ worker: name, set: texts('Names of secrets'), deleted: texts('Names of secrets') }),
  ),
  'worker list': value(list(workerSummary, 'Workers of the account')),
  'worker get': value(
    object({
      name,
      running: optional(deployment),
      bindings: list(binding, 'All but secrets'),
      compatibilityDate: optional(text('A day, as 2026-11-01')),
      compatibilityFlags: texts('Flags of the runtime'),
      secrets: texts('Names of its secrets'),
    }),
  ),
  'worker delete': value(
    object({ name, secrets: texts('Names of secrets that went with it'), deleted: only(true, 'It is gone') }),
  ),
  'worker deployments': value(
    list(
      object({
        ...deploymentFields,
        changes: optional(
          list(workerChange, 'Compared with the previous deployment; absent if that is unknown'),
        ),
      }),
      'The newest first, which is the one that runs',
    ),
  ),
  'worker rollback': value(
    object({
      name,
      versionId: text('Version that runs now'),
      beforeId: text('Version that ran before'),
      changes: list(workerChange, 'Compared with the version that ran before, without the values of secrets'),
      secrets: texts('Secrets that have an older text again'),
      rolledBackAt: optional(text('When this version was rolled back from earlier, RFC 3339')),
    }),
  ),
  'worker tail': lines(run, 'One per run, with the field names of the platform, until Ctrl-C.'),
  deploy: value(
    anyOf([
      object({
        name,
        url: nullable(text('Where it answers; null where nothing serves it')),
        versionId: text('The version that runs now'),
      }),
      object({
        name,
        dryRun: only(true, 'Nothing was deployed'),
        new: bool('Whether there is no such worker yet'),
        changes: list(workerChange, 'All that would change, and what is kept'),
        foreign: texts('Bindings that it removes and this project has not deployed from here: it asks first'),
      }),
    ]),
    'With --dry-run, the changes.',
  ),
  dev: value(
    object({
      name,
      url: text('Where it answers'),
      folder: text('Folder of the local data'),
      apiBaseUrl: text('Where its data answer as an account'),
    }),
    'Printed when the server is ready; it runs until Ctrl-C.',
  ),
  init: value(
    object({
      folder: text('The new folder'),
      name,
      files: texts('Files that were written, below the folder'),
      next: texts('Command lines that come next'),
    }),
  ),
} as const;
