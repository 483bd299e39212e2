import { zonePlans } from '../../../model/zones/plan.ts';
import { declare, type Flags } from '../../parsing/declaration.ts';
import { forceFlag, mannerFlags } from '../../parsing/flags.ts';

/** Which sandbox, on the commands that are about one. */
export const sandboxDirFlag = {
  dir: {
    kind: 'path',
    placeholder: 'DIR',
    about: 'Folder of its data; that of --sandbox=DIR or EDGECTL_SANDBOX_DIR, or your own, when left out',
  },
} as const satisfies Flags;

/** The data that a sandbox begins with. */
export const seedFlag = {
  seed: {
    kind: 'path',
    placeholder: 'FILE',
    about: 'Fill it with the data of a YAML or JSON file (edgectl help seed)',
  },
} as const satisfies Flags;

/** How a sandbox answers. */
export const strictFlag = {
  strict: {
    kind: 'boolean',
    about: 'Refuse what the platform merely tolerates; sandbox requests says why',
  },
} as const satisfies Flags;

/** For clients that take no base URL. */
export const proxyFlag = {
  proxy: {
    kind: 'boolean',
    about: 'Serve a proxy too: programs that go to https://api.cloudflare.com come to the sandbox',
  },
} as const satisfies Flags;

export const demo = declare({
  words: 'demo',
  about: 'Open the console on demo data; without a terminal, a short tour',
  effect: 'none',
  needs: 'nothing',
  arguments: {},
  flags: { ...mannerFlags },
  examples: [['demo', 'look around without an account']],
  notes: [
    'It ignores the environment and the profiles, and keeps its data in a folder of its own. How you want the console to ' +
      'look holds here too.',
  ],
});

export const sandboxStart = declare({
  words: 'sandbox start',
  about: 'Serve the embedded platform on this machine',
  effect: 'none',
  needs: 'nothing',
  arguments: {},
  flags: {
    port: {
      kind: 'number',
      placeholder: 'N',
      about: 'Port on loopback; 8787 when left out, 0 for any free one',
    },
    'edge-port': {
      kind: 'number',
      placeholder: 'N',
      about: 'Port where workers and custom hostnames answer; the one after --port when left out',
    },
    'edge-tls-port': {
      kind: 'number',
      placeholder: 'N',
      about: 'Port where custom hostnames answer over TLS; the third after --port when left out',
    },
    'dns-port': {
      kind: 'number',
      placeholder: 'N',
      about: 'Port of DNS, over UDP and TCP; the second after --port when left out',
    },
    's3-port': {
      kind: 'number',
      placeholder: 'N',
      about: 'Port of the S3 API of its buckets; the fourth after --port when left out',
    },
    ...proxyFlag,
    'proxy-port': {
      kind: 'number',
      placeholder: 'N',
      about: 'Port of that proxy; the fifth after --port when left out',
    },
    plan: {
      kind: 'text',
      placeholder: 'PLAN',
      about: 'Plan of its zones: free, pro, business or enterprise, which is taken when left out',
      completes: zonePlans,
    },
    'issuance-limit': {
      kind: 'number',
      placeholder: 'N',
      about: 'Certificates issued in a minute at most; 15 when left out',
    },
    listen: {
      kind: 'text',
      placeholder: 'ADDRESS',
      about: 'IP address to listen at, beside 127.0.0.1; 0.0.0.0 is all of them. Needs --allow-host',
    },
    'allow-host': {
      kind: 'texts',
      placeholder: 'NAME',
      about: 'Host name by which other machines may call it (repeatable)',
    },
    origin: {
      kind: 'texts',
      placeholder: 'NAME=PORT',
      about: 'Loopback port that serves as the origin NAME (repeatable); with --listen no other port can',
    },
    ...sandboxDirFlag,
    ephemeral: {
      kind: 'boolean',
      about: 'Keep its data in a temporary folder, which is removed at the end',
    },
    demo: { kind: 'boolean', about: 'Fill it with demo data' },
    ...seedFlag,
    ...strictFlag,
    'ready-file': {
      kind: 'path',
      placeholder: 'FILE',
      about: 'Write address and credentials there once it answers; - is standard output',
    },
  },
  examples: [
    ['sandbox start --demo', 'serve the embedded platform until Ctrl-C'],
    ['sandbox start --ephemeral --port 0 --seed seed.yaml --ready-file ready.json', 'for tests in CI'],
    ['sandbox start --listen 0.0.0.0 --allow-host sandbox', 'for other containers, which call it "sandbox"'],
  ],
  notes: [
    'It listens on 127.0.0.1 only, unless --listen says otherwise; edgectl elsewhere reaches it where ' +
      'EDGECTL_ALLOW_HTTP_HOST names its host. The credentials it prints are good for this sandbox alone; with --ready-file and with ' +
      '--quiet it prints none.',
    'Custom hostnames are visited by their Host: curl -H "Host: shop.tea-house.demo" EDGE. The edge shows a page that ' +
      'names the origin; --origin, or PUT /sandbox/origins {"name","port"} with the token of the sandbox, lets a loopback port answer instead.',
    'With --proxy, programs that know one host only come by HTTPS_PROXY and trust caFile, or caBundleFile where they ' +
      'trust one file alone. The proxy is of 127.0.0.1 whatever --listen says, and lets nobody through to other hosts.',
  ],
});

export const sandboxStatus = declare({
  words: 'sandbox status',
  about: 'Show whether the embedded platform runs',
  effect: 'none',
  needs: 'nothing',
  arguments: {},
  flags: sandboxDirFlag,
  examples: [['sandbox status', 'whether it runs, and where']],
});

export const sandboxReset = declare({
  words: 'sandbox reset',
  about: 'Remove all data of the embedded platform',
  effect: 'destroy',
  loss: { asks: 'deleting the data of the sandbox' },
  needs: 'nothing',
  arguments: {},
  flags: sandboxDirFlag,
  examples: [['sandbox reset --yes', 'begin again with an empty account']],
});

export const snapshotSave = declare({
  words: 'sandbox snapshot save',
  about: 'Write what is in the embedded platform into a file',
  effect: 'read',
  needs: 'nothing',
  arguments: {
    FILE: { about: 'YAML where it ends in .yaml or .yml, else JSON; - is standard output', kind: 'path' },
  },
  flags: { ...sandboxDirFlag, ...forceFlag },
  examples: [['sandbox snapshot save before.json', 'keep it, to come back to it']],
  notes: [
    'The file is a seed, as --seed takes it: namespaces, buckets, workers, zones, custom hostnames, the clock. Secrets of ' +
      'workers and keys of certificates are in it, so that only you can read it. Of a worker it has the version that runs.',
  ],
});

export const snapshotLoad = declare({
  words: 'sandbox snapshot load',
  about: 'Replace what is in the embedded platform by what a file holds',
  effect: 'destroy',
  loss: { asks: 'replacing the data of the sandbox' },
  needs: 'nothing',
  arguments: { FILE: { about: 'A snapshot, or another seed: YAML or JSON', kind: 'path' } },
  flags: sandboxDirFlag,
  examples: [['sandbox snapshot load before.json --yes', 'go back to it']],
  notes: ['Where anything in the file is wrong, each fault is told and nothing is changed.'],
});

export const record = declare({
  words: 'sandbox record',
  about: 'Write an account into a file that a sandbox begins with',
  effect: 'read',
  needs: 'account',
  arguments: {
    FILE: { about: 'YAML where it ends in .yaml or .yml, else JSON; - is standard output', kind: 'path' },
  },
  flags: {
    ...forceFlag,
    'with-values': {
      kind: 'boolean',
      about: 'Values, metadata, variables and code as they are; masked ones when left out',
    },
    most: {
      kind: 'number',
      placeholder: 'N',
      about: 'Keys of a namespace and objects of a bucket at most; 1000 when left out',
    },
  },
  examples: [['sandbox record production.yaml --profile work', 'for tests on what production looks like']],
  notes: [
    'It only reads, within the budget of requests. Names and states are kept; values, metadata, variables and code are replaced ' +
      'by texts of the same length unless --with-values is there, the bytes of objects always (64 KiB at most), and secrets too. ' +
      'The file is written whole at the end, or not at all.',
  ],
});

export const dnsSet = declare({
  words: 'sandbox dns set',
  about: 'Set what the DNS of customers says',
  effect: 'write',
  loss: { names: 'the records of NAME and TYPE' },
  needs: 'nothing',
  arguments: {
    NAME: { about: 'Name of a customer' },
    TYPE: {
      about: 'A, AAAA, CNAME, TXT, CAA, NS, SOA; or SERVFAIL, REFUSED, TIMEOUT, NXDOMAIN, BOGUS (DNSSEC)',
    },
    CONTENT: { about: 'Records; of a failure the record types that fail', optional: true, many: true },
  },
  flags: {
    ttl: {
      kind: 'number',
      placeholder: 'SECONDS',
      about: 'How long an answer may be kept; 300 when left out',
    },
    ...sandboxDirFlag,
  },
  examples: [
    ['sandbox dns set shop.tea-house.demo CNAME customers.saas.sandbox', 'point a customer at the zone'],
    [`sandbox dns set tea-house.demo CAA '0 issue "letsencrypt.org"'`, 'let one authority issue only'],
    ['sandbox dns set shop.tea-house.demo SERVFAIL CAA', 'let the question for CAA fail'],
  ],
  notes: [
    'It plays the DNS of customers; zones of the sandbox have the DNS records of the API instead. What the ' +
      'name had of this type is replaced; custom hostnames that see a difference are checked at once.',
  ],
});

export const dnsUnset = declare({
  words: 'sandbox dns unset',
  about: 'Take away what the DNS of customers says',
  effect: 'write',
  loss: { names: 'the records of NAME' },
  needs: 'nothing',
  arguments: {
    NAME: { about: 'Name of a customer' },
    TYPE: { about: 'Record type or failure (default: all)', optional: true, omitted: 'all' },
  },
  flags: sandboxDirFlag,
  examples: [['sandbox dns unset shop.tea-house.demo', 'take away all that it has']],
});

export const dnsList = declare({
  words: 'sandbox dns list',
  about: 'List what the DNS of customers says',
  effect: 'read',
  needs: 'nothing',
  arguments: { NAME: { about: 'Only this name', optional: true } },
  flags: sandboxDirFlag,
  examples: [['sandbox dns list', 'what the DNS of customers says']],
});

export const clockAdvance = declare({
  words: 'sandbox clock advance',
  about: "Move the embedded platform's clock ahead",
  effect: 'write',
  loss: { names: 'what expires in that time' },
  needs: 'nothing',
  arguments: { DURATION: { about: 'How far: 90, 90s, 90m, 7d, 1h30m' } },
  flags: sandboxDirFlag,
  examples: [['sandbox clock advance 7d', 'see what a week does to custom hostnames']],
  notes: [
    'Keys, zones, holds and custom hostnames live by this clock; objects do not. It never goes back but by a reset.',
  ],
});

export const clockShow = declare({
  words: 'sandbox clock show',
  about: "Show the embedded platform's clock",
  effect: 'read',
  needs: 'nothing',
  arguments: {},
  flags: sandboxDirFlag,
  examples: [['sandbox clock show', 'what time it is in the sandbox']],
});
