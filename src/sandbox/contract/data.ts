import { bare, type Contract, paged, plain } from './row.ts';

const namespaces = '/accounts/:account/storage/kv/namespaces';
const namespace = `${namespaces}/:namespace`;
const buckets = '/accounts/:account/r2/buckets';
const bucket = `${buckets}/:bucket`;
const entry = ['key', 'value', 'base64', 'metadata', 'expiration', 'expiration_ttl'];

const events = '/accounts/:account/event_notifications/r2/:bucket/configuration';
const domain = ['domain', 'enabled', 'minTLS', 'ciphers'];
const kept = 'stored and returned, without effect';

/** Key-value namespaces and object buckets. */
export const dataContract: Contract = {
  [`GET ${namespaces}`]: { query: [...paged, 'order', 'direction'] },
  [`POST ${namespaces}`]: { query: [], body: ['title'], lacks: 'jurisdictions are refused' },
  [`GET ${namespace}`]: plain,
  [`PUT ${namespace}`]: { query: [], body: ['title'] },
  [`DELETE ${namespace}`]: plain,
  [`GET ${namespace}/keys`]: { query: ['prefix', 'limit', 'cursor'] },
  [`GET ${namespace}/values/*key`]: plain,
  [`PUT ${namespace}/values/*key`]: {
    query: ['expiration', 'expiration_ttl'],
    form: ['value', 'metadata', 'expiration', 'expiration_ttl'],
  },
  [`DELETE ${namespace}/values/*key`]: plain,
  [`GET ${namespace}/metadata/*key`]: plain,
  [`PUT ${namespace}/bulk`]: { query: [], body: entry },
  [`DELETE ${namespace}/bulk`]: { query: [], deprecated: 'POST …/bulk/delete' },
  [`POST ${namespace}/bulk/delete`]: bare,
  [`POST ${namespace}/bulk/get`]: { query: [], body: ['keys', 'type', 'withMetadata'] },
  [`GET ${buckets}`]: {
    query: ['name_contains', 'start_after', 'order', 'direction', 'per_page', 'cursor'],
  },
  [`POST ${buckets}`]: {
    query: [],
    body: ['name', 'locationHint', 'storageClass'],
    lacks: 'names are unique across jurisdictions',
  },
  [`GET ${bucket}`]: plain,
  [`PATCH ${bucket}`]: bare,
  [`DELETE ${bucket}`]: plain,
  [`GET ${bucket}/cors`]: plain,
  [`PUT ${bucket}/cors`]: { query: [], body: ['rules'] },
  [`DELETE ${bucket}/cors`]: plain,
  [`GET ${bucket}/lifecycle`]: plain,
  [`PUT ${bucket}/lifecycle`]: { query: [], body: ['rules'], lacks: kept },
  [`GET ${bucket}/lock`]: plain,
  [`PUT ${bucket}/lock`]: { query: [], body: ['rules'], lacks: kept },
  [`GET ${bucket}/domains/managed`]: plain,
  [`PUT ${bucket}/domains/managed`]: { query: [], body: ['enabled'], lacks: kept },
  [`GET ${bucket}/domains/custom`]: { query: [], lacks: 'always active' },
  [`POST ${bucket}/domains/custom`]: { query: [], body: ['zoneId', ...domain], lacks: kept },
  [`GET ${bucket}/domains/custom/:domain`]: { query: [], lacks: 'always active' },
  [`PUT ${bucket}/domains/custom/:domain`]: { query: [], body: domain, lacks: kept },
  [`DELETE ${bucket}/domains/custom/:domain`]: plain,
  [`GET ${events}`]: plain,
  [`GET ${events}/queues/:queue`]: plain,
  [`PUT ${events}/queues/:queue`]: { query: [], body: ['rules'], lacks: kept },
  [`DELETE ${events}/queues/:queue`]: { query: [], lacks: 'deletes all rules of the queue' },
  'POST /accounts/:account/r2/temp-access-credentials': {
    query: [],
    body: ['bucket', 'parentAccessKeyId', 'permission', 'ttlSeconds', 'objects', 'prefixes'],
  },
  [`GET ${bucket}/objects`]: { query: ['prefix', 'delimiter', 'start_after', 'per_page', 'cursor'] },
  [`DELETE ${bucket}/objects`]: plain,
  [`GET ${bucket}/objects/*key`]: plain,
  [`PUT ${bucket}/objects/*key`]: plain,
  [`DELETE ${bucket}/objects/*key`]: plain,
  'POST /graphql': {
    query: [],
    body: ['query', 'variables', 'operationName'],
    lacks: 'only the size of buckets',
  },
};
