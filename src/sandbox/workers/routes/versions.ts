import { isObject } from '../../../model/json-object.ts';
import type { StoredVersion } from '../../../store/workers/workers.ts';
import { ok } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import { type Exchange, param, readJson, refusal } from '../../http/exchange.ts';
import { pageInfo, readWholeNumber } from '../../http/paging.ts';
import { workerCodes } from './codes.ts';
import {
  readAuthor,
  readSource,
  readWorkers,
  requireVersion,
  requireWorker,
  runningVersion,
} from './find.ts';
import { formatDeployment, formatListedVersion, formatVersion } from './shapes.ts';
import { parseAnnotations } from './upload.ts';

/** `GET .../versions?page&per_page&deployable`: lists versions, newest first; all versions can be deployed. */
export function listVersions(exchange: Exchange): Answer {
  const { name } = requireWorker(exchange);
  const { query, platform } = exchange;
  const all = readWorkers(platform).versions(name);
  const deployable = query.get('deployable') === 'true';
  const page = readWholeNumber(query, 'page', 1, Number.MAX_SAFE_INTEGER, 1);
  const perPage = readWholeNumber(query, 'per_page', 1, 100, deployable ? 100 : 10);
  const shown = all.slice((page - 1) * perPage, page * perPage);
  const items = shown.map((version) => formatListedVersion(version, readAuthor(platform)));
  return ok({ items }, pageInfo(page, perPage, items.length, all.length));
}

/** `GET .../versions/{id}`. */
export function getVersion(exchange: Exchange): Answer {
  const { name } = requireWorker(exchange);
  const version = requireVersion(exchange, name, param(exchange, 'version'));
  return ok(formatVersion(version, readAuthor(exchange.platform)));
}

/** `GET .../deployments`: lists deployments, newest first; the newest deployment is running. */
export function listDeployments(exchange: Exchange): Answer {
  const { name } = requireWorker(exchange);
  const author = readAuthor(exchange.platform);
  const deployments = readWorkers(exchange.platform).deployments(name);
  return ok({ deployments: deployments.map((one) => formatDeployment(one, author)) });
}

/** `GET .../deployments/{id}`. */
export function getDeployment(exchange: Exchange): Answer {
  const { name } = requireWorker(exchange);
  const id = param(exchange, 'deployment');
  const deployment = readWorkers(exchange.platform)
    .deployments(name)
    .find((one) => one.id === id);
  if (deployment === undefined)
    throw refusal(404, workerCodes.workerNotFound, `Deployment ${id} of the Worker not found.`);
  return ok(formatDeployment(deployment, readAuthor(exchange.platform)));
}

/**
 * Refuses an older version whose secrets differ from the secrets of the running version, because deploying the older version would restore
 * the old values.
 */
function refuseOldSecrets({ platform }: Exchange, name: string, version: StoredVersion): void {
  const running = runningVersion(platform, name);
  if (running === undefined || version.number >= running.number) return;
  const [old, now] = [readSecrets(version), readSecrets(running)];
  const changed = [...new Set([...now.keys(), ...old.keys()])].filter((key) => old.get(key) !== now.get(key));
  if (changed.length === 0) return;
  const why = `Cannot deploy an older version. The following secrets have changed: ${changed.join(', ')}`;
  throw refusal(400, workerCodes.secretsChanged, why);
}

function readSecrets({ bindings }: StoredVersion): ReadonlyMap<string, string> {
  return new Map(
    bindings.flatMap((binding) => (binding.type === 'secret_text' ? [[binding.name, binding.text]] : [])),
  );
}

/**
 * `POST .../deployments {strategy, versions: [{version_id, percentage}]}`: deploys a version. The sandbox runs one version at a time, so
 * only 100 % is accepted. With `?force=true`, accepts an older version even if secrets have changed since then.
 */
export async function postDeployment(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const { name } = requireWorker(exchange);
  const body = await readJson(exchange, 'deployment');
  if (!isObject(body) || !Array.isArray(body['versions'])) {
    throw refusal(400, workerCodes.uploadInvalid, 'A deployment must contain a list of versions.');
  }
  const [share, ...others] = body['versions'].filter(isObject);
  const version = requireVersion(exchange, name, share?.['version_id']);
  if (others.length > 0 || share?.['percentage'] !== 100) {
    throw refusal(
      400,
      workerCodes.uploadInvalid,
      'The sandbox runs one version of a Worker, at 100 percent.',
    );
  }
  if (exchange.query.get('force') !== 'true') refuseOldSecrets(exchange, name, version);
  const deployment = readWorkers(platform).addDeployment(name, {
    source: readSource(exchange),
    annotations: { ...parseAnnotations(body['annotations']), 'workers/triggered_by': 'deployment' },
    versions: [{ id: version.id, percentage: 100 }],
  });
  platform.edge?.workersChanged();
  return ok(formatDeployment(deployment, readAuthor(platform)));
}
