import { below, type Contract, type ContractRow, paged, plain } from './row.ts';

const workers = '/accounts/:account/workers';
const script = `${workers}/scripts/:script`;
const environment = `${workers}/services/:script/environments/:environment`;
const worker = `${workers}/workers/:script`;
const empty: ContractRow = { query: [], lacks: 'always empty' };
const old: ContractRow = { query: [] };

const secret = ['name', 'text', 'type'];
const settings = [
  ...below('bindings', ['name', 'type', 'text', 'json', 'namespace_id', 'bucket_name', 'old_name']),
  ...['compatibility_date', 'compatibility_flags', 'keep_bindings', 'annotations'],
  ...['tags', 'logpush', 'observability', 'tail_consumers'],
];
/** wrangler sends `code_update_strategy` with each upload; it concerns Durable Objects, which the sandbox does not have. */
const upload = ['main_module', 'body_part', 'code_update_strategy', ...settings];
const domainOrigin = ['hostname', 'zone_id', 'zone_name', 'enabled', 'previews_enabled'];

/** Workers: code, settings, secrets, versions and deployments. */
export const workerContract: Contract = {
  [`GET ${workers}/scripts`]: plain,
  [`PUT ${script}`]: {
    query: ['excludeScript', 'bindings_inherit'],
    formFields: { metadata: upload },
    lacks: 'KV, R2, text, JSON and secret bindings; no assets',
  },
  [`GET ${script}`]: plain,
  [`DELETE ${script}`]: { query: ['force'] },
  [`PUT ${script}/content`]: { query: [], formFields: { metadata: ['main_module', 'body_part'] } },
  [`GET ${script}/content/v2`]: { query: ['version'] },
  [`GET ${script}/settings`]: plain,
  [`PATCH ${script}/settings`]: {
    query: [],
    formFields: { settings },
    lacks: 'KV, R2, text, JSON and secret bindings',
  },
  [`GET ${script}/script-settings`]: plain,
  [`PATCH ${script}/script-settings`]: {
    query: [],
    body: ['tags', 'logpush', 'observability', 'tail_consumers'],
  },
  [`GET ${script}/subdomain`]: plain,
  [`POST ${script}/subdomain`]: { query: [], body: ['enabled', 'previews_enabled'] },
  [`DELETE ${script}/subdomain`]: plain,
  [`GET ${script}/secrets`]: plain,
  [`PUT ${script}/secrets`]: { query: [], body: secret, lacks: 'only secret_text' },
  [`PATCH ${script}/secrets-bulk`]: { query: [], body: ['secrets', ...below('secrets.*', secret)] },
  [`GET ${script}/secrets/:secret`]: { query: ['url_encoded'] },
  [`DELETE ${script}/secrets/:secret`]: { query: ['url_encoded'] },
  [`GET ${script}/versions`]: { query: ['deployable', ...paged] },
  [`POST ${script}/versions`]: {
    query: ['bindings_inherit'],
    formFields: { metadata: upload },
    lacks: 'no assets',
  },
  [`GET ${script}/versions/:version`]: plain,
  [`GET ${script}/deployments`]: plain,
  [`POST ${script}/deployments`]: {
    query: ['force'],
    body: ['strategy', ...below('versions', ['version_id', 'percentage']), 'annotations'],
    lacks: 'one version at 100 %',
  },
  [`GET ${script}/deployments/:deployment`]: plain,
  [`GET ${script}/schedules`]: plain,
  [`PUT ${script}/schedules`]: { query: [], body: ['cron'], lacks: 'stored, but never run' },
  [`POST ${script}/tails`]: { query: [], body: ['filters'], lacks: 'no debug mode' },
  [`GET ${script}/tails`]: plain,
  [`DELETE ${script}/tails/:tail`]: plain,
  [`POST ${script}/domains/changeset`]: {
    query: ['replace_state'],
    body: domainOrigin,
    lacks: 'enabled and previews_enabled are ignored',
  },
  [`PUT ${script}/domains/records`]: {
    query: [],
    body: [
      'override_scope',
      'override_existing_origin',
      'override_existing_dns_record',
      ...below('origins', domainOrigin),
    ],
    lacks: 'enabled and previews_enabled are ignored',
  },
  [`GET ${script}/references`]: plain,
  [`GET ${workers}/durable_objects/namespaces`]: { ...empty, query: [...paged] },
  [`GET ${workers}/tails/by-consumer/:script`]: empty,
  [`GET ${workers}/services/:script`]: old,
  [`DELETE ${workers}/services/:script`]: { ...old, query: ['force'] },
  [`GET ${environment}`]: { ...old, query: ['expand'] },
  [`GET ${environment}/bindings`]: old,
  [`GET ${environment}/routes`]: { ...old, query: ['show_zonename'], lacks: 'always empty' },
  [`GET ${environment}/subdomain`]: old,
  [`GET ${environment}/content/v2`]: old,
  [`GET ${workers}/workers`]: { query: [...paged] },
  [`GET ${worker}`]: plain,
  [`DELETE ${worker}`]: plain,
  [`PATCH ${worker}/versions/latest`]: {
    query: [],
    body: ['env', ...below('env.*', secret), 'annotations'],
    lacks: 'only secrets',
  },
  [`GET ${workers}/domains`]: { query: ['hostname', 'service', 'zone_id', 'zone_name', 'environment'] },
  [`PUT ${workers}/domains`]: {
    query: [],
    body: ['hostname', 'service', 'zone_id', 'zone_name', 'environment'],
  },
  [`GET ${workers}/domains/records`]: {
    query: ['hostname', 'service', 'zone_id', 'zone_name', 'environment', ...paged],
  },
  [`GET ${workers}/domains/records/:domain`]: plain,
  [`GET ${workers}/domains/:domain`]: plain,
  [`DELETE ${workers}/domains/:domain`]: plain,
  [`GET ${workers}/subdomain`]: plain,
  [`GET ${workers}/account-settings`]: plain,
};
