import { anything, list, map, nullable, number, object, oneOf, optional, text, texts } from '../shape.ts';

/** A worker in a list. */
export const workerSummary = object({
  name: text('Name of the worker'),
  modifiedOn: optional(text('When the worker was last changed (RFC 3339, as the platform reports it)')),
});

export const deploymentFields = {
  id: text('Id of the deployment'),
  createdOn: text('When the deployment was created (RFC 3339, as the platform reports it)'),
  source: text('Tool that created the deployment'),
  trigger: optional(text('Cause as the platform reports it: upload, secret, deployment')),
  message: optional(text('Reason given by the person who created the deployment')),
  versions: list(
    object({ id: text('Id of the version'), percentage: number('Share of requests, in percent') }),
    'Running versions',
  ),
};

/** A deployment: the versions that run, and why. */
export const deployment = object(deploymentFields);

/** A part of a worker that an upload or another version adds, changes, removes or preserves. */
export const workerChange = object({
  change: oneOf(['added', 'changed', 'removed', 'kept'], 'Kind of change'),
  what: oneOf(
    ['code', 'module', 'binding', 'secret', 'compatibility date', 'compatibility flag'],
    'Part of the worker',
  ),
  name: text('Name of the part'),
  before: optional(text('Old value as text (a variable as JSON); absent for a new part and for secrets')),
  after: optional(text('New value as text (a variable as JSON); absent for a removed part and for secrets')),
});

/** A secret as the platform reports it, without its value. */
export const secret = object({
  name: text('Name of the secret'),
  type: text('Type of the secret: secret_text, or another type that the platform defines'),
});

export const newProjectFields = {
  folder: text('Folder of the new project'),
  name: text('Name of the worker'),
  files: texts('Created files, relative to the folder'),
};

const stamp = optional(nullable(number('Milliseconds since the UNIX epoch, as the platform reports it')));

/** A run of a worker in a tail, with the platform's field names. */
export const traceEvent = object({
  outcome: text(
    'Outcome: ok, canceled, exception, exceededCpu, exceededMemory, unknown, or another value that the platform defines',
  ),
  scriptName: optional(nullable(text('Name of the worker'))),
  scriptVersion: optional(nullable(object({ id: optional(text('Id of the version')) }))),
  eventTimestamp: stamp,
  event: optional(
    nullable(
      map(
        anything('Field of the trigger, as the platform reports it'),
        'Trigger of the run: a request, a cron schedule, a queue',
      ),
    ),
  ),
  logs: list(
    object({
      level: text('Log level: log, debug, info, warn or error'),
      message: optional(anything('The logged arguments, as a list')),
      timestamp: stamp,
    }),
    'Console calls',
  ),
  exceptions: list(
    object({
      name: optional(text('Kind of the error')),
      message: optional(anything('Message of the error')),
      stack: optional(nullable(text('Stack trace'))),
      timestamp: stamp,
    }),
    'Uncaught errors',
  ),
});
