import type { StoredVersion, StoredWorker, WorkerTable } from '../../../store/workers/workers.ts';
import { type Exchange, type Platform, param, refusal } from '../../http/exchange.ts';
import { workerCodes } from './codes.ts';

/** The account's workers. */
export function workersOf(platform: Platform): WorkerTable {
  return platform.registry().workers;
}

/** The worker that the path names. Refuses with not-found. */
export function requireWorker(exchange: Exchange): StoredWorker {
  const worker = workersOf(exchange.platform).find(param(exchange, 'script'));
  if (worker === undefined) throw missingWorker();
  return worker;
}

/** The worker that the path names by its name or its tag. Refuses with not-found. */
export function requireWorkerById(exchange: Exchange): StoredWorker {
  const id = param(exchange, 'script');
  const all = workersOf(exchange.platform).list();
  const worker = all.find(({ name }) => name === id) ?? all.find(({ tag }) => tag === id);
  if (worker === undefined) throw missingWorker();
  return worker;
}

function missingWorker() {
  return refusal(404, workerCodes.workerNotFound, 'This Worker does not exist on your account.');
}

/** The newest version of a worker, deployed or not; none of a worker that was made without code. */
export function latestVersion(platform: Platform, name: string): StoredVersion | undefined {
  return workersOf(platform).versions(name)[0];
}

/** The version of a worker that runs, whose secrets and settings are the worker's; where none runs, the newest. */
export function runningVersion(platform: Platform, name: string): StoredVersion | undefined {
  const workers = workersOf(platform);
  const id = workers.deployments(name)[0]?.versions[0]?.id;
  const versions = workers.versions(name);
  return versions.find((version) => version.id === id) ?? versions[0];
}

/** Whether the newest version is all that runs. Others cannot be changed in place. */
export function isDeployed(platform: Platform, name: string, version: StoredVersion): boolean {
  const [deployment] = workersOf(platform).deployments(name);
  return deployment?.versions.some(({ id }) => id === version.id) ?? false;
}

/** The tool that a call comes from, as versions and deployments name their source. */
export function sourceOf({ call }: Exchange): string {
  return /^(wrangler|edgectl)\b/.exec(call.headers['user-agent'] ?? '')?.[1] ?? 'api';
}

/** The author of versions and deployments: the account's e-mail address. */
export function authorOf(platform: Platform): string {
  return platform.registry().credentials().email;
}

/** The version of a worker that has this id. Refuses with not-found. */
export function requireVersion(exchange: Exchange, name: string, id: unknown): StoredVersion {
  const version = workersOf(exchange.platform)
    .versions(name)
    .find((one) => one.id === id);
  if (version === undefined)
    throw refusal(404, workerCodes.versionNotFound, `Version ${JSON.stringify(id)} of the Worker not found.`);
  return version;
}
