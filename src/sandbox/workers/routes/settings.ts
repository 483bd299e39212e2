import { isObject } from '../../../model/json-object.ts';
import type { WorkerBinding } from '../../../model/workers/worker.ts';
import { ok } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import { type Exchange, readJson, refusal } from '../../http/exchange.ts';
import { workerCodes } from './codes.ts';
import { latestVersion, readWorkers, requireWorker, runningVersion } from './find.ts';
import { readCallForm, readObjectPart } from './form.ts';
import { formatScriptSettings, formatSettings } from './shapes.ts';
import { mergeSettings, publish } from './upload.ts';

const bodyLimit = 1024 * 1024;

/** `GET .../scripts/{name}/settings`: returns the settings of the worker and of its running version. */
export function getSettings(exchange: Exchange): Answer {
  const worker = requireWorker(exchange);
  return ok(formatSettings(worker, runningVersion(exchange.platform, worker.name)));
}

/** `PATCH .../scripts/{name}/settings` with a form part `settings`: creates a version with the same code. */
export async function patchSettings(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const { name } = requireWorker(exchange);
  const settings = readObjectPart((await readCallForm(exchange)) ?? [], 'settings');
  if (settings === undefined)
    throw refusal(400, workerCodes.uploadInvalid, 'The form has no part named settings.');
  const latest = latestVersion(platform, name);
  if (latest === undefined) throw refusal(404, workerCodes.workerNotFound, 'This Worker has no version yet.');
  const metadata = {
    bindings: latest.bindings,
    compatibility_date: latest.compatibilityDate,
    compatibility_flags: latest.compatibilityFlags,
    ...settings,
    ...('bindings' in settings && { bindings: inheritUnchanged(settings['bindings'], latest.bindings) }),
  };
  const code = readWorkers(platform).code(latest.codeId);
  await publish(exchange, name, { code, metadata }, { deployed: true });
  return getSettings(exchange);
}

/**
 * Like the provider, copies a binding from the latest version if only its type and name are given: older versions of wrangler send
 * unchanged bindings in this form.
 */
function inheritUnchanged(given: unknown, before: readonly WorkerBinding[]): unknown {
  if (!Array.isArray(given)) return given;
  return given.map((value: unknown) => {
    if (!isObject(value) || Object.keys(value).some((field) => field !== 'type' && field !== 'name'))
      return value;
    const exists = before.some(({ type, name }) => type === value['type'] && name === value['name']);
    return exists ? { type: 'inherit', name: value['name'] } : value;
  });
}

/** `GET .../scripts/{name}/script-settings`: returns the settings that do not belong to a version. */
export function getScriptSettings(exchange: Exchange): Answer {
  return ok(formatScriptSettings(requireWorker(exchange)));
}

/** `PATCH .../scripts/{name}/script-settings`. */
export async function patchScriptSettings(exchange: Exchange): Promise<Answer> {
  const worker = requireWorker(exchange);
  const body = await readJson(exchange, 'settings', bodyLimit);
  if (!isObject(body)) throw refusal(400, workerCodes.uploadInvalid, 'The settings must be a JSON object.');
  readWorkers(exchange.platform).change(worker.name, { settings: mergeSettings(worker, body) });
  return getScriptSettings(exchange);
}

/** `GET .../scripts/{name}/subdomain`: returns whether the worker answers at its own hostname. */
export function getSubdomain(exchange: Exchange): Answer {
  const { routed, previews } = requireWorker(exchange);
  return ok({ enabled: routed, previews_enabled: previews });
}

/** `POST .../scripts/{name}/subdomain {enabled, previews_enabled}`. */
export async function postSubdomain(exchange: Exchange): Promise<Answer> {
  const worker = requireWorker(exchange);
  const body = await readJson(exchange, 'subdomain', bodyLimit);
  if (!isObject(body) || typeof body['enabled'] !== 'boolean') {
    throw refusal(400, workerCodes.uploadInvalid, 'The body must contain the boolean "enabled".');
  }
  const previews = body['previews_enabled'];
  readWorkers(exchange.platform).change(worker.name, {
    routed: body['enabled'],
    ...(typeof previews === 'boolean' ? { previews } : {}),
  });
  return getSubdomain(exchange);
}

/** `DELETE .../scripts/{name}/subdomain`. */
export function removeSubdomain(exchange: Exchange): Answer {
  const { name } = requireWorker(exchange);
  readWorkers(exchange.platform).change(name, { routed: false, previews: false });
  return getSubdomain(exchange);
}

/**
 * `GET .../workers/subdomain`: returns the subdomain, and the address of the edge below which workers are served; the address is null if no
 * edge is served.
 */
export function getAccountSubdomain({ platform }: Exchange): Answer {
  const url = platform.edge?.url ?? null;
  if (platform.root === undefined) return ok({ subdomain: 'sandbox', edge_url: url });
  const { id } = platform.registry().account();
  return ok({ subdomain: id, edge_url: url?.replace('://', `://${id}.`) ?? null });
}
