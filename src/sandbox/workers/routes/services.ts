import { emptyOk, ok } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import type { Exchange } from '../../http/exchange.ts';
import { pageInfo, readWholeNumber } from '../../http/paging.ts';
import { formatBinding } from './bindings.ts';
import { removeWorkerDomains } from './domains.ts';
import {
  latestVersion,
  readWorkers,
  requireService,
  requireWorker,
  requireWorkerById,
  runningVersion,
} from './find.ts';
import { dropSchedules } from './schedules.ts';
import { formatScript, formatService, formatWorker } from './shapes.ts';

/** `GET .../scripts`. */
export function listScripts({ platform }: Exchange): Answer {
  const workers = readWorkers(platform).list();
  return ok(workers.map((worker) => formatScript(worker, latestVersion(platform, worker.name))));
}

/** `DELETE .../scripts/{name}`: deletes the worker with its versions and secrets. */
export async function removeScript(exchange: Exchange): Promise<Answer> {
  const { name } = requireWorker(exchange);
  await remove(exchange, name);
  return ok({ id: name });
}

/** `DELETE .../services/{name}`: also deletes the worker. */
export async function removeService(exchange: Exchange): Promise<Answer> {
  const { name } = requireService(exchange);
  await remove(exchange, name);
  return ok({ id: name });
}

/** `DELETE .../workers/workers/{id}`. */
export async function removeWorker(exchange: Exchange): Promise<Answer> {
  await remove(exchange, requireWorkerById(exchange).name);
  return emptyOk();
}

async function remove(exchange: Exchange, name: string): Promise<void> {
  const { platform } = exchange;
  await removeWorkerDomains(platform, name);
  dropSchedules(exchange, name);
  readWorkers(platform).remove(name);
  for (const { id } of platform.tails?.forWorker(name) ?? []) platform.tails?.remove(name, id);
  platform.edge?.workersChanged();
}

/** `GET .../services/{name}`: returns the worker with its only environment. */
export function getService(exchange: Exchange): Answer {
  const worker = requireService(exchange);
  return ok(formatService(worker, latestVersion(exchange.platform, worker.name)));
}

/** `GET .../services/{name}/environments/{environment}`. */
export function getEnvironment(exchange: Exchange): Answer {
  const worker = requireWorker(exchange);
  return ok(formatService(worker, latestVersion(exchange.platform, worker.name)).default_environment);
}

/** `GET .../services/{name}/environments/{environment}/bindings`. */
export function getBindings(exchange: Exchange): Answer {
  const { name } = requireWorker(exchange);
  return ok((runningVersion(exchange.platform, name)?.bindings ?? []).map(formatBinding));
}

/** `GET .../services/{name}/environments/{environment}/routes`: returns an empty list, because a sandbox lists routes only by zone. */
export function listEnvironmentRoutes(exchange: Exchange): Answer {
  requireWorker(exchange);
  return ok([]);
}

/** `GET .../workers/workers?page&per_page`. */
export function listWorkers({ platform, query }: Exchange): Answer {
  const all = readWorkers(platform).list();
  const page = readWholeNumber(query, 'page', 1, Number.MAX_SAFE_INTEGER, 1);
  const perPage = readWholeNumber(query, 'per_page', 1, 100, 10);
  const result = all
    .slice((page - 1) * perPage, page * perPage)
    .map((worker) => formatWorker(worker, readWorkers(platform).deployments(worker.name)[0]));
  return ok(result, pageInfo(page, perPage, result.length, all.length));
}

/** `GET .../workers/workers/{id}`. */
export function getWorker(exchange: Exchange): Answer {
  const worker = requireWorkerById(exchange);
  return ok(formatWorker(worker, readWorkers(exchange.platform).deployments(worker.name)[0]));
}

/** Lists references to a worker; the list is always empty in a sandbox. */
export function getReferences(exchange: Exchange): Answer {
  requireWorker(exchange);
  return ok({ services: { incoming: [], outgoing: [], pages_function: false }, durable_objects: [] });
}

/**
 * Answers with an empty list for resources that the sandbox does not support: routes, tail workers, durable objects.
 */
export function listNothing(): Answer {
  return ok([], pageInfo(1, 20, 0, 0));
}

export function getAccountSettings(): Answer {
  return ok({ default_usage_model: 'standard', green_compute: false });
}
