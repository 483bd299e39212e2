import { type Contract, type ContractRow, pageParameters, pathOnly, withSubfields } from './row.ts';

const zone = '/zones/:zone';
const records = `${zone}/dns_records`;
const hostnames = `${zone}/custom_hostnames`;
const workerRoutes = `${zone}/workers/routes`;
const hostname = `${hostnames}/:hostname`;

const record = [
  'type',
  'name',
  'content',
  'data',
  'priority',
  'ttl',
  'proxied',
  'comment',
  'tags',
  'settings',
];
const batch = [
  ...withSubfields('deletes', ['id']),
  ...['patches', 'puts'].flatMap((name) => withSubfields(name, ['id', ...record])),
  ...withSubfields('posts', record),
];
const ssl = [
  'method',
  'type',
  'settings',
  'bundle_method',
  'wildcard',
  'certificate_authority',
  'cloudflare_branding',
  'custom_certificate',
  'custom_key',
].map((name) => `ssl.${name}`);
const attributes = [
  'custom_metadata',
  'custom_origin_server',
  'custom_origin_sni',
  'cloudflare_branding',
  'ssl',
  ...ssl,
];
const csr =
  'no certificate signing requests; an uploaded certificate must include its intermediate certificates, which the platform would add (1441); ' +
  'the errors 1412 (zone without metadata for wildcards) and 1414 (zone without custom origins) occur only after ' +
  '`PUT /sandbox/entitlements`, because the plan does not determine them';

const subscription: ContractRow = {
  query: [],
  body: ['rate_plan', 'rate_plan.id', 'frequency'],
  differences: 'sets only the plan, immediately and free of charge; the frequency has no effect',
};

const settings = `${zone}/settings`;
const unhonoured =
  'the edge applies ssl, always_use_https, min_tls_version (1.2 or later), tls_1_3, http2 and security_header; other settings are only stored';

/** The routes for zones, their DNS records and holds, and custom hostnames. */
export const zoneContract: Contract = {
  'GET /zones': {
    query: ['name', 'status', 'account.id', 'account.name', ...pageParameters],
    differences: 'order, direction and match are ignored',
  },
  'POST /zones': {
    query: [],
    body: ['name', 'account', 'type', 'jump_start'],
    differences: 'every zone is of type full and active immediately',
  },
  [`GET ${zone}`]: pathOnly,
  [`PATCH ${zone}`]: {
    query: [],
    body: ['paused', 'type', 'vanity_name_servers', 'plan'],
    differences:
      'type is always full; vanity name servers are only stored; accepts a plan, which the platform only accepts in `subscription`',
  },
  [`GET ${zone}/available_plans`]: { query: [], differences: 'all prices are 0' },
  [`GET ${zone}/available_plans/:plan`]: { query: [], differences: 'all prices are 0' },
  [`GET ${zone}/subscription`]: { query: [], differences: 'all prices are 0' },
  ...Object.fromEntries(['POST', 'PUT'].map((method) => [`${method} ${zone}/subscription`, subscription])),
  [`DELETE ${zone}`]: pathOnly,
  [`GET ${settings}`]: pathOnly,
  [`PATCH ${settings}`]: { query: [], body: ['items'], differences: unhonoured },
  [`GET ${settings}/:setting`]: pathOnly,
  [`PATCH ${settings}/:setting`]: { query: [], body: ['value', 'enabled'], differences: unhonoured },
  [`GET ${zone}/ssl/verification`]: { query: [], differences: 'no retry; the certificate is always active' },
  [`PATCH ${zone}/ssl/verification/:pack`]: {
    query: [],
    body: ['validation_method'],
    differences: 'no effect: the certificate is already active',
  },
  [`GET ${zone}/ssl/certificate_packs`]: {
    query: [...pageParameters],
    differences: 'no status or deploy; the only pack is the universal certificate, which is always active',
  },
  [`GET ${zone}/ssl/certificate_packs/quota`]: {
    query: [],
    differences: 'a sandbox has no advanced certificates',
  },
  [`GET ${zone}/ssl/certificate_packs/:pack`]: pathOnly,
  [`GET ${zone}/pagerules`]: {
    query: ['status', 'order', 'direction', 'match'],
    differences: 'always empty',
  },
  [`GET ${zone}/dcv_delegation/uuid`]: pathOnly,
  'GET /accounts/:account/addressing/prefixes': {
    query: [],
    differences: 'results have no dates and no validation states',
  },
  'GET /ips': { query: [], differences: 'returns the addresses of the sandbox’s edge' },
  [`GET ${zone}/hold`]: pathOnly,
  [`POST ${zone}/hold`]: { query: ['include_subdomains'], body: [] },
  [`PATCH ${zone}/hold`]: { query: [], body: ['hold_after', 'include_subdomains'] },
  [`DELETE ${zone}/hold`]: { query: ['hold_after'] },
  [`GET ${records}`]: {
    query: [
      'type',
      'name',
      'name.*',
      'content',
      'content.*',
      'proxied',
      'comment',
      'comment.*',
      'tag',
      'search',
      'match',
      'order',
      'direction',
      ...pageParameters,
    ],
    differences: 'tag.*',
  },
  [`POST ${records}`]: { query: [], body: record },
  [`GET ${records}/export`]: pathOnly,
  [`POST ${records}/import`]: { query: [], form: ['file', 'proxied'] },
  [`POST ${records}/batch`]: { query: [], body: batch },
  [`GET ${records}/:record`]: pathOnly,
  [`PUT ${records}/:record`]: { query: [], body: record },
  [`PATCH ${records}/:record`]: { query: [], body: record },
  [`DELETE ${records}/:record`]: pathOnly,
  [`GET ${workerRoutes}`]: pathOnly,
  [`POST ${workerRoutes}`]: { query: [], body: ['pattern', 'script'] },
  [`GET ${workerRoutes}/:route`]: pathOnly,
  [`PUT ${workerRoutes}/:route`]: { query: [], body: ['pattern', 'script'] },
  [`DELETE ${workerRoutes}/:route`]: pathOnly,
  [`GET ${hostnames}/quota`]: pathOnly,
  [`GET ${hostnames}/fallback_origin`]: pathOnly,
  [`PUT ${hostnames}/fallback_origin`]: { query: [], body: ['origin'] },
  [`DELETE ${hostnames}/fallback_origin`]: pathOnly,
  [`GET ${hostnames}`]: {
    query: [
      'id',
      'hostname',
      'hostname.exact',
      'hostname.contain',
      'hostname.startsWith',
      'hostname_status',
      'ssl_status',
      'certificate_authority',
      'custom_origin_server',
      'wildcard',
      'ssl',
      'order',
      'direction',
      ...pageParameters,
    ],
  },
  [`POST ${hostnames}`]: { query: [], body: ['hostname', ...attributes], differences: csr },
  [`GET ${hostname}`]: pathOnly,
  [`PATCH ${hostname}`]: { query: [], body: attributes, differences: csr },
  [`DELETE ${hostname}`]: pathOnly,
};
