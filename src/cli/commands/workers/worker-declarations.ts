import { declare } from '../../parsing/declaration.ts';

const named = {
  about: 'Name of the worker; the configuration file says it when left out',
  optional: true,
} as const;

/** The ways in which a run can end, as `--status` names them. */
export const tailStatuses = ['ok', 'error', 'canceled'] as const;

export const workerTail = declare({
  words: 'worker tail',
  about: 'Follow what a worker does and logs, live',
  effect: 'read',
  needs: 'account',
  arguments: {
    WORKER: named,
  },
  flags: {
    format: {
      kind: 'text',
      placeholder: 'FORMAT',
      about: 'pretty for people, json for a line of JSON a run; pretty unless --json',
      completes: ['pretty', 'json'],
    },
    status: {
      kind: 'texts',
      placeholder: 'STATUS',
      about: `Only runs that end so: ${tailStatuses.join(', ')}`,
      completes: tailStatuses,
    },
    method: { kind: 'texts', placeholder: 'METHOD', about: 'Only requests of these methods: GET' },
    search: { kind: 'text', placeholder: 'TEXT', about: 'Only runs that log this text' },
    header: {
      kind: 'text',
      placeholder: 'NAME[:TEXT]',
      about: 'Only requests with this header, and with this text in it',
    },
    ip: {
      kind: 'texts',
      placeholder: 'ADDRESS',
      about: 'Only requests from these addresses; self is your own',
    },
    'sampling-rate': { kind: 'text', placeholder: 'RATE', about: 'A part of all runs, as 0.25' },
    'version-id': { kind: 'text', placeholder: 'ID', about: 'Only runs of this version' },
  },
  examples: [
    ['worker tail my-worker', 'time, request and outcome of each run, with what it logs, until Ctrl-C'],
    ['worker tail my-worker --status error --json', 'a line of JSON for each run that fails'],
    ['worker tail --sandbox my-worker', 'from the sandbox that runs on this machine'],
  ],
  notes: [
    'Times are UTC. A lost connection is made anew, and that is said; runs in between are not told.',
    'Of more than ten tails of a worker at once the platform refuses the last.',
  ],
});

export const workerList = declare({
  words: 'worker list',
  about: 'List the workers of the account',
  effect: 'read',
  needs: 'account',
  arguments: {},
  flags: {},
  examples: [['worker list', 'names, and when each was changed']],
});

export const workerGet = declare({
  words: 'worker get',
  about: 'Show a worker: what runs, its bindings, the names of its secrets',
  effect: 'read',
  needs: 'account',
  arguments: { WORKER: named },
  flags: {},
  examples: [['worker get my-worker', 'address, version, date of compatibility, bindings and secrets']],
});

export const workerDelete = declare({
  words: 'worker delete',
  about: 'Delete a worker with its versions and secrets',
  effect: 'destroy',
  loss: { asks: 'deleting the worker and its secrets' },
  needs: 'account',
  arguments: { WORKER: { about: 'Name of the worker' } },
  flags: {},
  examples: [['worker delete my-worker', 'asks, and names what is lost']],
  notes: ['Namespaces and buckets that it is bound to stay.'],
});

export const workerDeployments = declare({
  words: 'worker deployments',
  about: 'List which versions of a worker ran, and what each changed',
  effect: 'read',
  needs: 'account',
  arguments: { WORKER: named },
  flags: {},
  examples: [['worker deployments my-worker', 'the first one runs']],
});

export const workerRollback = declare({
  words: 'worker rollback',
  about: 'Roll a worker back to an earlier version',
  effect: 'write',
  loss: {
    names: 'the version that runs',
    asks: 'bringing back an older secret or binding, or a version that was rolled back from',
  },
  needs: 'account',
  arguments: {
    WORKER: { about: 'Name of the worker' },
    VERSION: {
      about: 'Id of a version, or its beginning; the one before the running one when left out',
      optional: true,
    },
  },
  flags: {
    message: { kind: 'text', placeholder: 'TEXT', about: 'Why, for those who look at the deployments later' },
  },
  examples: [
    ['worker rollback my-worker', 'to the version that ran before'],
    ['worker rollback my-worker 3f2a91c0 --message "checkout fails"', 'a certain one, with a reason'],
  ],
  notes: ['Its code and bindings are those of the version; what namespaces and buckets hold stays as it is.'],
});
