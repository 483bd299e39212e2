import { templates } from '../../../model/workers/template.ts';
import { declare, type Flags } from '../../parsing/declaration.ts';

const nameArgument = { about: 'Name of the secret; the worker reads it as env.NAME' } as const;

const workerFlags = {
  name: {
    kind: 'text',
    placeholder: 'WORKER',

    about: 'Name of the worker (default: from the configuration file)',
  },
} as const satisfies Flags;

const manyFlags = {
  ...workerFlags,
  'all-workers': { kind: 'boolean', about: 'Act on all workers in the account, one after the other' },
  workers: {
    kind: 'text',
    placeholder: 'FILTER',
    about: 'Act on the workers whose names match this filter: text, /regex/, !not, ~fuzzy',
  },
} as const satisfies Flags;

const manyNotes = [
  'With --workers or --all-workers, edgectl shows the names and asks you to type their number to confirm. --yes skips the question.',
  'If one worker fails, the command continues with the next and ends with exit code 6. The command is safe to run again.',
];

export const secretPut = declare({
  words: 'secret put',
  about: "Set a worker's secret",
  effect: 'write',
  loss: { names: 'the value of the secret NAME', asks: 'setting it on several workers' },
  needs: 'account',
  arguments: { NAME: nameArgument },
  flags: manyFlags,
  examples: [
    ['secret put AUTH_KEY_SECRET', 'prompt for the value without showing it'],
    ['secret put AUTH_KEY_SECRET --name my-worker < key.txt', 'read the value from standard input'],
    [
      "secret put AUTH_KEY_SECRET --workers '/^shop-/'",
      'set one value for all workers whose names start with shop-',
    ],
    [
      'secret put AUTH_KEY_SECRET --all-workers --yes < key.txt',
      'set the secret for all workers, without confirmation',
    ],
  ],
  notes: [
    'The value cannot be an argument, because arguments are visible in the process list and the shell history.',
    'One newline at the end of standard input is removed, and a note is printed.',
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
  examples: [['secret list', 'print a JSON array of names and types; values cannot be read']],
});

export const secretDelete = declare({
  words: 'secret delete',
  about: "Delete a worker's secret",
  effect: 'destroy',
  loss: { asks: 'deleting the secret' },
  needs: 'account',
  arguments: { NAME: nameArgument },
  flags: manyFlags,
  examples: [
    ['secret delete AUTH_KEY_SECRET', 'delete a secret, after confirmation; its value cannot be restored'],
    ['secret delete OLD_KEY --all-workers', 'delete a secret from all workers that have it'],
  ],
  notes: manyNotes,
});

export const secretBulk = declare({
  words: 'secret bulk',
  about: 'Set and delete many secrets from a file',
  effect: 'write',
  loss: { names: 'the values of the secrets in FILE', asks: 'deleting secrets' },
  needs: 'account',
  arguments: { FILE: { kind: 'path', about: 'JSON object or .env file; - is standard input' } },
  flags: workerFlags,
  examples: [
    ['secret bulk secrets.json', 'set up to 100 secrets; a null value deletes a secret'],
    ['secret bulk - --name my-worker < .env', 'read NAME=value lines from standard input'],
  ],
});

export const deploy = declare({
  words: 'deploy',
  about: 'Bundle and deploy a worker',
  effect: 'write',
  loss: {
    names: 'the code and bindings that this project deployed',
    asks: 'removing bindings that were not deployed from this project',
  },
  needs: 'account',
  arguments: {
    ENTRY: {
      kind: 'path',
      about: 'Entry point of the worker (default: main in the configuration)',
      optional: true,
    },
  },
  flags: {
    name: {
      kind: 'text',
      placeholder: 'WORKER',

      about: 'Name of the worker (default: name in the configuration)',
    },
    'compatibility-date': {
      kind: 'text',
      placeholder: 'DATE',
      about: 'Compatibility date, such as 2026-11-01 (default: from the configuration)',
    },
    'dry-run': { kind: 'boolean', about: 'Bundle and check the worker, and show what would change' },
  },
  examples: [
    ['deploy', 'deploy the worker in this folder'],
    ['deploy --dry-run', 'show the differences from the deployed version'],
    [
      'deploy src/index.ts --name my-worker --env staging',
      'deploy another entry point under another name, with the bindings of staging',
    ],
  ],
  notes: ["A deploy does not change the worker's secrets."],
});

/** Default port of `dev`. */
export const devPort = 8789;

export const dev = declare({
  words: 'dev',
  about: 'Run a worker on this machine with local data',
  effect: 'none',
  needs: 'nothing',
  arguments: {
    ENTRY: {
      kind: 'path',
      about: 'Entry point of the worker (default: main in the configuration)',
      optional: true,
    },
  },
  flags: {
    port: {
      kind: 'number',
      placeholder: 'N',
      about: `Port on loopback (default: ${devPort}; 0: any free port)`,
    },
    'persist-to': {
      kind: 'path',
      placeholder: 'DIR',
      about: 'Folder of the local data (default: .edgectl/state next to the configuration)',
    },
    preview: { kind: 'boolean', about: 'Use the preview namespaces and buckets' },
    name: {
      kind: 'text',
      placeholder: 'WORKER',

      about: 'Name of the worker (default: name in the configuration)',
    },
    'compatibility-date': {
      kind: 'text',
      placeholder: 'DATE',
      about: 'Compatibility date, such as 2026-11-01 (default: from the configuration)',
    },
  },
  examples: [
    ['dev', 'run the worker in this folder until Ctrl-C; restart it on each change'],
    [
      'kv key put greeting hello --binding KV --local',
      'in another terminal: write a key that the worker can read',
    ],
  ],
  notes: [
    'Secrets are NAME=value lines in .dev.vars next to the configuration. Do not commit this file; edgectl init adds it to .gitignore.',
    "The worker's console output goes to standard error.",
  ],
});

export const init = declare({
  words: 'init',
  about: 'Create a worker project from a template',
  effect: 'none',
  loss: {},
  needs: 'nothing',
  arguments: {
    DIR: {
      kind: 'path',
      about: 'Folder of the new project (default: the working directory)',
      optional: true,
    },
  },
  flags: {
    template: {
      kind: 'text',
      placeholder: 'NAME',
      about: `Template: ${templates.join(', ')} (default: ${templates[0]})`,
    },
    name: {
      kind: 'text',
      placeholder: 'WORKER',

      about: "Name of the worker (default: the folder's name)",
    },
  },
  examples: [
    ['init my-worker --template bucket-worker', 'create a TypeScript worker that serves an object bucket'],
  ],
});
