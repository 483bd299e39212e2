import { objstoreWord } from '../../v4/wire.ts';
import type { Handler, Route } from '../http/exchange.ts';
import { changeBucket, createBucket, getBucket, listBuckets, readMetrics, removeBucket } from './buckets.ts';
import { listObjects } from './list.ts';
import { readObject, removeObject, removeObjects, writeObject } from './values.ts';

const buckets = `/accounts/:account/${objstoreWord}/buckets`;
const one = `${buckets}/:bucket`;

const settings = () => import('./settings/settings.ts');
const temporary = () => import('./settings/temporary-routes.ts');
const queues = `/accounts/:account/event_notifications/${objstoreWord}/:bucket/configuration`;

/** Creates a route whose code is loaded on its first call. */
function on(method: Route['method'], pattern: string, load: () => Promise<Handler>): Route {
  return { method, pattern, handle: async (exchange) => (await load())(exchange) };
}

/**
 * Routes for bucket settings and temporary credentials. The code is loaded lazily, because few calls need these routes.
 */
const settingRoutes: readonly Route[] = [
  on('GET', `${one}/cors`, async () => (await settings()).getCors),
  on('PUT', `${one}/cors`, async () => (await settings()).putCors),
  on('DELETE', `${one}/cors`, async () => (await settings()).removeCors),
  on('GET', `${one}/lifecycle`, async () => (await settings()).getLifecycle),
  on('PUT', `${one}/lifecycle`, async () => (await settings()).putLifecycle),
  on('GET', `${one}/lock`, async () => (await settings()).getLock),
  on('PUT', `${one}/lock`, async () => (await settings()).putLock),
  on('GET', `${one}/domains/managed`, async () => (await settings()).getManagedDomain),
  on('PUT', `${one}/domains/managed`, async () => (await settings()).putManagedDomain),
  on('GET', `${one}/domains/custom`, async () => (await settings()).listBucketDomains),
  on('POST', `${one}/domains/custom`, async () => (await settings()).createBucketDomain),
  on('GET', `${one}/domains/custom/:domain`, async () => (await settings()).getBucketDomain),
  on('PUT', `${one}/domains/custom/:domain`, async () => (await settings()).changeBucketDomain),
  on('DELETE', `${one}/domains/custom/:domain`, async () => (await settings()).removeBucketDomain),
  on('GET', queues, async () => (await settings()).listEvents),
  on('GET', `${queues}/queues/:queue`, async () => (await settings()).getEvents),
  on('PUT', `${queues}/queues/:queue`, async () => (await settings()).putEvents),
  on('DELETE', `${queues}/queues/:queue`, async () => (await settings()).removeEvents),
  on('POST', `/accounts/:account/${objstoreWord}/temp-access-credentials`, async () => {
    return (await temporary()).createTemporary;
  }),
];

/** Routes for buckets and their objects. */
export const objectRoutes: readonly Route[] = [
  { method: 'GET', pattern: `${one}/objects/*key`, handle: readObject },
  { method: 'PUT', pattern: `${one}/objects/*key`, handle: writeObject },
  { method: 'DELETE', pattern: `${one}/objects/*key`, handle: removeObject },
  { method: 'GET', pattern: `${one}/objects`, handle: listObjects },
  { method: 'DELETE', pattern: `${one}/objects`, handle: removeObjects },
  { method: 'GET', pattern: buckets, handle: listBuckets },
  { method: 'POST', pattern: buckets, handle: createBucket },
  { method: 'GET', pattern: one, handle: getBucket },
  { method: 'PATCH', pattern: one, handle: changeBucket },
  { method: 'DELETE', pattern: one, handle: removeBucket },
  ...settingRoutes,
  { method: 'POST', pattern: '/graphql', handle: readMetrics },
];
