import { declare } from '../../parsing/declaration.ts';

const named = {
  about: 'Name of the worker (default: from the configuration file)',
  optional: true,
} as const;

/** Values of `--status`: outcomes of a run. */
export const tailStatuses = ['ok', 'error', 'canceled'] as const;

export const workerTail = declare({
  words: 'worker tail',
  about: "Stream a worker's requests and logs",
  effect: 'read',
  needs: 'account',
  arguments: {
    WORKER: named,
  },
  flags: {
    format: {
      kind: 'text',
      placeholder: 'FORMAT',
      about: 'pretty, or json for one line of JSON per run (default: pretty, or json with --json)',
      completes: ['pretty', 'json'],
    },
    status: {
      kind: 'texts',
      placeholder: 'STATUS',
      about: `Only runs with this outcome: ${tailStatuses.join(', ')}`,
      completes: tailStatuses,
    },
    method: {
      kind: 'texts',
      placeholder: 'METHOD',
      about: 'Only requests with this method, such as GET (repeatable)',
    },
    search: { kind: 'text', placeholder: 'TEXT', about: 'Only runs that log this text' },
    header: {
      kind: 'text',
      placeholder: 'NAME[:TEXT]',
      about: 'Only requests with this header, optionally containing this text',
    },
    ip: {
      kind: 'texts',
      placeholder: 'ADDRESS',
      about: 'Only requests from this address; self is your own address (repeatable)',
    },
    'sampling-rate': {
      kind: 'text',
      placeholder: 'RATE',
      about: 'Share of runs to stream, such as 0.25 (default: all)',
    },
    'version-id': { kind: 'text', placeholder: 'ID', about: 'Only runs of this version' },
  },
  examples: [
    ['worker tail my-worker', 'print time, request, outcome and logs of each run until Ctrl-C'],
    ['worker tail my-worker --status error --json', 'print a line of JSON for each failed run'],
    ['worker tail --sandbox my-worker', 'stream from the sandbox that runs on this machine'],
  ],
  notes: [
    'Times are UTC. If the connection is lost, edgectl prints a warning and reconnects. Runs during the interruption are not printed.',
    'The platform allows up to ten tails of a worker at the same time.',
  ],
});

export const workerList = declare({
  words: 'worker list',
  about: 'List the workers in the account',
  effect: 'read',
  needs: 'account',
  arguments: {},
  flags: {},
  examples: [['worker list', 'list names and modification times']],
});

export const workerGet = declare({
  words: 'worker get',
  about: "Show a worker's running version, bindings and secret names",
  effect: 'read',
  needs: 'account',
  arguments: { WORKER: named },
  flags: {},
  examples: [['worker get my-worker', 'show version, compatibility date, bindings and secret names']],
});

export const workerDelete = declare({
  words: 'worker delete',
  about: 'Delete a worker with its versions and secrets',
  effect: 'destroy',
  loss: { asks: 'deleting the worker and its secrets' },
  needs: 'account',
  arguments: { WORKER: { about: 'Name of the worker' } },
  flags: {},
  examples: [['worker delete my-worker', 'show what will be lost, then ask']],
  notes: ['Namespaces and buckets that the worker is bound to are not deleted.'],
});

export const workerDeployments = declare({
  words: 'worker deployments',
  about: "List a worker's deployments and what each one changed",
  effect: 'read',
  needs: 'account',
  arguments: { WORKER: named },
  flags: {},
  examples: [['worker deployments my-worker', 'list deployments, the running one first']],
});

export const workerRollback = declare({
  words: 'worker rollback',
  about: 'Roll a worker back to an earlier version',
  effect: 'write',
  loss: {
    names: 'the running version',
    asks: 'restoring an older secret or binding, or a version that was rolled back',
  },
  needs: 'account',
  arguments: {
    WORKER: { about: 'Name of the worker' },
    VERSION: {
      about: 'Version id or its first characters (default: the version before the running one)',
      optional: true,
    },
  },
  flags: {
    message: { kind: 'text', placeholder: 'TEXT', about: 'Reason, shown in the list of deployments' },
  },
  examples: [
    ['worker rollback my-worker', 'roll back to the previous version'],
    [
      'worker rollback my-worker 3f2a91c0 --message "checkout fails"',
      'roll back to this version, with a reason',
    ],
  ],
  notes: [
    'A rollback restores the code and bindings of the version. The data in namespaces and buckets does not change.',
  ],
});
