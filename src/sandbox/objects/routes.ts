import { objstoreWord } from '../../v4/wire.ts';
import type { Route } from '../http/exchange.ts';
import { changeBucket, createBucket, getBucket, listBuckets, removeBucket } from './buckets.ts';
import { readMetrics } from './buckets-metrics.ts';
import { listObjects } from './list.ts';
import { readObject, removeObject, removeObjects, writeObject } from './values.ts';

const buckets = `/accounts/:account/${objstoreWord}/buckets`;
const one = `${buckets}/:bucket`;

/** Buckets and their objects. */
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
  { method: 'POST', pattern: '/graphql', handle: readMetrics },
];
