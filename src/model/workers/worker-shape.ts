import { list, number, object, oneOf, optional, text } from '../shape.ts';

/** A worker in a list. */
export const workerSummary = object({
  name: text('Name of the worker'),
  modifiedOn: optional(text('RFC 3339, as the platform reports it')),
});

export const deploymentFields = {
  id: text('Id of the deployment'),
  createdOn: text('RFC 3339, as the platform reports it'),
  source: text('The tool that created it'),
  trigger: optional(text('Cause as the platform reports it: upload, secret, deployment')),
  message: optional(text('Reason given by the person who deployed it')),
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
  before: optional(text('Old value as text (a variable as JSON); absent if there was none, and for secrets')),
  after: optional(
    text('New value as text (a variable as JSON); absent if there will be none, and for secrets'),
  ),
});
