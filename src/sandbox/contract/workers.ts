import { type Contract, type ContractRow, pageParameters, pathOnly, withSubfields } from './row.ts';

const workers = '/accounts/:account/workers';
const script = `${workers}/scripts/:script`;
const environment = `${workers}/services/:script/environments/:environment`;
const worker = `${workers}/workers/:script`;
const empty: ContractRow = { query: [], differences: 'always empty' };
const old: ContractRow = { query: [] };

const secret = ['name', 'text', 'type'];
const settings = [
  ...withSubfields('bindings', [
    'name',
    'type',
    'text',
    'json',
    'namespace_id',
    'bucket_name',
    'jurisdiction',
    'old_name',
  ]),
  ...['compatibility_date', 'compatibility_flags', 'keep_bindings', 'annotations'],
  ...['tags', 'logpush', 'observability', 'tail_consumers'],
];
/**
 * wrangler sends `code_update_strategy` with each upload; the field applies to Durable Objects, which the sandbox does not support.
 */
const upload = ['main_module', 'body_part', 'code_update_strategy', ...settings];
const domainOrigin = ['hostname', 'zone_id', 'zone_name', 'enabled', 'previews_enabled'];

/** The routes for workers: their code, settings, secrets, versions and deployments. */
export const workerContract: Contract = {
  [`GET ${workers}/scripts`]: pathOnly,
  [`PUT ${script}`]: {
    query: ['excludeScript', 'bindings_inherit'],
    formFields: { metadata: upload },
    differences: 'supports only KV, R2, text, JSON and secret bindings; no assets',
  },
  [`GET ${script}`]: pathOnly,
  [`DELETE ${script}`]: { query: ['force'] },
  [`PUT ${script}/content`]: { query: [], formFields: { metadata: ['main_module', 'body_part'] } },
  [`GET ${script}/content/v2`]: { query: ['version'] },
  [`GET ${script}/settings`]: pathOnly,
  [`PATCH ${script}/settings`]: {
    query: [],
    formFields: { settings },
    differences: 'supports only KV, R2, text, JSON and secret bindings',
  },
  [`GET ${script}/script-settings`]: pathOnly,
  [`PATCH ${script}/script-settings`]: {
    query: [],
    body: ['tags', 'logpush', 'observability', 'tail_consumers'],
  },
  [`GET ${script}/subdomain`]: pathOnly,
  [`POST ${script}/subdomain`]: { query: [], body: ['enabled', 'previews_enabled'] },
  [`DELETE ${script}/subdomain`]: pathOnly,
  [`GET ${script}/secrets`]: pathOnly,
  [`PUT ${script}/secrets`]: {
    query: [],
    body: secret,
    differences: 'supports only secrets of type secret_text',
  },
  [`PATCH ${script}/secrets-bulk`]: { query: [], body: ['secrets', ...withSubfields('secrets.*', secret)] },
  [`GET ${script}/secrets/:secret`]: { query: ['url_encoded'] },
  [`DELETE ${script}/secrets/:secret`]: { query: ['url_encoded'] },
  [`GET ${script}/versions`]: { query: ['deployable', ...pageParameters] },
  [`POST ${script}/versions`]: {
    query: ['bindings_inherit'],
    formFields: { metadata: upload },
    differences: 'no assets',
  },
  [`GET ${script}/versions/:version`]: pathOnly,
  [`GET ${script}/deployments`]: pathOnly,
  [`POST ${script}/deployments`]: {
    query: ['force'],
    body: ['strategy', ...withSubfields('versions', ['version_id', 'percentage']), 'annotations'],
    differences: 'supports only one version, at 100%',
  },
  [`GET ${script}/deployments/:deployment`]: pathOnly,
  [`GET ${script}/schedules`]: pathOnly,
  [`PUT ${script}/schedules`]: {
    query: [],
    body: ['cron'],
    differences: 'schedules are stored, but no worker runs on a schedule',
  },
  [`POST ${script}/tails`]: { query: [], body: ['filters'], differences: 'no debug mode' },
  [`GET ${script}/tails`]: pathOnly,
  [`DELETE ${script}/tails/:tail`]: pathOnly,
  [`POST ${script}/domains/changeset`]: {
    query: ['replace_state'],
    body: domainOrigin,
    differences: 'enabled and previews_enabled are ignored',
  },
  [`PUT ${script}/domains/records`]: {
    query: [],
    body: [
      'override_scope',
      'override_existing_origin',
      'override_existing_dns_record',
      ...withSubfields('origins', domainOrigin),
    ],
    differences: 'enabled and previews_enabled are ignored',
  },
  [`GET ${script}/references`]: pathOnly,
  [`GET ${workers}/durable_objects/namespaces`]: { ...empty, query: [...pageParameters] },
  [`GET ${workers}/tails/by-consumer/:script`]: empty,
  [`GET ${workers}/services/:script`]: old,
  [`DELETE ${workers}/services/:script`]: { ...old, query: ['force'] },
  [`GET ${environment}`]: { ...old, query: ['expand'] },
  [`GET ${environment}/bindings`]: old,
  [`GET ${environment}/routes`]: { ...old, query: ['show_zonename'], differences: 'always empty' },
  [`GET ${environment}/subdomain`]: old,
  [`GET ${environment}/content/v2`]: old,
  [`GET ${workers}/workers`]: { query: [...pageParameters] },
  [`GET ${worker}`]: pathOnly,
  [`DELETE ${worker}`]: pathOnly,
  [`PATCH ${worker}/versions/latest`]: {
    query: [],
    body: ['env', ...withSubfields('env.*', secret), 'annotations'],
    differences: 'changes only secrets',
  },
  [`GET ${workers}/domains`]: { query: ['hostname', 'service', 'zone_id', 'zone_name', 'environment'] },
  [`PUT ${workers}/domains`]: {
    query: [],
    body: ['hostname', 'service', 'zone_id', 'zone_name', 'environment'],
  },
  [`GET ${workers}/domains/records`]: {
    query: ['hostname', 'service', 'zone_id', 'zone_name', 'environment', ...pageParameters],
  },
  [`GET ${workers}/domains/records/:domain`]: pathOnly,
  [`GET ${workers}/domains/:domain`]: pathOnly,
  [`DELETE ${workers}/domains/:domain`]: pathOnly,
  [`GET ${workers}/subdomain`]: pathOnly,
  [`GET ${workers}/account-settings`]: pathOnly,
};
