import { declare } from '../../parsing/declaration.ts';
import { proxyFlag, sandboxDirFlag, seedFlag, strictFlag } from './declarations.ts';

export const faultAdd = declare({
  words: 'sandbox fault add',
  about: 'Add a fault that makes requests to the sandbox fail or take longer',
  effect: 'none',
  loss: {},
  needs: 'nothing',
  arguments: {},
  flags: {
    match: {
      kind: 'text',
      placeholder: 'GLOB',
      about: 'Requests to match: a method or *, and a glob for the path below /client/v4 or s3:/bucket/key',
    },
    status: { kind: 'number', placeholder: 'N', about: 'Respond with this HTTP status' },
    'retry-after': {
      kind: 'number',
      placeholder: 'SECONDS',
      about: 'Retry-After of the response, in seconds',
    },
    latency: { kind: 'number', placeholder: 'MS', about: 'Delay in milliseconds' },
    jitter: { kind: 'number', placeholder: 'MS', about: 'Maximum additional random delay, in milliseconds' },
    cut: {
      kind: 'text',
      placeholder: 'WHERE',
      completes: ['before', 'in', 'after'],
      about: 'Drop the connection: before or after the request is carried out, or in the response',
    },
    body: {
      kind: 'text',
      placeholder: 'HOW',
      completes: ['truncated', 'wrong', 'empty', 'html'],
      about: 'Replace the response body: truncated, wrong, empty, html',
    },
    'unsuccessful-keys': {
      kind: 'text',
      placeholder: 'SHARE',
      about: 'Share of keys in a bulk request that are not written, and are reported as failed (0 to 1)',
    },
    stale: {
      kind: 'number',
      placeholder: 'SECONDS',
      about: 'Number of seconds for which reads return stale responses',
    },
    'page-size': { kind: 'number', placeholder: 'N', about: 'Maximum number of rows per page' },
    rate: {
      kind: 'text',
      placeholder: 'N/SECONDS',
      about: 'Respond with 429 above this rate per token; append :path for a rate per path',
    },
    share: {
      kind: 'text',
      placeholder: 'SHARE',
      about: 'Share of matching requests to affect (0 to 1; default: all)',
    },
    times: { kind: 'number', placeholder: 'N', about: 'Remove the fault after this number of requests' },
    seed: {
      kind: 'number',
      placeholder: 'N',
      about: 'Seed for the random choice, so that runs are repeatable',
    },
    ...sandboxDirFlag,
  },
  examples: [
    [
      "sandbox fault add --match 'GET /accounts/*/storage/kv/**' --status 429 --retry-after 1 --times 3",
      'refuse three requests',
    ],
    ["sandbox fault add --match '/zones/**' --latency 300 --jitter 200", 'delay requests for zones'],
    [
      "sandbox fault add --match 'PUT /**' --cut after --share 0.1 --seed 7",
      'lose a tenth of the responses to PUT',
    ],
    ["sandbox fault add --match '/**' --rate 1200/300", "apply the platform's rate limit"],
    [
      "sandbox fault add --match 'PUT /accounts/*/storage/kv/**/values/*' --rate 1/1:path",
      'allow one write per second to a key',
    ],
    [
      "sandbox fault add --match 'PUT s3:/pictures/**' --status 503 --times 2",
      'respond with the S3 API error SlowDown',
    ],
  ],
  notes: [
    "Paths are v4 API paths. Paths after s3:, and paths that start with a bucket's name, are S3 API paths, and the response is XML.",
    'A fault lasts until the server stops, and can have several effects. If several faults match a request, they apply in the order in which they were added. Requests that manage the sandbox are never affected.',
  ],
});

export const faultList = declare({
  words: 'sandbox fault list',
  about: 'List faults, each with the number of affected requests',
  effect: 'read',
  needs: 'nothing',
  arguments: {},
  flags: sandboxDirFlag,
  examples: [['sandbox fault list', 'list all faults']],
});

export const faultClear = declare({
  words: 'sandbox fault clear',
  about: 'Remove one or all faults',
  effect: 'none',
  loss: { names: 'faults' },
  needs: 'nothing',
  arguments: { ID: { about: 'Id of the fault (default: all)', optional: true, omitted: 'all' } },
  flags: sandboxDirFlag,
  examples: [['sandbox fault clear', 'remove all faults']],
});

export const sandboxRequests = declare({
  words: 'sandbox requests',
  about: 'Show requests to the sandbox with their responses',
  effect: 'read',
  needs: 'nothing',
  arguments: {},
  flags: {
    follow: { kind: 'boolean', short: 'f', about: 'Keep printing new requests until Ctrl-C' },
    method: { kind: 'text', placeholder: 'METHOD', about: 'Only requests with this method' },
    path: {
      kind: 'text',
      placeholder: 'PART',
      about: 'Only requests whose path contains this text; s3:/ for the S3 API',
    },
    status: {
      kind: 'text',
      placeholder: 'STATUS',
      about: 'Only responses with this status: 404, 4 (all 4xx), or cut (dropped)',
    },
    limit: { kind: 'number', placeholder: 'N', about: 'Print only the latest N requests' },
    har: { kind: 'boolean', about: 'Print an HTTP Archive (HAR 1.2)' },
    clear: { kind: 'boolean', about: 'Clear the log after printing it' },
    ...sandboxDirFlag,
  },
  examples: [
    ['sandbox requests --follow', 'watch the requests from a program'],
    ['sandbox requests --status 4 --json', 'print refused requests as NDJSON'],
    ['sandbox requests --har > asked.har', "save an HTTP Archive, for a browser's developer tools"],
  ],
  notes: [
    'With --json, each request is a line with number, time, api (v4 or s3), method, path, query, status, route, rule, milliseconds, ' +
      'headers without credentials, and up to 64 KiB of text bodies. A server keeps the last 10,000 requests.',
  ],
});

export const sandboxExec = declare({
  words: 'sandbox exec',
  about: 'Run a command against a temporary sandbox',
  effect: 'none',
  needs: 'nothing',
  arguments: {
    COMMAND: { about: 'Program and its arguments, after --', many: true },
  },
  flags: {
    demo: { kind: 'boolean', about: 'Load demo data' },
    ...seedFlag,
    ...strictFlag,
    ...proxyFlag,
    'issuance-limit': {
      kind: 'number',
      placeholder: 'N',
      about: 'Maximum number of certificates per minute (default: 15)',
    },
    dir: {
      ...sandboxDirFlag.dir,
      about: 'Folder to keep the sandbox in (default: a temporary folder, deleted at the end)',
    },
  },
  examples: [
    ['sandbox exec -- npm test', 'run tests against a temporary sandbox'],
    ['sandbox exec --seed test/seed.yaml -- npm test', 'run tests with initial data'],
    ['sandbox exec --demo -- npx wrangler kv namespace list', 'run wrangler with demo data'],
    ['sandbox exec --demo --dir ./demo -- true', 'create demo data for --sandbox=./demo'],
    ['sandbox exec --proxy -- certbot certonly …', 'run a client that can only use api.cloudflare.com'],
  ],
  notes: [
    'The command finds the sandbox through these variables: EDGECTL_*, CLOUDFLARE_API_TOKEN, CLOUDFLARE_ACCOUNT_ID, CLOUDFLARE_ZONE_ID, ' +
      'CLOUDFLARE_API_BASE_URL (wrangler), CLOUDFLARE_BASE_URL (the SDKs) and AWS_* (S3 clients). Variables for other credentials and profiles are removed. ' +
      'edgectl exits with the exit code of the command, or with 128 plus the signal number if a signal killed the command.',
    'With --proxy, the command also gets HTTPS_PROXY, and SSL_CERT_FILE, NODE_EXTRA_CA_CERTS, REQUESTS_CA_BUNDLE and CURL_CA_BUNDLE, which make ' +
      'programs trust the proxy. HTTPS requests to other hosts are refused, so no test reaches production. Hosts in NO_PROXY are exempt.',
  ],
});
