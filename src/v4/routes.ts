import type { CallEffect, Noun } from '../model/guard/effect.ts';
import type { Right } from '../model/permissions/policies.ts';
import type { GroupName } from '../model/permissions/token-permissions.ts';
import type { Call, Method } from './send.ts';
import { objstoreWord } from './wire.ts';

/**
 * The permission that a token needs for a route. For a permission group, the right (Read or Edit) is derived from the effect.
 * - `any token`: every valid token. The response contains only data that the token can access.
 * - `in body`: the body contains the target, and the route checks the permission.
 * - `sandbox token`: the sandbox's own credentials. Tokens with policies are not sufficient.
 */
export type Permission = GroupName | 'any token' | 'in body' | 'sandbox token';

/** One route of the v4 API, or of the sandbox's own API under `/sandbox/`. */
export interface DeclaredRoute {
  readonly method: Method;
  /** `:name` matches one segment; a final `*name` matches the rest of the path, including slashes. */
  readonly path: string;
  readonly effect: CallEffect;
  readonly permission: Permission;
  readonly noun: Noun;
}

type Row = readonly [method: Method, path: string, effect: CallEffect, noun: Noun];

function of(permission: Permission, rows: readonly Row[]): DeclaredRoute[] {
  return rows.map(([method, path, effect, noun]) => ({ method, path, effect, permission, noun }));
}

const account = '/accounts/:account';
const accountToken = `${account}/tokens/:token`;
const namespaces = `${account}/storage/kv/namespaces`;
const namespace = `${namespaces}/:namespace`;
const buckets = `${account}/${objstoreWord}/buckets`;
const bucket = `${buckets}/:bucket`;
const events = `${account}/event_notifications/${objstoreWord}/:bucket/configuration`;
const workers = `${account}/workers`;
const script = `${workers}/scripts/:script`;
const service = `${workers}/services/:script`;
const environment = `${service}/environments/:environment`;
const worker = `${workers}/workers/:script`;
const zone = '/zones/:zone';
const records = `${zone}/dns_records`;
const hostnames = `${zone}/custom_hostnames`;

/**
 * All routes that the sandbox serves, including every route that edgectl calls. The sandbox does not start if one of its routes is not
 * listed. Permissions: the "Accepted permissions" of each operation in the provider's API reference.
 */
export const declaredRoutes: readonly DeclaredRoute[] = [
  ...of('Workers KV Storage', [
    ['GET', `${namespace}/values/*key`, 'read', 'key'],
    ['PUT', `${namespace}/values/*key`, 'change', 'key'],
    ['DELETE', `${namespace}/values/*key`, 'destroy', 'key'],
    ['GET', `${namespace}/metadata/*key`, 'read', 'key'],
    ['GET', `${namespace}/keys`, 'read', 'key'],
    ['PUT', `${namespace}/bulk`, 'change', 'key'],
    ['DELETE', `${namespace}/bulk`, 'destroy', 'key'],
    ['POST', `${namespace}/bulk/delete`, 'destroy', 'key'],
    ['POST', `${namespace}/bulk/get`, 'read', 'key'],
    ['GET', namespaces, 'read', 'namespace'],
    ['POST', namespaces, 'change', 'namespace'],
    ['GET', namespace, 'read', 'namespace'],
    ['PUT', namespace, 'change', 'namespace'],
    ['DELETE', namespace, 'destroy', 'namespace'],
  ]),
  ...of('Workers R2 Storage', [
    ['GET', `${bucket}/objects/*key`, 'read', 'object'],
    ['PUT', `${bucket}/objects/*key`, 'change', 'object'],
    ['DELETE', `${bucket}/objects/*key`, 'destroy', 'object'],
    ['GET', `${bucket}/objects`, 'read', 'object'],
    ['DELETE', `${bucket}/objects`, 'destroy', 'object'],
    ['GET', buckets, 'read', 'bucket'],
    ['POST', buckets, 'change', 'bucket'],
    ['GET', bucket, 'read', 'bucket'],
    ['PATCH', bucket, 'change', 'bucket'],
    ['DELETE', bucket, 'destroy', 'bucket'],
    ['GET', `${bucket}/cors`, 'read', 'bucket'],
    ['PUT', `${bucket}/cors`, 'change', 'bucket'],
    ['DELETE', `${bucket}/cors`, 'destroy', 'bucket'],
    ['GET', `${bucket}/lifecycle`, 'read', 'bucket'],
    // A lifecycle rule can delete objects.
    ['PUT', `${bucket}/lifecycle`, 'destroy', 'bucket'],
    ['GET', `${bucket}/lock`, 'read', 'bucket'],
    ['PUT', `${bucket}/lock`, 'change', 'bucket'],
    ['GET', `${bucket}/domains/managed`, 'read', 'bucket'],
    ['PUT', `${bucket}/domains/managed`, 'change', 'bucket'],
    ['GET', `${bucket}/domains/custom`, 'read', 'bucket'],
    ['POST', `${bucket}/domains/custom`, 'change', 'bucket'],
    ['GET', `${bucket}/domains/custom/:domain`, 'read', 'bucket'],
    ['PUT', `${bucket}/domains/custom/:domain`, 'change', 'bucket'],
    ['DELETE', `${bucket}/domains/custom/:domain`, 'destroy', 'bucket'],
    ['GET', events, 'read', 'bucket'],
    ['GET', `${events}/queues/:queue`, 'read', 'bucket'],
    ['PUT', `${events}/queues/:queue`, 'change', 'bucket'],
    ['DELETE', `${events}/queues/:queue`, 'destroy', 'bucket'],
    ['POST', `${account}/r2/temp-access-credentials`, 'change', 'access-key'],
  ]),
  ...of('in body', [
    ['POST', '/graphql', 'read', 'bucket'],
    ['POST', '/zones', 'change', 'zone'],
  ]),
  ...of('any token', [
    ['GET', '/accounts', 'read', 'account'],
    ['GET', '/memberships', 'read', 'member'],
    ['GET', '/user/tokens/verify', 'read', 'token'],
    ['GET', `${account}/tokens/verify`, 'read', 'token'],
    ['GET', '/zones', 'read', 'zone'],
    ['GET', '/ips', 'read', 'address-range'],
  ]),
  ...of('Account Settings', [
    ['GET', account, 'read', 'account'],
    ['GET', `${account}/members`, 'read', 'member'],
    ['GET', `${account}/members/:member`, 'read', 'member'],
    ['GET', `${account}/roles`, 'read', 'member'],
    ['GET', `${account}/roles/:role`, 'read', 'member'],
  ]),
  ...of('User Details', [['GET', '/user', 'read', 'user']]),
  ...of('API Tokens', [
    ['GET', '/user/tokens', 'read', 'token'],
    ['POST', '/user/tokens', 'change', 'token'],
    ['GET', '/user/tokens/permission_groups', 'read', 'token'],
    ['GET', '/user/tokens/:token', 'read', 'token'],
    ['PUT', '/user/tokens/:token', 'change', 'token'],
    ['DELETE', '/user/tokens/:token', 'destroy', 'token'],
    ['PUT', '/user/tokens/:token/value', 'destroy', 'token'],
  ]),
  ...of('Account API Tokens', [
    ['GET', `${account}/tokens`, 'read', 'token'],
    ['POST', `${account}/tokens`, 'change', 'token'],
    ['GET', `${account}/tokens/permission_groups`, 'read', 'token'],
    ['GET', accountToken, 'read', 'token'],
    ['PUT', accountToken, 'change', 'token'],
    ['DELETE', accountToken, 'destroy', 'token'],
    ['PUT', `${accountToken}/value`, 'destroy', 'token'],
  ]),
  ...of('D1', [['GET', `${account}/d1/database`, 'read', 'database']]),
  ...of('Queues', [['GET', `${account}/queues`, 'read', 'queue']]),
  ...of('Pages', [['GET', `${account}/pages/projects`, 'read', 'page-project']]),
  ...of('Workers Scripts', [
    ['GET', `${account}/workflows`, 'read', 'workflow'],
    ['GET', `${workers}/scripts`, 'read', 'worker'],
    ['PUT', script, 'change', 'worker'],
    ['GET', script, 'read', 'worker'],
    ['DELETE', script, 'destroy', 'worker'],
    ['PUT', `${script}/content`, 'change', 'worker'],
    ['GET', `${script}/content/v2`, 'read', 'worker'],
    ['GET', `${script}/settings`, 'read', 'worker'],
    ['PATCH', `${script}/settings`, 'change', 'worker'],
    ['GET', `${script}/script-settings`, 'read', 'worker'],
    ['PATCH', `${script}/script-settings`, 'change', 'worker'],
    ['GET', `${script}/subdomain`, 'read', 'worker'],
    ['POST', `${script}/subdomain`, 'change', 'worker'],
    ['DELETE', `${script}/subdomain`, 'destroy', 'worker'],
    ['GET', `${script}/secrets`, 'read', 'secret'],
    ['PUT', `${script}/secrets`, 'change', 'secret'],
    ['PATCH', `${script}/secrets-bulk`, 'destroy', 'secret'],
    ['GET', `${script}/secrets/:secret`, 'read', 'secret'],
    ['DELETE', `${script}/secrets/:secret`, 'destroy', 'secret'],
    ['GET', `${script}/versions`, 'read', 'worker'],
    ['POST', `${script}/versions`, 'change', 'worker'],
    ['GET', `${script}/versions/:version`, 'read', 'worker'],
    ['GET', `${script}/deployments`, 'read', 'worker'],
    ['POST', `${script}/deployments`, 'change', 'worker'],
    ['GET', `${script}/deployments/:deployment`, 'read', 'worker'],
    ['GET', `${script}/schedules`, 'read', 'worker'],
    ['PUT', `${script}/schedules`, 'change', 'worker'],
    ['POST', `${script}/domains/changeset`, 'read', 'worker-domain'],
    ['PUT', `${script}/domains/records`, 'destroy', 'worker-domain'],
    ['GET', `${script}/references`, 'read', 'worker'],
    ['GET', `${workers}/durable_objects/namespaces`, 'read', 'worker'],
    ['GET', `${workers}/tails/by-consumer/:script`, 'read', 'tail'],
    ['GET', service, 'read', 'worker'],
    ['DELETE', service, 'destroy', 'worker'],
    ['GET', environment, 'read', 'worker'],
    ['GET', `${environment}/bindings`, 'read', 'worker'],
    ['GET', `${environment}/routes`, 'read', 'worker'],
    ['GET', `${environment}/subdomain`, 'read', 'worker'],
    ['GET', `${environment}/content/v2`, 'read', 'worker'],
    ['GET', `${workers}/workers`, 'read', 'worker'],
    ['GET', worker, 'read', 'worker'],
    ['DELETE', worker, 'destroy', 'worker'],
    ['PATCH', `${worker}/versions/latest`, 'destroy', 'secret'],
    ['GET', `${workers}/domains`, 'read', 'worker-domain'],
    ['PUT', `${workers}/domains`, 'change', 'worker-domain'],
    ['GET', `${workers}/domains/records`, 'read', 'worker-domain'],
    ['GET', `${workers}/domains/records/:domain`, 'read', 'worker-domain'],
    ['GET', `${workers}/domains/:domain`, 'read', 'worker-domain'],
    ['DELETE', `${workers}/domains/:domain`, 'destroy', 'worker-domain'],
    ['GET', `${workers}/subdomain`, 'read', 'worker'],
    ['GET', `${workers}/account-settings`, 'read', 'worker'],
  ]),
  ...of('Workers Tail', [
    ['POST', `${script}/tails`, 'read', 'tail'],
    ['GET', `${script}/tails`, 'read', 'tail'],
    ['DELETE', `${script}/tails/:tail`, 'read', 'tail'],
  ]),
  ...of('Zone', [
    ['GET', zone, 'read', 'zone'],
    ['PATCH', zone, 'change', 'zone'],
    ['DELETE', zone, 'destroy', 'zone'],
    ['GET', `${zone}/hold`, 'read', 'hold'],
    ['POST', `${zone}/hold`, 'change', 'hold'],
    ['PATCH', `${zone}/hold`, 'change', 'hold'],
    ['DELETE', `${zone}/hold`, 'destroy', 'hold'],
    ['GET', `${zone}/available_plans`, 'read', 'zone-plan'],
    ['GET', `${zone}/available_plans/:plan`, 'read', 'zone-plan'],
    ['GET', `${zone}/subscription`, 'read', 'zone-plan'],
    ['POST', `${zone}/subscription`, 'change', 'zone-plan'],
    ['PUT', `${zone}/subscription`, 'change', 'zone-plan'],
  ]),
  ...of('SSL and Certificates', [
    ['GET', `${zone}/dcv_delegation/uuid`, 'read', 'hostname'],
    ['GET', `${zone}/ssl/verification`, 'read', 'zone-setting'],
    ['PATCH', `${zone}/ssl/verification/:pack`, 'change', 'zone-setting'],
    ['GET', `${zone}/ssl/certificate_packs`, 'read', 'certificate'],
    ['GET', `${zone}/ssl/certificate_packs/quota`, 'read', 'certificate'],
    ['GET', `${zone}/ssl/certificate_packs/:pack`, 'read', 'certificate'],
    ['GET', `${hostnames}/quota`, 'read', 'hostname'],
    ['GET', `${hostnames}/fallback_origin`, 'read', 'fallback-origin'],
    ['PUT', `${hostnames}/fallback_origin`, 'change', 'fallback-origin'],
    ['DELETE', `${hostnames}/fallback_origin`, 'destroy', 'fallback-origin'],
    ['GET', hostnames, 'read', 'hostname'],
    ['POST', hostnames, 'change', 'hostname'],
    ['GET', `${hostnames}/:hostname`, 'read', 'hostname'],
    ['PATCH', `${hostnames}/:hostname`, 'change', 'hostname'],
    ['DELETE', `${hostnames}/:hostname`, 'destroy', 'hostname'],
  ]),
  ...of('IP Prefixes', [['GET', `${account}/addressing/prefixes`, 'read', 'address-range']]),
  ...of('Zone Settings', [
    ['GET', `${zone}/settings`, 'read', 'zone-setting'],
    ['PATCH', `${zone}/settings`, 'change', 'zone-setting'],
    ['GET', `${zone}/settings/:setting`, 'read', 'zone-setting'],
    ['PATCH', `${zone}/settings/:setting`, 'change', 'zone-setting'],
  ]),
  ...of('Page Rules', [['GET', `${zone}/pagerules`, 'read', 'page-rule']]),
  ...of('DNS', [
    ['GET', records, 'read', 'record'],
    ['POST', records, 'change', 'record'],
    ['GET', `${records}/export`, 'read', 'record'],
    ['POST', `${records}/import`, 'change', 'record'],
    ['POST', `${records}/batch`, 'destroy', 'record'],
    ['GET', `${records}/:record`, 'read', 'record'],
    ['PUT', `${records}/:record`, 'change', 'record'],
    ['PATCH', `${records}/:record`, 'change', 'record'],
    ['DELETE', `${records}/:record`, 'destroy', 'record'],
  ]),
  ...of('Workers Routes', [
    ['GET', `${zone}/workers/routes`, 'read', 'worker-route'],
    ['POST', `${zone}/workers/routes`, 'change', 'worker-route'],
    ['GET', `${zone}/workers/routes/:route`, 'read', 'worker-route'],
    ['PUT', `${zone}/workers/routes/:route`, 'change', 'worker-route'],
    ['DELETE', `${zone}/workers/routes/:route`, 'destroy', 'worker-route'],
  ]),
  ...of('sandbox token', [
    ['GET', '/sandbox/dns', 'read', 'sandbox'],
    ['PUT', '/sandbox/dns', 'change', 'sandbox'],
    ['DELETE', '/sandbox/dns', 'destroy', 'sandbox'],
    ['GET', '/sandbox/dns/answer', 'read', 'sandbox'],
    ['GET', '/sandbox/clock', 'read', 'sandbox'],
    ['POST', '/sandbox/clock', 'change', 'sandbox'],
    ['GET', '/sandbox/pages', 'read', 'sandbox'],
    ['PUT', '/sandbox/pages', 'change', 'sandbox'],
    ['DELETE', '/sandbox/pages', 'destroy', 'sandbox'],
    ['GET', '/sandbox/origins', 'read', 'sandbox'],
    ['PUT', '/sandbox/origins', 'change', 'sandbox'],
    ['DELETE', '/sandbox/origins', 'destroy', 'sandbox'],
    ['GET', '/sandbox/edge-rules', 'read', 'sandbox'],
    ['PUT', '/sandbox/edge-rules', 'change', 'sandbox'],
    ['DELETE', '/sandbox/edge-rules', 'destroy', 'sandbox'],
    ['GET', '/sandbox/interventions', 'read', 'sandbox'],
    ['PUT', '/sandbox/interventions', 'change', 'sandbox'],
    ['DELETE', '/sandbox/interventions', 'destroy', 'sandbox'],
    ['PUT', '/sandbox/prefixes', 'change', 'sandbox'],
    ['PUT', '/sandbox/zone-states', 'change', 'sandbox'],
    ['POST', '/sandbox/world', 'change', 'sandbox'],
    ['PUT', '/sandbox/quota', 'change', 'sandbox'],
    ['PUT', '/sandbox/entitlements', 'change', 'sandbox'],
    ['GET', '/sandbox/issuance', 'read', 'sandbox'],
    ['GET', '/sandbox/certificates/:hostname', 'read', 'sandbox'],
    ['GET', '/sandbox/authorities', 'read', 'sandbox'],
    ['GET', '/sandbox/info', 'read', 'sandbox'],
    ['POST', '/sandbox/reset', 'destroy', 'sandbox'],
    ['GET', '/sandbox/requests', 'read', 'sandbox'],
    ['DELETE', '/sandbox/requests', 'destroy', 'sandbox'],
    ['GET', '/sandbox/faults', 'read', 'sandbox'],
    ['POST', '/sandbox/faults', 'change', 'sandbox'],
    ['DELETE', '/sandbox/faults', 'destroy', 'sandbox'],
    ['DELETE', '/sandbox/faults/:id', 'destroy', 'sandbox'],
    ['GET', '/sandbox/seed', 'read', 'sandbox'],
    ['PUT', '/sandbox/seed', 'destroy', 'sandbox'],
  ]),
];

/** Returns the right that an effect requires. */
export function rightFor(effect: CallEffect): Right {
  return effect === 'read' ? 'Read' : 'Write';
}

/** Returns the declared route of a v4 API call; undefined for an unknown path. */
export function findRoute({ method, path }: Pick<Call, 'method' | 'path'>): DeclaredRoute | undefined {
  const segments = (path.split('?', 1)[0] ?? path).split('/');
  return declaredRoutes.find((route) => route.method === method && fits(route.path.split('/'), segments));
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  const isOpen = pattern.at(-1)?.startsWith('*') === true;
  if (isOpen ? segments.length < pattern.length : segments.length !== pattern.length) return false;
  return pattern.every((part, index) => /^[:*]/.test(part) || part === segments[index]);
}

/**
 * Returns the token permission that a call requires, in the provider's wording: `Workers KV Storage: Edit`. Undefined if no permission
 * group applies.
 */
export function permissionFor(call: Pick<Call, 'method' | 'path'>): string | undefined {
  const route = findRoute(call);
  if (route === undefined || !isGroup(route.permission)) return undefined;
  return `${route.permission}: ${route.effect === 'read' ? 'Read' : 'Edit'}`;
}

export function isGroup(permission: Permission): permission is GroupName {
  return permission !== 'any token' && permission !== 'in body' && permission !== 'sandbox token';
}
