import { bindingFault } from '../../../model/config.ts';
import { isObject } from '../../../model/json-object.ts';
import type { WorkerBinding } from '../../../model/workers/worker.ts';
import type { StoredVersion } from '../../../store/workers/workers.ts';
import { ok } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import { type Exchange, param, readJson, refusal } from '../../http/exchange.ts';
import { formatBinding } from './bindings.ts';
import { workerCodes } from './codes.ts';
import {
  isDeployed,
  latestVersion,
  readAuthor,
  readSource,
  readWorkers,
  requireWorker,
  requireWorkerById,
  runningVersion,
} from './find.ts';
import { formatVersion } from './shapes.ts';
import { parseAnnotations } from './upload.ts';

type Secret = Extract<WorkerBinding, { type: 'secret_text' }>;
/** Changes to secrets, by name: the secret to set, or null to delete the secret. */
type SecretChanges = ReadonlyMap<string, Secret | null>;

const bodyLimit = 1024 * 1024;
const bulkLimit = 100;

/** `GET .../secrets`: lists the names and types of the secrets in the running version. */
export function listSecrets(exchange: Exchange): Answer {
  const { name } = requireWorker(exchange);
  const bindings = runningVersion(exchange.platform, name)?.bindings ?? [];
  return ok(bindings.filter(isSecret).map(formatBinding));
}

/** `GET .../secrets/{name}`. */
export function getSecret(exchange: Exchange): Answer {
  const { name } = requireWorker(exchange);
  return ok(formatBinding(requireSecret(exchange, name)));
}

/** `PUT .../secrets {name, text, type}`: sets a secret, which is deployed before the answer is sent. */
export async function putSecret(exchange: Exchange): Promise<Answer> {
  const { name } = requireWorker(exchange);
  const secret = parseSecret(await readJson(exchange, 'secret', bodyLimit));
  deployChanges(exchange, name, new Map([[secret.name, secret]]), workerCodes.secretNotDeployed);
  return ok(formatBinding(secret));
}

/** `DELETE .../secrets/{name}`. */
export function removeSecret(exchange: Exchange): Answer {
  const { name } = requireWorker(exchange);
  const secret = requireSecret(exchange, name);
  deployChanges(exchange, name, new Map([[secret.name, null]]), workerCodes.secretNotDeployed);
  return ok(null);
}

/** `PATCH .../secrets-bulk {secrets: {NAME: {…} | null}}`: sets and deletes up to 100 secrets with a merge patch (RFC 7396). */
export async function patchSecrets(exchange: Exchange): Promise<Answer> {
  const { name } = requireWorker(exchange);
  const body = await readJson(exchange, 'secrets', bodyLimit);
  const given = isObject(body) ? body['secrets'] : undefined;
  if (!isObject(given)) throw invalid('the body must contain an object "secrets"');
  const changes = parseChanges(given);
  deployChanges(exchange, name, changes, workerCodes.settingsNotDeployed);
  const set = [...changes].flatMap(([key, secret]) =>
    secret === null ? [] : [[key, formatBinding(secret)]],
  );
  return ok(Object.fromEntries(set));
}

/**
 * `PATCH .../workers/{name}/versions/latest {env: {NAME: {type, text} | null}, annotations}`: creates a version with changed
 * secrets without deploying it, for `wrangler versions secret put`.
 */
export async function patchLatestVersion(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const { name } = requireWorkerById(exchange);
  const body = await readJson(exchange, 'version', bodyLimit);
  const env = isObject(body) ? body['env'] : undefined;
  if (!isObject(body) || !isObject(env)) throw invalid('the body must contain an object "env"');
  const changes = parseChanges(env);
  const latest = requireVersion(exchange, name);
  const annotations = { ...parseAnnotations(body['annotations']), 'workers/triggered_by': 'version_upload' };
  const version = addVersion(exchange, name, latest, changes, annotations);
  return ok(formatVersion(version, readAuthor(platform)));
}

/** Parses changes by name. The key of an entry is its name. */
function parseChanges(given: Readonly<Record<string, unknown>>): SecretChanges {
  const entries = Object.entries(given);
  if (entries.length > bulkLimit) throw invalid(`up to ${bulkLimit} secrets can be changed in one request`);
  return new Map(
    entries.map(([name, value]) => [
      name,
      value === null ? null : parseSecret(isObject(value) ? { ...value, name } : value),
    ]),
  );
}

/** Parses a secret in a request. Errors never contain the value of the secret. */
function parseSecret(value: unknown): Secret {
  if (!isObject(value)) throw invalid('a secret must be a JSON object');
  const { name, text, type = 'secret_text' } = value as { name?: unknown; text?: unknown; type?: unknown };
  if (typeof name !== 'string') throw invalid('a secret has no name');
  const fault = bindingFault(name);
  if (fault !== undefined) throw invalid(`secret '${name}': ${fault}`);
  if (type !== 'secret_text') throw invalid(`secret '${name}' has a type that the sandbox does not support`);
  if (typeof text !== 'string') throw invalid(`secret '${name}' has no text`);
  return { name, type, text };
}

/** Creates and deploys a version with changed secrets. Refuses with `notDeployed` if the latest version is not deployed. */
function deployChanges(exchange: Exchange, name: string, changes: SecretChanges, notDeployed: number): void {
  const { platform } = exchange;
  const latest = requireVersion(exchange, name);
  if (!isDeployed(platform, name, latest)) {
    throw refusal(
      400,
      notDeployed,
      "Secret edit failed. You attempted to modify a secret, but the latest version of your Worker isn't currently deployed.",
    );
  }
  const annotations = { 'workers/triggered_by': 'secret' };
  platform.registry().atOnce(() => {
    const { id } = addVersion(exchange, name, latest, changes, annotations);
    const versions = [{ id, percentage: 100 }];
    readWorkers(platform).addDeployment(name, { source: readSource(exchange), annotations, versions });
  });
  platform.edge?.workersChanged();
}

function addVersion(
  exchange: Exchange,
  name: string,
  latest: StoredVersion,
  changes: SecretChanges,
  annotations: Readonly<Record<string, string>>,
): StoredVersion {
  const { compatibilityDate, compatibilityFlags, codeId } = latest;
  return readWorkers(exchange.platform).addVersion(name, codeId, {
    source: readSource(exchange),
    annotations,
    bindings: applyChanges(latest.bindings, changes),
    ...(compatibilityDate === undefined ? {} : { compatibilityDate }),
    compatibilityFlags,
  });
}

function applyChanges(bindings: readonly WorkerBinding[], changes: SecretChanges): WorkerBinding[] {
  const taken = bindings.find((binding) => changes.has(binding.name) && !isSecret(binding));
  if (taken !== undefined) {
    throw refusal(
      400,
      workerCodes.bindingNameTaken,
      `Binding name '${taken.name}' already in use. Please use a different name and try again.`,
    );
  }
  const added = [...changes.values()].filter((secret) => secret !== null);
  return [...bindings.filter(({ name }) => !changes.has(name)), ...added];
}

function requireVersion(exchange: Exchange, name: string): StoredVersion {
  const latest = latestVersion(exchange.platform, name);
  if (latest === undefined) throw refusal(404, workerCodes.workerNotFound, 'This Worker has no version yet.');
  return latest;
}

function requireSecret(exchange: Exchange, name: string): WorkerBinding {
  const wanted = param(exchange, 'secret');
  const bindings = runningVersion(exchange.platform, name)?.bindings ?? [];
  const secret = bindings.find((binding) => binding.name === wanted && isSecret(binding));
  if (secret === undefined) throw refusal(404, workerCodes.secretNotFound, `Secret '${wanted}' not found.`);
  return secret;
}

function isSecret({ type }: WorkerBinding): boolean {
  return type === 'secret_text';
}

function invalid(what: string) {
  return refusal(400, workerCodes.uploadInvalid, `${what}.`);
}
