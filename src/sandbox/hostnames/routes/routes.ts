import type { Method } from '../../../v4/send.ts';
import { type Handler, type Route, unroutable } from '../../http/exchange.ts';

const zone = '/zones/:zone';
const hostnames = `${zone}/custom_hostnames`;
const hostname = `${hostnames}/:hostname`;
const records = `${zone}/dns_records`;

const workerRoutes = `${zone}/workers/routes`;

const workers = () => import('../../workers/routes/zone-routes.ts');
const zones = () => import('../../zones/routes.ts');
const holds = () => import('../../zones/holds.ts');
const dns = () => import('../../zones/dns-records.ts');
const prefixes = () => import('../../zones/prefix-routes.ts');
const list = () => import('./list.ts');
const change = () => import('./change.ts');
const simulation = () => import('./simulation.ts');
const edge = () => import('./edge.ts');
const fallback = () => import('./fallback.ts');
const world = () => import('../world.ts');

/**
 * Routes of zones, their DNS records and holds, custom hostnames, and the internet around them. Loaded late: most calls
 * are of other things.
 */
export const hostnameRoutes: readonly Route[] = [
  on('GET', '/zones', async () => (await zones()).listZones),
  on('POST', '/zones', async () => (await zones()).createZone),
  on('GET', zone, async () => (await zones()).getZone),
  on('PATCH', zone, async () => (await zones()).changeZone),
  on('DELETE', zone, async () => (await zones()).removeZone),
  on('GET', `${zone}/dcv_delegation/uuid`, async () => (await zones()).getDelegation),
  on('GET', '/ips', async () => (await zones()).listAddresses),
  on('GET', '/accounts/:account/addressing/prefixes', async () => (await prefixes()).listPrefixes),
  on('GET', `${zone}/hold`, async () => (await holds()).getHold),
  on('POST', `${zone}/hold`, async () => (await holds()).createHold),
  on('PATCH', `${zone}/hold`, async () => (await holds()).changeHold),
  on('DELETE', `${zone}/hold`, async () => (await holds()).removeHold),
  on('GET', records, async () => (await dns()).listRecords),
  on('POST', records, async () => (await dns()).createRecord),
  on('GET', `${records}/:record`, async () => (await dns()).getRecord),
  on('PUT', `${records}/:record`, async () => (await dns()).replaceRecord),
  on('PATCH', `${records}/:record`, async () => (await dns()).changeRecord),
  on('DELETE', `${records}/:record`, async () => (await dns()).removeRecord),
  on('GET', workerRoutes, async () => (await workers()).listZoneRoutes),
  on('POST', workerRoutes, async () => (await workers()).createZoneRoute),
  on('GET', `${workerRoutes}/:route`, async () => (await workers()).getZoneRoute),
  on('PUT', `${workerRoutes}/:route`, async () => (await workers()).replaceZoneRoute),
  on('DELETE', `${workerRoutes}/:route`, async () => (await workers()).removeZoneRoute),
  on('GET', `${hostnames}/quota`, async () => (await list()).getQuota),
  on('GET', `${hostnames}/fallback_origin`, async () => (await fallback()).getFallback),
  on('PUT', `${hostnames}/fallback_origin`, async () => (await fallback()).putFallback),
  on('DELETE', `${hostnames}/fallback_origin`, async () => (await fallback()).removeFallback),
  on('GET', hostnames, async () => (await list()).listHostnames),
  on('POST', hostnames, async () => (await change()).createHostname),
  on('GET', hostname, async () => (await list()).getHostname),
  on('PATCH', hostname, async () => (await change()).changeHostname),
  on('DELETE', hostname, async () => (await change()).removeHostname),
  on('GET', '/sandbox/dns', async () => (await simulation()).listDns),
  on('PUT', '/sandbox/dns', async () => (await simulation()).setDns),
  on('DELETE', '/sandbox/dns', async () => (await simulation()).unsetDns),
  on('GET', '/sandbox/dns/answer', async () => (await simulation()).answerDns),
  on('GET', '/sandbox/clock', async () => (await simulation()).getClock),
  on('POST', '/sandbox/clock', async () => (await simulation()).advanceClock),
  on('GET', '/sandbox/pages', async () => (await simulation()).listPages),
  on('PUT', '/sandbox/pages', async () => (await simulation()).putPage),
  on('DELETE', '/sandbox/pages', async () => (await simulation()).removePage),
  on('GET', '/sandbox/origins', async () => (await edge()).listOrigins),
  on('PUT', '/sandbox/origins', async () => (await edge()).putOrigin),
  on('DELETE', '/sandbox/origins', async () => (await edge()).removeOrigin),
  on('GET', '/sandbox/edge-rules', async () => (await edge()).listEdgeRules),
  on('PUT', '/sandbox/edge-rules', async () => (await edge()).putEdgeRule),
  on('DELETE', '/sandbox/edge-rules', async () => (await edge()).removeEdgeRule),
  on('GET', '/sandbox/interventions', async () => (await edge()).listInterventions),
  on('PUT', '/sandbox/interventions', async () => (await edge()).putIntervention),
  on('DELETE', '/sandbox/interventions', async () => (await edge()).dropIntervention),
  on('PUT', '/sandbox/prefixes', async () => (await prefixes()).putPrefixes),
  on('PUT', '/sandbox/zone-states', async () => (await edge()).putZoneState),
  on('POST', '/sandbox/world', async () => (await world()).importWorld),
  on('PUT', '/sandbox/quota', async () => (await simulation()).putQuota),
  on('GET', '/sandbox/issuance', async () => (await simulation()).getIssuance),
  on('GET', '/sandbox/certificates/:hostname', async () => (await simulation()).getCertificate),
  on('GET', '/sandbox/authorities', async () => (await simulation()).getAuthorities),
];

function on(method: Method, pattern: string, load: () => Promise<Handler>): Route {
  return {
    method,
    pattern,
    async handle(exchange) {
      const { zone: id } = exchange.params;
      if (id !== undefined && !/^[0-9a-f]{32}$/.test(id)) return unroutable(`/zones/${id}`);
      return (await load())(exchange);
    },
  };
}
