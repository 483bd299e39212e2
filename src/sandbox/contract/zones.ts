import { below, type Contract, type ContractRow, paged, plain } from './row.ts';

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
  ...below('deletes', ['id']),
  ...['patches', 'puts'].flatMap((name) => below(name, ['id', ...record])),
  ...below('posts', record),
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
  'no certificate signing requests; an uploaded certificate has to bring its intermediate ones, which the platform completes (1441); ' +
  '1412 (a zone that has opted out of metadata for wildcards) and 1414 (one that was not granted origins of hostnames) are switched on ' +
  'by `PUT /sandbox/entitlements`: no plan says which zones have them';

const subscription: ContractRow = {
  query: [],
  body: ['rate_plan', 'rate_plan.id', 'frequency'],
  lacks: 'sets only the plan, immediately and free of charge; the frequency has no effect',
};

const settings = `${zone}/settings`;
const unhonoured =
  'the edge applies ssl, always_use_https, min_tls_version (1.2 or later), tls_1_3, http2 and security_header; other settings are only stored';

/** Zones, their DNS records and holds, custom hostnames. */
export const zoneContract: Contract = {
  'GET /zones': {
    query: ['name', 'status', 'account.id', 'account.name', ...paged],
    lacks: 'order, direction, match',
  },
  'POST /zones': {
    query: [],
    body: ['name', 'account', 'type', 'jump_start'],
    lacks: 'always full and immediately active',
  },
  [`GET ${zone}`]: plain,
  [`PATCH ${zone}`]: {
    query: [],
    body: ['paused', 'type', 'vanity_name_servers', 'plan'],
    lacks:
      'type is always full; vanity name servers are only stored; accepts a plan, which the platform only accepts in `subscription`',
  },
  [`GET ${zone}/available_plans`]: { query: [], lacks: 'all prices are 0' },
  [`GET ${zone}/available_plans/:plan`]: { query: [], lacks: 'all prices are 0' },
  [`GET ${zone}/subscription`]: { query: [], lacks: 'all prices are 0' },
  ...Object.fromEntries(['POST', 'PUT'].map((method) => [`${method} ${zone}/subscription`, subscription])),
  [`DELETE ${zone}`]: plain,
  [`GET ${settings}`]: plain,
  [`PATCH ${settings}`]: { query: [], body: ['items'], lacks: unhonoured },
  [`GET ${settings}/:setting`]: plain,
  [`PATCH ${settings}/:setting`]: { query: [], body: ['value', 'enabled'], lacks: unhonoured },
  [`GET ${zone}/ssl/verification`]: { query: [], lacks: 'retry; always active' },
  [`PATCH ${zone}/ssl/verification/:pack`]: {
    query: [],
    body: ['validation_method'],
    lacks: 'no effect: the certificate is already active',
  },
  [`GET ${zone}/ssl/certificate_packs`]: {
    query: [...paged],
    lacks: 'status, deploy; only the universal pack, always active',
  },
  [`GET ${zone}/ssl/certificate_packs/:pack`]: plain,
  [`GET ${zone}/pagerules`]: { query: ['status', 'order', 'direction', 'match'], lacks: 'always empty' },
  [`GET ${zone}/dcv_delegation/uuid`]: plain,
  'GET /accounts/:account/addressing/prefixes': {
    query: [],
    lacks: 'no dates or validation states',
  },
  'GET /ips': { query: [], lacks: 'the addresses of the sandbox’s edge' },
  [`GET ${zone}/hold`]: plain,
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
      ...paged,
    ],
    lacks: 'tag.*',
  },
  [`POST ${records}`]: { query: [], body: record },
  [`GET ${records}/export`]: plain,
  [`POST ${records}/import`]: { query: [], form: ['file', 'proxied'] },
  [`POST ${records}/batch`]: { query: [], body: batch },
  [`GET ${records}/:record`]: plain,
  [`PUT ${records}/:record`]: { query: [], body: record },
  [`PATCH ${records}/:record`]: { query: [], body: record },
  [`DELETE ${records}/:record`]: plain,
  [`GET ${workerRoutes}`]: plain,
  [`POST ${workerRoutes}`]: { query: [], body: ['pattern', 'script'] },
  [`GET ${workerRoutes}/:route`]: plain,
  [`PUT ${workerRoutes}/:route`]: { query: [], body: ['pattern', 'script'] },
  [`DELETE ${workerRoutes}/:route`]: plain,
  [`GET ${hostnames}/quota`]: plain,
  [`GET ${hostnames}/fallback_origin`]: plain,
  [`PUT ${hostnames}/fallback_origin`]: { query: [], body: ['origin'] },
  [`DELETE ${hostnames}/fallback_origin`]: plain,
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
      ...paged,
    ],
  },
  [`POST ${hostnames}`]: { query: [], body: ['hostname', ...attributes], lacks: csr },
  [`GET ${hostname}`]: plain,
  [`PATCH ${hostname}`]: { query: [], body: attributes, lacks: csr },
  [`DELETE ${hostname}`]: plain,
};
