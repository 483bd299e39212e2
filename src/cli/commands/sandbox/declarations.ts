import { zonePlans } from '../../../model/zones/plan.ts';
import { declare, type Flags } from '../../parsing/declaration.ts';
import { displayFlags, forceFlag } from '../../parsing/flags.ts';

/** The flag for the folder of a sandbox. */
export const sandboxDirFlag = {
  dir: {
    kind: 'path',
    placeholder: 'DIR',
    about:
      'Folder of the sandbox (default: --sandbox=DIR, EDGECTL_SANDBOX_DIR, or a folder in your home folder)',
  },
} as const satisfies Flags;

/** The flag for a sandbox's initial data. */
export const seedFlag = {
  seed: {
    kind: 'path',
    placeholder: 'FILE',
    about: 'Load the data of this YAML or JSON file (see edgectl help seed)',
  },
} as const satisfies Flags;

/** The flag for strict mode. */
export const strictFlag = {
  strict: {
    kind: 'boolean',
    about:
      'Refuse requests that the platform tolerates although they are invalid; to see the reasons, run: edgectl sandbox requests',
  },
} as const satisfies Flags;

/** The proxy flag, for clients whose base URL cannot be changed. */
export const proxyFlag = {
  proxy: {
    kind: 'boolean',
    about: 'Also serve a proxy that sends requests for https://api.cloudflare.com to the sandbox',
  },
} as const satisfies Flags;

export const demo = declare({
  words: 'demo',
  about: 'Open the console with demo data (no terminal: print a tour)',
  effect: 'none',
  needs: 'nothing',
  arguments: {},
  flags: { ...displayFlags },
  examples: [['demo', 'try edgectl without an account']],
  notes: [
    'The demo ignores credentials in the environment and profiles, and has its own data folder. Your display settings apply.',
  ],
});

export const sandboxStart = declare({
  words: 'sandbox start',
  about: 'Start a sandbox server on this machine',
  effect: 'none',
  needs: 'nothing',
  arguments: {},
  flags: {
    port: {
      kind: 'number',
      placeholder: 'N',
      about: 'Port on loopback (default: 8787; 0: any free port)',
    },
    'edge-port': {
      kind: 'number',
      placeholder: 'N',
      about: 'Port of the edge: workers and custom hostnames (default: --port + 1)',
    },
    'edge-tls-port': {
      kind: 'number',
      placeholder: 'N',
      about: 'Port of the edge over TLS (default: --port + 3)',
    },
    'dns-port': {
      kind: 'number',
      placeholder: 'N',
      about: 'Port of DNS, over UDP and TCP (default: --port + 2)',
    },
    's3-port': {
      kind: 'number',
      placeholder: 'N',
      about: 'S3 API port (default: --port + 4)',
    },
    ...proxyFlag,
    'proxy-port': {
      kind: 'number',
      placeholder: 'N',
      about: 'Port of the proxy, with --proxy (default: --port + 5)',
    },
    plan: {
      kind: 'text',
      placeholder: 'PLAN',
      about: "Plan of the sandbox's zones: free, pro, business or enterprise (default: enterprise)",
      completes: zonePlans,
    },
    'issuance-limit': {
      kind: 'number',
      placeholder: 'N',
      about: 'Maximum number of certificates per minute (default: 15)',
    },
    listen: {
      kind: 'text',
      placeholder: 'ADDRESS',
      about: 'IP address to listen on in addition to 127.0.0.1 (0.0.0.0: all); requires --allow-host',
    },
    'allow-host': {
      kind: 'texts',
      placeholder: 'NAME',
      about: 'Host name that other machines may use for the sandbox (repeatable)',
    },
    origin: {
      kind: 'texts',
      placeholder: 'NAME=PORT',
      about:
        'Loopback port that serves as the origin NAME (repeatable; with --listen, no other origins are accepted)',
    },
    ...sandboxDirFlag,
    ephemeral: {
      kind: 'boolean',
      about: 'Use a temporary folder, deleted when the sandbox stops',
    },
    demo: { kind: 'boolean', about: 'Load demo data' },
    ...seedFlag,
    ...strictFlag,
    'ready-file': {
      kind: 'path',
      placeholder: 'FILE',
      about: 'Write the address and credentials to this file when the server is ready; - is standard output',
    },
  },
  examples: [
    ['sandbox start --demo', 'serve demo data until Ctrl-C'],
    [
      'sandbox start --ephemeral --port 0 --seed seed.yaml --ready-file ready.json',
      'serve seed data for tests in CI',
    ],
    [
      'sandbox start --listen 0.0.0.0 --allow-host sandbox',
      'serve other containers, which use the host name "sandbox"',
    ],
  ],
  notes: [
    'Without --listen, the sandbox only listens on 127.0.0.1. On another machine, edgectl reaches the sandbox if EDGECTL_ALLOW_HTTP_HOST contains its ' +
      'host name. The printed credentials are only valid for this sandbox. With --ready-file or --quiet, no credentials are printed.',
    'To request a custom hostname, set the Host header: curl -H "Host: shop.tea-house.demo" EDGE. The edge responds with a page that ' +
      'names the origin. To respond from a loopback port instead, use --origin, or PUT /sandbox/origins {"name","port"} with the sandbox token.',
    'With --proxy, programs that can only use api.cloudflare.com must set HTTPS_PROXY to the proxy and trust caFile (or caBundleFile, if they ' +
      'can only trust one file). The proxy listens only on 127.0.0.1, even with --listen, and refuses other hosts.',
  ],
});

export const sandboxStatus = declare({
  words: 'sandbox status',
  about: 'Show whether the sandbox is running',
  effect: 'none',
  needs: 'nothing',
  arguments: {},
  flags: sandboxDirFlag,
  examples: [['sandbox status', 'show whether the sandbox is running, and its addresses']],
});

export const sandboxReset = declare({
  words: 'sandbox reset',
  about: 'Delete all data in the sandbox',
  effect: 'destroy',
  loss: { asks: 'deleting the data of the sandbox' },
  needs: 'nothing',
  arguments: {},
  flags: sandboxDirFlag,
  examples: [['sandbox reset --yes', 'start again with an empty account']],
});

export const snapshotSave = declare({
  words: 'sandbox snapshot save',
  about: 'Save the sandbox data to a file',
  effect: 'read',
  needs: 'nothing',
  arguments: {
    FILE: {
      about: 'YAML if the name ends in .yaml or .yml, otherwise JSON; - is standard output',
      kind: 'path',
    },
  },
  flags: { ...sandboxDirFlag, ...forceFlag },
  examples: [['sandbox snapshot save before.json', 'save the data, to restore it later']],
  notes: [
    'The file is a seed for --seed: namespaces, buckets, workers (only the running version), zones, custom hostnames and the clock. ' +
      'The file contains the secrets of workers and the private keys of certificates, so only you can read it.',
  ],
});

export const snapshotLoad = declare({
  words: 'sandbox snapshot load',
  about: 'Replace the sandbox data with the data in a file',
  effect: 'destroy',
  loss: { asks: 'replacing the data of the sandbox' },
  needs: 'nothing',
  arguments: { FILE: { about: 'Snapshot or other seed: YAML or JSON', kind: 'path' } },
  flags: sandboxDirFlag,
  examples: [['sandbox snapshot load before.json --yes', 'restore the saved data']],
  notes: ['If anything in the file is invalid, all errors are reported and nothing is changed.'],
});

export const record = declare({
  words: 'sandbox record',
  about: 'Export an account to a seed file for a sandbox',
  effect: 'read',
  needs: 'account',
  arguments: {
    FILE: {
      about: 'YAML if the name ends in .yaml or .yml, otherwise JSON; - is standard output',
      kind: 'path',
    },
  },
  flags: {
    ...forceFlag,
    'with-values': {
      kind: 'boolean',
      about: 'Export real values, metadata, variables and code (default: masked)',
    },
    most: {
      kind: 'number',
      placeholder: 'N',
      about: 'Maximum number of keys per namespace and objects per bucket (default: 1000)',
    },
  },
  examples: [
    ['sandbox record production.yaml --profile work', 'export production, for tests with similar data'],
  ],
  notes: [
    'The command only reads, within the request budget. Names and statuses are exported unchanged. Values, metadata, variables and code are ' +
      'replaced with text of the same length unless --with-values is set. Secrets and the bytes of objects (up to 64 KiB each) are always ' +
      'replaced. The file is written atomically at the end.',
  ],
});

export const dnsSet = declare({
  words: 'sandbox dns set',
  about: "Set a customer's DNS records in the sandbox",
  effect: 'write',
  loss: { names: 'the records of NAME and TYPE' },
  needs: 'nothing',
  arguments: {
    NAME: { about: "Customer's DNS name, such as shop.tea-house.demo" },
    TYPE: {
      about: 'A, AAAA, CNAME, TXT, CAA, NS, SOA; or SERVFAIL, REFUSED, TIMEOUT, NXDOMAIN, BOGUS (DNSSEC)',
    },
    CONTENT: {
      about: 'Record contents; for a failure, the record types that fail',
      optional: true,
      many: true,
    },
  },
  flags: {
    ttl: {
      kind: 'number',
      placeholder: 'SECONDS',
      about: 'How long resolvers can cache the record, in seconds (default: 300)',
    },
    ...sandboxDirFlag,
  },
  examples: [
    [
      'sandbox dns set shop.tea-house.demo CNAME customers.saas.sandbox',
      "point a customer's hostname to the zone",
    ],
    [
      `sandbox dns set tea-house.demo CAA '0 issue "letsencrypt.org"'`,
      'allow only one certificate authority to issue',
    ],
    ['sandbox dns set shop.tea-house.demo SERVFAIL CAA', 'make CAA queries fail'],
  ],
  notes: [
    "These records simulate customers' DNS. For the sandbox's own zones, use edgectl zone record set. Existing records of this name and " +
      'type are replaced. Affected custom hostnames are rechecked immediately.',
  ],
});

export const dnsUnset = declare({
  words: 'sandbox dns unset',
  about: "Remove a customer's DNS records from the sandbox",
  effect: 'write',
  loss: { names: 'the records of NAME' },
  needs: 'nothing',
  arguments: {
    NAME: { about: "Customer's DNS name, such as shop.tea-house.demo" },
    TYPE: { about: 'Record type or failure (default: all)', optional: true, omitted: 'all' },
  },
  flags: sandboxDirFlag,
  examples: [['sandbox dns unset shop.tea-house.demo', 'remove all records of the name']],
});

export const dnsList = declare({
  words: 'sandbox dns list',
  about: "List customers' DNS records in the sandbox",
  effect: 'read',
  needs: 'nothing',
  arguments: { NAME: { about: 'Only this name', optional: true } },
  flags: sandboxDirFlag,
  examples: [['sandbox dns list', 'list all records']],
});

export const clockAdvance = declare({
  words: 'sandbox clock advance',
  about: 'Advance the sandbox clock',
  effect: 'write',
  loss: { names: 'data that expires by the new time' },
  needs: 'nothing',
  arguments: { DURATION: { about: 'Seconds or a duration: 90, 90s, 90m, 7d, 1h30m' } },
  flags: sandboxDirFlag,
  examples: [['sandbox clock advance 7d', 'advance by a week, to see what happens to custom hostnames']],
  notes: [
    'Keys, zones, holds and custom hostnames use this clock; objects do not. The clock goes back only if the sandbox is reset or a snapshot is loaded.',
  ],
});

export const clockShow = declare({
  words: 'sandbox clock show',
  about: 'Show the sandbox clock',
  effect: 'read',
  needs: 'nothing',
  arguments: {},
  flags: sandboxDirFlag,
  examples: [['sandbox clock show', 'show the time in the sandbox']],
});
