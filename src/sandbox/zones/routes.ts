import type { Method } from '../../v4/send.ts';
import { type Handler, type Route, unroutableAnswer } from '../http/exchange.ts';

const zone = '/zones/:zone';
const records = `${zone}/dns_records`;

const zones = () => import('./zones.ts');
const holds = () => import('./holds.ts');
const dns = () => import('./dns-records.ts');
const batch = () => import('./dns-batch.ts');
const settings = () => import('./settings/settings.ts');
const ssl = () => import('./ssl.ts');
const plans = () => import('./plans.ts');
const prefixes = () => import('./prefix-routes.ts');

/**
 * Routes for zones, their settings, holds and DNS records. The code is loaded lazily, because most calls do not need
 * these routes.
 */
export const zoneRoutes: readonly Route[] = [
  onZone('GET', '/zones', async () => (await zones()).listZones),
  onZone('POST', '/zones', async () => (await zones()).createZone),
  onZone('GET', zone, async () => (await zones()).getZone),
  onZone('PATCH', zone, async () => (await zones()).changeZone),
  onZone('DELETE', zone, async () => (await zones()).removeZone),
  onZone('GET', `${zone}/dcv_delegation/uuid`, async () => (await zones()).getDelegation),
  onZone('GET', '/ips', async () => (await zones()).listAddresses),
  onZone('GET', '/accounts/:account/addressing/prefixes', async () => (await prefixes()).listPrefixes),
  onZone('GET', `${zone}/hold`, async () => (await holds()).getHold),
  onZone('POST', `${zone}/hold`, async () => (await holds()).createHold),
  onZone('PATCH', `${zone}/hold`, async () => (await holds()).changeHold),
  onZone('DELETE', `${zone}/hold`, async () => (await holds()).removeHold),
  onZone('GET', `${zone}/settings`, async () => (await settings()).listSettings),
  onZone('PATCH', `${zone}/settings`, async () => (await settings()).changeSettings),
  onZone('GET', `${zone}/settings/:setting`, async () => (await settings()).getSetting),
  onZone('PATCH', `${zone}/settings/:setting`, async () => (await settings()).changeSetting),
  onZone('GET', `${zone}/ssl/verification`, async () => (await ssl()).getVerification),
  onZone('PATCH', `${zone}/ssl/verification/:pack`, async () => (await ssl()).changeVerification),
  onZone('GET', `${zone}/ssl/certificate_packs`, async () => (await ssl()).listPacks),
  // This route must precede the route of a single pack, whose parameter would match `quota`.
  onZone('GET', `${zone}/ssl/certificate_packs/quota`, async () => (await ssl()).getPackQuota),
  onZone('GET', `${zone}/ssl/certificate_packs/:pack`, async () => (await ssl()).getPack),
  onZone('GET', `${zone}/pagerules`, async () => (await ssl()).listPageRules),
  onZone('GET', `${zone}/available_plans`, async () => (await plans()).listPlans),
  onZone('GET', `${zone}/available_plans/:plan`, async () => (await plans()).getPlan),
  onZone('GET', `${zone}/subscription`, async () => (await plans()).getSubscription),
  onZone('POST', `${zone}/subscription`, async () => (await plans()).subscribe),
  onZone('PUT', `${zone}/subscription`, async () => (await plans()).subscribe),
  onZone('GET', records, async () => (await dns()).listRecords),
  onZone('POST', records, async () => (await dns()).createRecord),
  onZone('GET', `${records}/export`, async () => (await batch()).exportRecords),
  onZone('POST', `${records}/import`, async () => (await batch()).importRecords),
  onZone('POST', `${records}/batch`, async () => (await batch()).batchRecords),
  onZone('GET', `${records}/:record`, async () => (await dns()).getRecord),
  onZone('PUT', `${records}/:record`, async () => (await dns()).replaceRecord),
  onZone('PATCH', `${records}/:record`, async () => (await dns()).changeRecord),
  onZone('DELETE', `${records}/:record`, async () => (await dns()).removeRecord),
];

/** Creates a route whose code is loaded on its first call. An invalid zone id is treated as an unknown path. */
export function onZone(method: Method, pattern: string, load: () => Promise<Handler>): Route {
  return {
    method,
    pattern,
    async handle(exchange) {
      const { zone: id } = exchange.params;
      if (id !== undefined && !/^[0-9a-f]{32}$/.test(id)) return unroutableAnswer(`/zones/${id}`);
      return (await load())(exchange);
    },
  };
}
