import { type Contract, paged, plain } from './row.ts';

const namespaces = '/accounts/:account/storage/kv/namespaces';
const namespace = `${namespaces}/:namespace`;
const buckets = '/accounts/:account/r2/buckets';
const bucket = `${buckets}/:bucket`;
const entry = ['key', 'value', 'base64', 'metadata', 'expiration', 'expiration_ttl'];

/** Key-value namespaces and object buckets. */
export const dataContract: Contract = {
  [`GET ${namespaces}`]: { query: [...paged, 'order', 'direction'] },
  [`POST ${namespaces}`]: { query: [], body: ['title'], lacks: 'jurisdictions are refused' },
  [`GET ${namespace}`]: plain,
  [`PUT ${namespace}`]: { query: [], body: ['title'] },
  [`DELETE ${namespace}`]: plain,
  [`GET ${namespace}/keys`]: { query: ['prefix', 'limit', 'cursor'] },
  [`GET ${namespace}/values/*key`]: plain,
  [`PUT ${namespace}/values/*key`]: { query: ['expiration', 'expiration_ttl'] },
  [`DELETE ${namespace}/values/*key`]: plain,
  [`GET ${namespace}/metadata/*key`]: plain,
  [`PUT ${namespace}/bulk`]: { query: [], body: entry },
  [`DELETE ${namespace}/bulk`]: { query: [], deprecated: 'POST …/bulk/delete' },
  [`POST ${namespace}/bulk/delete`]: plain,
  [`POST ${namespace}/bulk/get`]: { query: [], body: ['keys', 'type', 'withMetadata'] },
  [`GET ${buckets}`]: {
    query: ['name_contains', 'start_after', 'order', 'direction', 'per_page', 'cursor'],
    lacks: 'one jurisdiction',
  },
  [`POST ${buckets}`]: {
    query: [],
    body: ['name', 'locationHint', 'storageClass'],
    lacks: 'one jurisdiction',
  },
  [`GET ${bucket}`]: plain,
  [`PATCH ${bucket}`]: plain,
  [`DELETE ${bucket}`]: plain,
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
