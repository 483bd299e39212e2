import type { Method } from '../../../v4/send.ts';
import { codes } from '../../http/codes.ts';
import { type Handler, type Route, refusal } from '../../http/exchange.ts';
import { onZone } from '../../zones/routes.ts';

const workers = '/accounts/:account/workers';
const script = `${workers}/scripts/:script`;
const service = `${workers}/services/:script`;
const environment = `${service}/environments/:environment`;
const worker = `${workers}/workers/:script`;
const zoneRoutes = '/zones/:zone/workers/routes';

const upload = () => import('./upload.ts');
const content = () => import('./content.ts');
const settings = () => import('./settings.ts');
const secrets = () => import('./secrets.ts');
const versions = () => import('./versions.ts');
const services = () => import('./services.ts');
const domains = () => import('./domains.ts');
const domainRecords = () => import('./domain-records.ts');
const schedules = () => import('./schedules.ts');
const tails = () => import('./tails.ts');
const routes = () => import('./zone-routes.ts');

/**
 * Routes for workers, their code, versions, deployments, settings and secrets. The code is loaded lazily, because most
 * calls do not need these routes.
 */
export const workerRoutes: readonly Route[] = [
  on('GET', `${workers}/scripts`, async () => (await services()).listScripts),
  on('PUT', script, async () => (await upload()).putScript),
  on('GET', script, async () => (await content()).getContent),
  on('DELETE', script, async () => (await services()).removeScript),
  on('PUT', `${script}/content`, async () => (await upload()).putContent),
  on('GET', `${script}/content/v2`, async () => (await content()).getContent),
  on('GET', `${script}/settings`, async () => (await settings()).getSettings),
  on('PATCH', `${script}/settings`, async () => (await settings()).patchSettings),
  on('GET', `${script}/script-settings`, async () => (await settings()).getScriptSettings),
  on('PATCH', `${script}/script-settings`, async () => (await settings()).patchScriptSettings),
  on('GET', `${script}/subdomain`, async () => (await settings()).getSubdomain),
  on('POST', `${script}/subdomain`, async () => (await settings()).postSubdomain),
  on('DELETE', `${script}/subdomain`, async () => (await settings()).removeSubdomain),
  on('GET', `${script}/secrets`, async () => (await secrets()).listSecrets),
  on('PUT', `${script}/secrets`, async () => (await secrets()).putSecret),
  on('PATCH', `${script}/secrets-bulk`, async () => (await secrets()).patchSecrets),
  on('GET', `${script}/secrets/:secret`, async () => (await secrets()).getSecret),
  on('DELETE', `${script}/secrets/:secret`, async () => (await secrets()).removeSecret),
  on('GET', `${script}/versions`, async () => (await versions()).listVersions),
  on('POST', `${script}/versions`, async () => (await upload()).postVersion),
  on('GET', `${script}/versions/:version`, async () => (await versions()).getVersion),
  on('GET', `${script}/deployments`, async () => (await versions()).listDeployments),
  on('POST', `${script}/deployments`, async () => (await versions()).postDeployment),
  on('GET', `${script}/deployments/:deployment`, async () => (await versions()).getDeployment),
  on('GET', `${script}/schedules`, async () => (await schedules()).getSchedules),
  on('PUT', `${script}/schedules`, async () => (await schedules()).putSchedules),
  on('POST', `${script}/tails`, async () => (await tails()).postTail),
  on('GET', `${script}/tails`, async () => (await tails()).getTail),
  on('DELETE', `${script}/tails/:tail`, async () => (await tails()).removeTail),
  on('POST', `${script}/domains/changeset`, async () => (await domainRecords()).postChangeset),
  on('PUT', `${script}/domains/records`, async () => (await domainRecords()).putRecords),
  on('GET', `${script}/references`, async () => (await services()).getReferences),
  on('GET', `${workers}/durable_objects/namespaces`, async () => (await services()).listNothing),
  on('GET', `${workers}/tails/by-consumer/:script`, async () => (await services()).listNothing),
  on('GET', service, async () => (await services()).getService),
  on('DELETE', service, async () => (await services()).removeService),
  on('GET', environment, async () => (await services()).getEnvironment),
  on('GET', `${environment}/bindings`, async () => (await services()).getBindings),
  on('GET', `${environment}/routes`, async () => (await services()).listEnvironmentRoutes),
  on('GET', `${environment}/subdomain`, async () => (await settings()).getSubdomain),
  on('GET', `${environment}/content/v2`, async () => (await content()).getContent),
  on('GET', `${workers}/workers`, async () => (await services()).listWorkers),
  on('GET', worker, async () => (await services()).getWorker),
  on('DELETE', worker, async () => (await services()).removeWorker),
  on('PATCH', `${worker}/versions/latest`, async () => (await secrets()).patchLatestVersion),
  on('GET', `${workers}/domains`, async () => (await domains()).listWorkerDomains),
  on('PUT', `${workers}/domains`, async () => (await domains()).attachWorkerDomain),
  on('GET', `${workers}/domains/records`, async () => (await domains()).listWorkerDomains),
  on('GET', `${workers}/domains/records/:domain`, async () => (await domains()).getWorkerDomain),
  on('GET', `${workers}/domains/:domain`, async () => (await domains()).getWorkerDomain),
  on('DELETE', `${workers}/domains/:domain`, async () => (await domains()).removeWorkerDomain),
  on('GET', `${workers}/subdomain`, async () => (await settings()).getAccountSubdomain),
  on('GET', `${workers}/account-settings`, async () => (await services()).getAccountSettings),
  onZone('GET', zoneRoutes, async () => (await routes()).listZoneRoutes),
  onZone('POST', zoneRoutes, async () => (await routes()).createZoneRoute),
  onZone('GET', `${zoneRoutes}/:route`, async () => (await routes()).getZoneRoute),
  onZone('PUT', `${zoneRoutes}/:route`, async () => (await routes()).replaceZoneRoute),
  onZone('DELETE', `${zoneRoutes}/:route`, async () => (await routes()).removeZoneRoute),
];

function on(method: Method, pattern: string, load: () => Promise<Handler>): Route {
  return {
    method,
    pattern,
    async handle(exchange) {
      if (exchange.platform.kind === 'local') {
        throw refusal(400, codes.namespaceUnsupported, 'local data has no workers: run one with edgectl dev');
      }
      return (await load())(exchange);
    },
  };
}
