import { templates } from '../../../model/workers/template.ts';
import { declare, type Flags } from '../../parsing/declaration.ts';

const nameArgument = { about: 'Name of the secret, found on env in the worker' } as const;

const workerFlags = {
  name: {
    kind: 'text',
    placeholder: 'WORKER',

    about: 'Name of the worker; the configuration file says it when left out',
  },
} as const satisfies Flags;

const manyFlags = {
  ...workerFlags,
  'all-workers': { kind: 'boolean', about: 'All workers of the account, one after the other' },
  workers: {
    kind: 'text',
    placeholder: 'FILTER',
    about: 'The workers whose name a filter finds: text, /regex/, !not, ~fuzzy',
  },
} as const satisfies Flags;

const manyNotes = [
  'With --workers or --all-workers the names are shown, and their number is typed to confirm; --yes confirms without.',
  'What fails on one worker goes on with the next, and ends with exit code 6. To run it again does no harm.',
];

export const secretPut = declare({
  words: 'secret put',
  about: 'Set a secret of a worker',
  effect: 'write',
  loss: { names: 'the text of the secret NAME', asks: 'setting it on several workers' },
  needs: 'account',
  arguments: { NAME: nameArgument },
  flags: manyFlags,
  examples: [
    ['secret put AUTH_KEY_SECRET', 'asks for the text and does not show it'],
    ['secret put AUTH_KEY_SECRET --name my-worker < key.txt', 'from standard input'],
    [
      "secret put AUTH_KEY_SECRET --workers '/^shop-/'",
      'one text for all workers whose name begins with shop-',
    ],
    ['secret put AUTH_KEY_SECRET --all-workers --yes < key.txt', 'for all workers, without a question'],
  ],
  notes: [
    'The text is never an argument: arguments stand in the process list and in the shell history.',
    'From standard input one newline at the end is left out, and that is said.',
    ...manyNotes,
  ],
});

export const secretList = declare({
  words: 'secret list',
  about: "List the names of a worker's secrets",
  effect: 'read',
  needs: 'account',
  arguments: {},
  flags: workerFlags,
  examples: [['secret list', 'a JSON array of name and type; texts cannot be read back']],
});

export const secretDelete = declare({
  words: 'secret delete',
  about: 'Delete a secret of a worker',
  effect: 'destroy',
  loss: { asks: 'deleting the secret' },
  needs: 'account',
  arguments: { NAME: nameArgument },
  flags: manyFlags,
  examples: [
    ['secret delete AUTH_KEY_SECRET', 'asks, because the text cannot be had back'],
    ['secret delete OLD_KEY --all-workers', 'from all workers that have it'],
  ],
  notes: manyNotes,
});

export const secretBulk = declare({
  words: 'secret bulk',
  about: 'Set and delete many secrets from a file',
  effect: 'write',
  loss: { names: 'the texts of the secrets in FILE', asks: 'deleting secrets' },
  needs: 'account',
  arguments: { FILE: { kind: 'path', about: 'JSON object or .env file; - is standard input' } },
  flags: workerFlags,
  examples: [
    ['secret bulk secrets.json', 'set many at once, at most 100; null in the JSON deletes one'],
    ['secret bulk - --name my-worker < .env', 'lines NAME=text from standard input'],
  ],
});

export const deploy = declare({
  words: 'deploy',
  about: 'Bundle a worker, upload it and run it',
  effect: 'write',
  loss: {
    names: 'the code and the bindings that this project deployed',
    asks: 'removing bindings that this project has not deployed from here',
  },
  needs: 'account',
  arguments: {
    ENTRY: {
      kind: 'path',
      about: 'Entry of the worker; the configuration says it (main) when left out',
      optional: true,
    },
  },
  flags: {
    name: {
      kind: 'text',
      placeholder: 'WORKER',

      about: 'Name of the worker instead of the configured one',
    },
    'compatibility-date': {
      kind: 'text',
      placeholder: 'DATE',
      about: 'Date of the runtime instead of the configured one: 2026-11-01',
    },
    'dry-run': { kind: 'boolean', about: 'Bundle, check, show what would change, and change nothing' },
  },
  examples: [
    ['deploy', 'the worker of the configuration in this folder'],
    ['deploy --dry-run', 'what would change against what is deployed'],
    [
      'deploy src/index.ts --name my-worker --env staging',
      'another entry and name, with the bindings of staging',
    ],
  ],
  notes: ["The worker's secrets stay as they are; they are no part of a deploy."],
});

/** Where `dev` listens when no port is given. */
export const devPort = 8789;

export const dev = declare({
  words: 'dev',
  about: 'Run a worker on this machine over local data',
  effect: 'none',
  needs: 'nothing',
  arguments: {
    ENTRY: {
      kind: 'path',
      about: 'Entry of the worker; the configuration says it (main) when left out',
      optional: true,
    },
  },
  flags: {
    port: {
      kind: 'number',
      placeholder: 'N',
      about: `Port on loopback; ${devPort} when left out, 0 for any free one`,
    },
    'persist-to': {
      kind: 'path',
      placeholder: 'DIR',
      about: 'Folder of the local data; .edgectl/state beside the configuration when left out',
    },
    preview: { kind: 'boolean', about: 'Use the preview namespaces and buckets (preview_id)' },
    name: {
      kind: 'text',
      placeholder: 'WORKER',

      about: 'Name of the worker instead of the configured one',
    },
    'compatibility-date': {
      kind: 'text',
      placeholder: 'DATE',
      about: 'Date of the runtime instead of the configured one: 2026-11-01',
    },
  },
  examples: [
    ['dev', 'run the worker of this folder until Ctrl-C, and again on each change'],
    ['kv key put greeting hello --binding KV --local', 'meanwhile, in another terminal: the worker sees it'],
  ],
  notes: [
    'Secrets come from lines NAME=text in .dev.vars beside the configuration, and are kept out of version control there.',
    'What the worker writes to its console is shown on standard error.',
  ],
});

export const init = declare({
  words: 'init',
  about: 'Begin a worker from a template',
  effect: 'none',
  loss: {},
  needs: 'nothing',
  arguments: {
    DIR: {
      kind: 'path',
      about: 'Folder of the new project; the working directory when left out',
      optional: true,
    },
  },
  flags: {
    template: { kind: 'text', placeholder: 'NAME', about: `What to begin with: ${templates.join(', ')}` },
    name: {
      kind: 'text',
      placeholder: 'WORKER',

      about: "Name of the worker instead of the folder's",
    },
  },
  examples: [
    ['init my-worker --template bucket-worker', 'a worker in front of an object bucket, in TypeScript'],
  ],
});
