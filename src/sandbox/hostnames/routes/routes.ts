import type { Route } from '../../http/exchange.ts';
import { onZone as on } from '../../zones/routes.ts';

const zone = '/zones/:zone';
const hostnames = `${zone}/custom_hostnames`;
const hostname = `${hostnames}/:hostname`;

const prefixes = () => import('../../zones/prefix-routes.ts');
const list = () => import('./list.ts');
const change = () => import('./change.ts');
const simulation = () => import('./simulation.ts');
const edge = () => import('./edge.ts');
const fallback = () => import('./fallback.ts');
const world = () => import('../world.ts');

/**
 * Routes for custom hostnames, and the internet around them. The code is loaded lazily, because most calls do not need
 * these routes.
 */
export const hostnameRoutes: readonly Route[] = [
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
  on('PUT', '/sandbox/entitlements', async () => (await simulation()).putEntitlements),
  on('GET', '/sandbox/issuance', async () => (await simulation()).getIssuance),
  on('GET', '/sandbox/certificates/:hostname', async () => (await simulation()).getCertificate),
  on('GET', '/sandbox/authorities', async () => (await simulation()).getAuthorities),
];
