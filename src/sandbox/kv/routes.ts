import type { Route } from '../http/exchange.ts';
import { readBulk, removeBulk, writeBulk } from './bulk.ts';
import { listKeys } from './keys.ts';
import {
  createNamespace,
  getNamespace,
  listNamespaces,
  removeNamespace,
  renameNamespace,
} from './namespaces.ts';
import { readMetadata, readValue, removeValue, writeValue } from './values.ts';

const namespaces = '/accounts/:account/storage/kv/namespaces';
const one = `${namespaces}/:namespace`;

/** Routes for key-value namespaces, keys, values and bulk operations. */
export const kvRoutes: readonly Route[] = [
  { method: 'GET', pattern: `${one}/values/*key`, handle: readValue },
  { method: 'PUT', pattern: `${one}/values/*key`, handle: writeValue },
  { method: 'DELETE', pattern: `${one}/values/*key`, handle: removeValue },
  { method: 'GET', pattern: `${one}/metadata/*key`, handle: readMetadata },
  { method: 'GET', pattern: `${one}/keys`, handle: listKeys },
  { method: 'PUT', pattern: `${one}/bulk`, handle: writeBulk },
  { method: 'DELETE', pattern: `${one}/bulk`, handle: removeBulk },
  { method: 'POST', pattern: `${one}/bulk/delete`, handle: removeBulk },
  { method: 'POST', pattern: `${one}/bulk/get`, handle: readBulk },
  { method: 'GET', pattern: namespaces, handle: listNamespaces },
  { method: 'POST', pattern: namespaces, handle: createNamespace },
  { method: 'GET', pattern: one, handle: getNamespace },
  { method: 'PUT', pattern: one, handle: renameNamespace },
  { method: 'DELETE', pattern: one, handle: removeNamespace },
];
