import { declare } from '../../parsing/declaration.ts';

/** The ways in which a run can end, as `--status` names them. */
export const tailStatuses = ['ok', 'error', 'canceled'] as const;

export const workerTail = declare({
  words: 'worker tail',
  about: 'Follow what a worker does and logs, live',
  effect: 'read',
  needs: 'account',
  arguments: {
    WORKER: { about: 'Name of the worker; the configuration file says it when left out', optional: true },
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
