import { type Contract, ignoredBody, pageParameters, pathOnly } from './row.ts';

const namespaces = '/accounts/:account/storage/kv/namespaces';
const namespace = `${namespaces}/:namespace`;
const buckets = '/accounts/:account/r2/buckets';
const bucket = `${buckets}/:bucket`;
const entry = ['key', 'value', 'base64', 'metadata', 'expiration', 'expiration_ttl'];

const events = '/accounts/:account/event_notifications/r2/:bucket/configuration';
const domain = ['domain', 'enabled', 'minTLS', 'ciphers'];
const storedOnly = 'stored and returned, without effect';

/** The routes for key-value namespaces and object buckets. */
export const dataContract: Contract = {
  [`GET ${namespaces}`]: { query: [...pageParameters, 'order', 'direction'] },
  [`POST ${namespaces}`]: { query: [], body: ['title', 'jurisdiction'] },
  [`GET ${namespace}`]: pathOnly,
  [`PUT ${namespace}`]: { query: [], body: ['title'] },
  [`DELETE ${namespace}`]: pathOnly,
  [`GET ${namespace}/keys`]: { query: ['prefix', 'limit', 'cursor'] },
  [`GET ${namespace}/values/*key`]: pathOnly,
  [`PUT ${namespace}/values/*key`]: {
    query: ['expiration', 'expiration_ttl'],
    form: ['value', 'metadata', 'expiration', 'expiration_ttl'],
  },
  [`DELETE ${namespace}/values/*key`]: pathOnly,
  [`GET ${namespace}/metadata/*key`]: pathOnly,
  [`PUT ${namespace}/bulk`]: { query: [], body: entry },
  [`DELETE ${namespace}/bulk`]: { query: [], deprecated: 'POST …/bulk/delete' },
  [`POST ${namespace}/bulk/delete`]: ignoredBody,
  [`POST ${namespace}/bulk/get`]: { query: [], body: ['keys', 'type', 'withMetadata'] },
  [`GET ${buckets}`]: {
    query: ['name_contains', 'start_after', 'order', 'direction', 'per_page', 'cursor'],
  },
  [`POST ${buckets}`]: {
    query: [],
    body: ['name', 'locationHint', 'storageClass'],
    differences: 'names are unique across jurisdictions',
  },
  [`GET ${bucket}`]: pathOnly,
  [`PATCH ${bucket}`]: ignoredBody,
  [`DELETE ${bucket}`]: pathOnly,
  [`GET ${bucket}/cors`]: pathOnly,
  [`PUT ${bucket}/cors`]: { query: [], body: ['rules'] },
  [`DELETE ${bucket}/cors`]: pathOnly,
  [`GET ${bucket}/lifecycle`]: pathOnly,
  [`PUT ${bucket}/lifecycle`]: {
    query: [],
    body: ['rules'],
    differences: 'rules are applied when the clock is advanced',
  },
  [`GET ${bucket}/lock`]: pathOnly,
  [`PUT ${bucket}/lock`]: { query: [], body: ['rules'], differences: storedOnly },
  [`GET ${bucket}/domains/managed`]: pathOnly,
  [`PUT ${bucket}/domains/managed`]: { query: [], body: ['enabled'], differences: storedOnly },
  [`GET ${bucket}/domains/custom`]: { query: [], differences: 'always active' },
  [`POST ${bucket}/domains/custom`]: { query: [], body: ['zoneId', ...domain], differences: storedOnly },
  [`GET ${bucket}/domains/custom/:domain`]: { query: [], differences: 'always active' },
  [`PUT ${bucket}/domains/custom/:domain`]: { query: [], body: domain, differences: storedOnly },
  [`DELETE ${bucket}/domains/custom/:domain`]: pathOnly,
  [`GET ${events}`]: pathOnly,
  [`GET ${events}/queues/:queue`]: pathOnly,
  [`PUT ${events}/queues/:queue`]: { query: [], body: ['rules'], differences: storedOnly },
  [`DELETE ${events}/queues/:queue`]: { query: [], differences: 'deletes all rules of the queue' },
  'POST /accounts/:account/r2/temp-access-credentials': {
    query: [],
    body: ['bucket', 'parentAccessKeyId', 'permission', 'ttlSeconds', 'objects', 'prefixes'],
  },
  [`GET ${bucket}/objects`]: { query: ['prefix', 'delimiter', 'start_after', 'per_page', 'cursor'] },
  [`DELETE ${bucket}/objects`]: pathOnly,
  [`GET ${bucket}/objects/*key`]: pathOnly,
  [`PUT ${bucket}/objects/*key`]: pathOnly,
  [`DELETE ${bucket}/objects/*key`]: pathOnly,
  'POST /graphql': {
    query: [],
    body: ['query', 'variables', 'operationName'],
    differences: "supports only the query for a bucket's size",
  },
};
