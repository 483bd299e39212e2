import { declare } from '../../parsing/declaration.ts';
import { proxyFlag, sandboxDirFlag, seedFlag, strictFlag } from './declarations.ts';

export const faultAdd = declare({
  words: 'sandbox fault add',
  about: 'Let the sandbox answer some requests with a fault',
  effect: 'none',
  loss: {},
  needs: 'nothing',
  arguments: {},
  flags: {
    match: {
      kind: 'text',
      placeholder: 'GLOB',
      about: 'Which requests: a method, or *, and a glob of the path below /client/v4, or s3:/bucket/key',
    },
    status: { kind: 'number', placeholder: 'N', about: 'Answer with this HTTP status' },
    'retry-after': { kind: 'number', placeholder: 'SECONDS', about: 'Retry-After of such an answer' },
    latency: { kind: 'number', placeholder: 'MS', about: 'Wait first' },
    jitter: { kind: 'number', placeholder: 'MS', about: 'Wait up to so much more, by chance' },
    cut: {
      kind: 'text',
      placeholder: 'WHERE',
      completes: ['before', 'in', 'after'],
      about: 'Cut the connection: before the request is carried out, in the answer, or after the deed',
    },
    body: {
      kind: 'text',
      placeholder: 'HOW',
      completes: ['truncated', 'wrong', 'empty', 'html'],
      about: 'Answer with another body: truncated, wrong, empty, html',
    },
    'unsuccessful-keys': {
      kind: 'text',
      placeholder: 'SHARE',
      about: 'Share of the keys of a bulk call that are not written, and reported so; 0 to 1',
    },
    stale: { kind: 'number', placeholder: 'SECONDS', about: 'Give again what was read once, for so long' },
    'page-size': { kind: 'number', placeholder: 'N', about: 'Rows of a page at most' },
    rate: {
      kind: 'text',
      placeholder: 'N/SECONDS',
      about: 'Refuse with 429 what comes more often, per token; with :path behind it, per path',
    },
    share: { kind: 'text', placeholder: 'SHARE', about: 'Share of the requests that it meets; 0 to 1' },
    times: { kind: 'number', placeholder: 'N', about: 'End after so many requests' },
    seed: { kind: 'number', placeholder: 'N', about: 'What chance begins with: the same meets the same' },
    ...sandboxDirFlag,
  },
  examples: [
    [
      "sandbox fault add --match 'GET /accounts/*/storage/kv/**' --status 429 --retry-after 1 --times 3",
      'refuse three reads',
    ],
    ["sandbox fault add --match '/zones/**' --latency 300 --jitter 200", 'be slow about zones'],
    ["sandbox fault add --match 'PUT /**' --cut after --share 0.1 --seed 7", 'lose a tenth of the answers'],
    ["sandbox fault add --match '/**' --rate 1200/300", "keep the platform's own budget"],
    [
      "sandbox fault add --match 'PUT /accounts/*/storage/kv/**/values/*' --rate 1/1:path",
      'one write a second to a key',
    ],
    ["sandbox fault add --match 'PUT s3:/pictures/**' --status 503 --times 2", 'a SlowDown of the S3 API'],
  ],
  notes: [
    "Paths are those of the v4 API; behind s3: they are the S3 API's, answered with its XML. A path that begins with a " +
      "bucket's name is one of the S3 API, too.",
    'A fault ends with the server. Several meet one request in the order in which they were set; one can do several ' +
      'things. Calls about the sandbox itself meet none.',
  ],
});

export const faultList = declare({
  words: 'sandbox fault list',
  about: 'List the faults that are set, and how many requests each has met',
  effect: 'read',
  needs: 'nothing',
  arguments: {},
  flags: sandboxDirFlag,
  examples: [['sandbox fault list', 'what is set']],
});

export const faultClear = declare({
  words: 'sandbox fault clear',
  about: 'End a fault, or all',
  effect: 'none',
  loss: { names: 'faults' },
  needs: 'nothing',
  arguments: { ID: { about: 'Id of the fault (default: all)', optional: true, omitted: 'all' } },
  flags: sandboxDirFlag,
  examples: [['sandbox fault clear', 'end all of them']],
});

export const sandboxRequests = declare({
  words: 'sandbox requests',
  about: 'Show what the sandbox was asked, and how it answered',
  effect: 'read',
  needs: 'nothing',
  arguments: {},
  flags: {
    follow: { kind: 'boolean', short: 'f', about: 'Go on with what is asked, until Ctrl-C' },
    method: { kind: 'text', placeholder: 'METHOD', about: 'Only these requests' },
    path: {
      kind: 'text',
      placeholder: 'PART',
      about: 'Only those with this in their path; s3:/ for the S3 API',
    },
    status: {
      kind: 'text',
      placeholder: 'STATUS',
      about: 'Only those with this status, 404 or 4; cut for cut ones',
    },
    limit: { kind: 'number', placeholder: 'N', about: 'The last so many' },
    har: { kind: 'boolean', about: 'As an HTTP Archive (HAR 1.2), for tools that read one' },
    clear: { kind: 'boolean', about: 'Forget them afterwards' },
    ...sandboxDirFlag,
  },
  examples: [
    ['sandbox requests --follow', 'watch a program ask'],
    ['sandbox requests --status 4 --json', 'what was refused, as NDJSON'],
    ['sandbox requests --har > asked.har', 'for the browser that shows such files'],
  ],
  notes: [
    'With --json each request is a line: number, time, api (v4 or s3), method, path, query, status, route, rule, milliseconds, headers ' +
      'without credentials, and up to 64 KiB of bodies that are text. A server keeps the last 10,000.',
  ],
});

export const sandboxExec = declare({
  words: 'sandbox exec',
  about: 'Run a command against a sandbox of its own',
  effect: 'none',
  needs: 'nothing',
  arguments: {
    COMMAND: { about: 'The program and its arguments, behind --', many: true },
  },
  flags: {
    demo: { kind: 'boolean', about: 'Fill it with demo data' },
    ...seedFlag,
    ...strictFlag,
    ...proxyFlag,
    'issuance-limit': {
      kind: 'number',
      placeholder: 'N',
      about: 'Certificates issued in a minute at most; 15 when left out',
    },
    dir: {
      ...sandboxDirFlag.dir,
      about: 'Folder of its data, which stays; a temporary one that is removed when left out',
    },
  },
  examples: [
    ['sandbox exec -- npm test', 'run tests against a platform that is gone afterwards'],
    ['sandbox exec --seed test/seed.yaml -- npm test', 'with data to begin with'],
    ['sandbox exec --demo -- npx wrangler kv namespace list', 'let wrangler look at demo data'],
    ['sandbox exec --demo --dir ./demo -- true', 'make demo data, for --sandbox=./demo'],
    ['sandbox exec --proxy -- certbot certonly …', 'a client that knows api.cloudflare.com only'],
  ],
  notes: [
    'The data lie in a temporary folder that is removed at the end; with --dir in that folder, which stays. The command ' +
      'finds the sandbox by EDGECTL_*, CLOUDFLARE_API_TOKEN, CLOUDFLARE_ACCOUNT_ID, CLOUDFLARE_ZONE_ID, ' +
      'CLOUDFLARE_API_BASE_URL (wrangler) and CLOUDFLARE_BASE_URL (the SDKs); others of those names are taken away. ' +
      'Its exit code becomes the one of this command; 128 and the number of the signal when it was killed.',
    'With --proxy it gets HTTPS_PROXY too, and SSL_CERT_FILE, NODE_EXTRA_CA_CERTS, REQUESTS_CA_BUNDLE, CURL_CA_BUNDLE, by which ' +
      'programs trust it. HTTPS to any other host is refused, so that no test reaches production; what it may reach ' +
      'stands in NO_PROXY.',
  ],
});
