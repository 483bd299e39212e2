import { declare, type Flags } from '../../parsing/declaration.ts';

const policyFlags = {
  policy: {
    kind: 'path',
    placeholder: 'FILE',
    about: 'Policy file (default: policy.toml in the configuration folder)',
  },
} as const satisfies Flags;

const proxyFlag = {
  proxy: {
    kind: 'boolean',
    about: 'Also serve an HTTPS proxy, for programs that can only use https://api.cloudflare.com',
  },
} as const satisfies Flags;

const waitFlag = {
  wait: {
    kind: 'number',
    placeholder: 'SECONDS',
    about: 'Seconds to wait for a person to approve a request (default: 20)',
  },
} as const satisfies Flags;

const forFlag = {
  for: {
    kind: 'text',
    placeholder: 'TIME',
    about:
      'How long the guard can use a locked profile after you unlock it, such as 30m (default: until the guard stops)',
  },
} as const satisfies Flags;

const noUndoFlag = {
  'no-undo': { kind: 'boolean', about: 'Do not save deleted and overwritten data for edgectl undo' },
} as const satisfies Flags;

export const guardExec = declare({
  words: 'guard exec',
  about: 'Run a command that reaches the platform only through a guard',
  effect: 'none',
  needs: 'nothing',
  arguments: {
    COMMAND: { about: 'Program and its arguments, after --', many: true },
  },
  flags: {
    ...policyFlags,
    client: {
      kind: 'text',
      placeholder: 'NAME',
      about:
        "The program's name in rules and in the audit log (default: its file name or, with npx, the name of the package that npx runs)",
    },
    ...waitFlag,
    ...proxyFlag,
    ...forFlag,
    ...noUndoFlag,
  },
  examples: [
    ['guard exec -- terraform apply', 'run Terraform; deletes require approval'],
    ['guard exec --profile acme -- npx wrangler deploy', "run wrangler with a profile's credentials"],
    ['guard exec --sandbox -- npm test', 'run tests against the sandbox'],
    ['guard exec --proxy -- certbot certonly …', 'run a program that can only use api.cloudflare.com'],
  ],
  notes: [
    'The guard listens on this machine and forwards allowed requests to the platform with the real credentials. The command gets the address of the guard, and a token ' +
      'that is valid only for this guard, in the variables EDGECTL_*, CLOUDFLARE_API_TOKEN, CLOUDFLARE_API_BASE_URL (wrangler) and CLOUDFLARE_BASE_URL (the SDKs). Variables with other credentials are removed.',
    'Without a policy, reads and changes are allowed. Deletes, and writes to routes that edgectl does not know, require approval by a person, in the console or later with guard approve. If nobody answers, the request is refused with 403. docs/guard.md describes policies and limits.',
    'With --proxy, the command also gets HTTPS_PROXY and the variables that make programs trust the proxy. HTTPS requests to other hosts are refused, except to those in NO_PROXY.',
    'edgectl exits with the exit code of the command, or with 128 plus the signal number if a signal killed the command.',
  ],
});

export const guardStart = declare({
  words: 'guard start',
  about: 'Start a guard for several programs',
  effect: 'none',
  needs: 'nothing',
  arguments: {},
  flags: {
    ...policyFlags,
    port: { kind: 'number', placeholder: 'N', about: 'Port on this machine (default: any free port)' },
    client: {
      kind: 'text',
      placeholder: 'NAME',
      about: 'Common name for the programs in rules and in the audit log (default: guard)',
    },
    ...waitFlag,
    ...proxyFlag,
    ...forFlag,
    ...noUndoFlag,
  },
  examples: [
    ['guard start', 'print the variables that point programs to the guard'],
    ['guard start --profile acme --port 8790', 'guard a profile on a fixed port'],
  ],
  notes: [
    'Prints environment variables for the programs, and runs until Ctrl-C. Each start creates a new token, which is valid only for this guard. ' +
      'If a request requires approval, the guard asks on the terminal and in the console. Unlike guard exec, guard start cannot remove other credentials from the environment of the programs.',
  ],
});

export const guardHeld = declare({
  words: 'guard held',
  about: 'List requests that are waiting for approval or can still be approved',
  effect: 'none',
  needs: 'nothing',
  arguments: {},
  flags: {},
  examples: [['guard held', 'list the held requests of all running guards']],
});

const heldNumber = {
  NUMBER: { about: 'Number of the request, from guard held or from the refusal' },
} as const;

export const guardApprove = declare({
  words: 'guard approve',
  about: 'Approve a held request',
  effect: 'none',
  needs: 'nothing',
  arguments: heldNumber,
  flags: {
    same: {
      kind: 'boolean',
      about: 'Also approve matching requests until the guard stops; the confirmation describes them',
    },
  },
  examples: [
    ['guard approve 417-1', 'send a waiting request, or let the program repeat a refused request once'],
  ],
  notes: [
    'The command asks for confirmation on the terminal, even with --yes. A refused request can be approved within 10 minutes. The approval is valid for one repeated request with the same method, path and body.',
  ],
});

export const guardRefuse = declare({
  words: 'guard refuse',
  about: 'Refuse a held request',
  effect: 'none',
  needs: 'nothing',
  arguments: heldNumber,
  flags: {},
  examples: [['guard refuse 417-1', 'refuse a waiting request with status 403']],
});

const auditFlags = {
  client: {
    kind: 'text',
    placeholder: 'NAME',
    about: 'Only requests from this program: edgectl, console, terraform …',
  },
  refused: { kind: 'boolean', about: 'Only requests that a policy refused' },
} as const satisfies Flags;

export const auditList = declare({
  words: 'audit list',
  about: 'List writes to accounts, and refused requests',
  effect: 'none',
  needs: 'nothing',
  arguments: {},
  flags: {
    ...auditFlags,
    limit: {
      kind: 'number',
      placeholder: 'N',
      about: 'Maximum number of requests, newest first (default: 50; 0: all)',
    },
  },
  examples: [
    ['audit list', 'show the latest writes'],
    ['audit list --refused --limit 0', 'show all refused requests'],
  ],
  notes: [
    'The log contains each write that a command, the console or a guard makes to an account: time, user, program, account or zone, route, names, the rule that decided, and the status. ' +
      'The log never contains values, queries or secrets. Writes to local data are not recorded. Writes to a sandbox on this machine are recorded only if they go through a guard.',
  ],
});

export const auditShow = declare({
  words: 'audit show',
  about: 'Show all fields of a request in the audit log',
  effect: 'none',
  needs: 'nothing',
  arguments: { NUMBER: { about: 'Number of the request, from audit list' } },
  flags: {},
  examples: [['audit show 12', 'show the request with this number']],
});

export const auditVerify = declare({
  words: 'audit verify',
  about: 'Check the audit log for changed or removed records',
  effect: 'none',
  needs: 'nothing',
  arguments: {},
  flags: {},
  examples: [['audit verify', 'check the log; exit 7 if a record was changed or removed']],
  notes: [
    'Each record contains the SHA-256 of the record before it. This chain cannot show that the newest records were removed, or that the entire log was rewritten. To detect this, ' +
      'compare the number and the hash of the last record with a copy that you store elsewhere.',
  ],
});

export const auditFollow = declare({
  words: 'audit follow',
  about: 'Print each request when it is decided, and again with its outcome',
  effect: 'none',
  needs: 'nothing',
  arguments: {},
  flags: auditFlags,
  examples: [['audit follow', 'print until Ctrl-C']],
});

export const auditExport = declare({
  words: 'audit export',
  about: 'Print all records of the audit log, unchanged',
  effect: 'none',
  needs: 'nothing',
  arguments: {},
  flags: {},
  examples: [['audit export > audit.ndjson', 'save a copy, one JSON record per line']],
});

export const policyShow = declare({
  words: 'policy show',
  about: 'Show the policies that apply, with their rules',
  effect: 'none',
  needs: 'nothing',
  arguments: {},
  flags: policyFlags,
  examples: [['policy show', 'list files and rules, in order of precedence']],
});

export const policyTest = declare({
  words: 'policy test',
  about: 'Show whether a policy allows a request or a command, and which rule decides',
  effect: 'none',
  needs: 'nothing',
  arguments: {
    REQUEST: { about: 'A method and a path in one argument, or an edgectl command after --', many: true },
  },
  flags: {
    ...policyFlags,
    client: {
      kind: 'text',
      placeholder: 'NAME',
      about: 'Program that sends the request (default: edgectl for a command, curl for a request)',
    },
  },
  examples: [
    ["policy test 'DELETE /zones/ID'", 'test a request from a guarded program'],
    ['policy test -- kv key delete greeting --namespace-id ID', 'test an edgectl command'],
  ],
  notes: [
    'Nothing is sent. For a command, the test uses only its declared effect and its flags, so some facts about its requests are unknown.',
  ],
});
