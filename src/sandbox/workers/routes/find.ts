import type { StoredVersion, StoredWorker, WorkerTable } from '../../../store/workers/workers.ts';
import { type Exchange, type Platform, param, refusal } from '../../http/exchange.ts';
import { workerCodes } from './codes.ts';

/** Returns the account's workers. */
export function readWorkers(platform: Platform): WorkerTable {
  return platform.registry().workers;
}

/** Returns the worker in the path. An unknown name is refused. */
export function requireWorker(exchange: Exchange): StoredWorker {
  if (exchange.params['environment'] !== undefined) return requireService(exchange);
  const worker = readWorkers(exchange.platform).find(param(exchange, 'script'));
  if (worker === undefined) throw missingWorker();
  return worker;
}

/**
 * Returns the worker in a path below `services`. The paths below `services` have separate error codes. Refuses an unknown worker or
 * environment.
 */
export function requireService(exchange: Exchange): StoredWorker {
  const worker = readWorkers(exchange.platform).find(param(exchange, 'script'));
  if (worker === undefined) throw refusal(404, workerCodes.serviceNotFound, missingText);
  const { environment = onlyEnvironment } = exchange.params;
  if (environment !== onlyEnvironment)
    throw refusal(404, workerCodes.environmentNotFound, 'This environment does not exist on this Worker.');
  return worker;
}

/** Returns the worker in the path, by its name or tag. An unknown name or id is refused. */
export function requireWorkerById(exchange: Exchange): StoredWorker {
  const id = param(exchange, 'script');
  const all = readWorkers(exchange.platform).list();
  const worker = all.find(({ name }) => name === id) ?? all.find(({ tag }) => tag === id);
  if (worker === undefined) throw missingWorker();
  return worker;
}

const missingText = 'This Worker does not exist on your account.';

/** The name of the only environment of each worker. */
export const onlyEnvironment = 'production';

function missingWorker() {
  return refusal(404, workerCodes.workerNotFound, missingText);
}

/** Returns the newest version of a worker, deployed or not; undefined for a worker without code. */
export function latestVersion(platform: Platform, name: string): StoredVersion | undefined {
  return readWorkers(platform).versions(name)[0];
}

/**
 * Returns the running version of a worker, or the newest version if no version is running. The secrets and settings of this version are the
 * secrets and settings of the worker.
 */
export function runningVersion(platform: Platform, name: string): StoredVersion | undefined {
  const workers = readWorkers(platform);
  const id = workers.deployments(name)[0]?.versions[0]?.id;
  const versions = workers.versions(name);
  return versions.find((version) => version.id === id) ?? versions[0];
}

/** Returns whether a version is deployed. Settings and secrets of the newest version can be changed only if the version is deployed. */
export function isDeployed(platform: Platform, name: string, version: StoredVersion): boolean {
  const [deployment] = readWorkers(platform).deployments(name);
  return deployment?.versions.some(({ id }) => id === version.id) ?? false;
}

/** Returns the tool that sent a call, for the source of versions and deployments. */
export function readSource({ call }: Exchange): string {
  return /^(wrangler|edgectl)\b/.exec(call.headers['user-agent'] ?? '')?.[1] ?? 'api';
}

/** Returns the author of versions and deployments: the account's email address. */
export function readAuthor(platform: Platform): string {
  return platform.registry().credentials().email;
}

/** Returns the version of a worker with this id. An unknown id is refused. */
export function requireVersion(exchange: Exchange, name: string, id: unknown): StoredVersion {
  const version = readWorkers(exchange.platform)
    .versions(name)
    .find((one) => one.id === id);
  if (version === undefined)
    throw refusal(404, workerCodes.versionNotFound, `Version ${JSON.stringify(id)} of the Worker not found.`);
  return version;
}
