import { isProblem } from '../../../model/problem.ts';
import {
  explainWorkerName,
  findModuleKind,
  type RunnableWorker,
  type WorkerBinding,
  type WorkerCode,
} from '../../../model/workers/worker.ts';
import type { StoredVersion, StoredWorker, VersionDetails } from '../../../store/workers/workers.ts';
import { ok } from '../../../v4/envelope.ts';
import type { FormPart } from '../../../v4/read-form.ts';
import type { Answer } from '../../../v4/send.ts';
import { type Exchange, param, refusal } from '../../http/exchange.ts';
import { parseBindings } from './bindings.ts';
import { workerCodes } from './codes.ts';
import { latestVersion, readAuthor, readSource, readWorkers, requireWorker } from './find.ts';
import { readCallForm, readObjectPart, readScript } from './form.ts';
import { formatScript, formatVersion } from './shapes.ts';

type Metadata = Readonly<Record<string, unknown>>;

/** An upload: code and its metadata. */
interface Upload {
  readonly code: WorkerCode;
  readonly metadata: Metadata;
}

/** `PUT .../scripts/{name}`: creates a version and deploys it immediately; creates the worker if it does not exist. */
export async function putScript(exchange: Exchange): Promise<Answer> {
  const name = requireNewName(exchange);
  const upload = await readUpload(exchange);
  const version = await publish(exchange, name, upload, { deployed: true });
  const worker = requireWorker(exchange);
  return ok({
    ...formatScript(worker, version),
    entry_point: upload.code.entry,
    startup_time_ms: 0,
    deployment_id: version.id,
  });
}

/** `POST .../scripts/{name}/versions`: creates a version without deploying it. */
export async function postVersion(exchange: Exchange): Promise<Answer> {
  const { name } = requireWorker(exchange);
  const upload = await readUpload(exchange);
  const version = await publish(exchange, name, upload, { deployed: false });
  return ok(formatVersion(version, readAuthor(exchange.platform)));
}

/** `PUT .../scripts/{name}/content`: creates a version with other code and unchanged settings, and deploys it immediately. */
export async function putContent(exchange: Exchange): Promise<Answer> {
  const { name } = requireWorker(exchange);
  const { code } = await readUpload(exchange);
  const before = latestVersion(exchange.platform, name);
  const metadata = {
    bindings: before?.bindings ?? [],
    compatibility_date: before?.compatibilityDate,
    compatibility_flags: before?.compatibilityFlags,
  };
  const version = await publish(exchange, name, { code, metadata }, { deployed: true });
  return ok(formatScript(requireWorker(exchange), version));
}

/** Returns the worker name in the path, which may be new. Refuses an invalid name. */
function requireNewName(exchange: Exchange): string {
  const name = param(exchange, 'script');
  const fault = explainWorkerName(name);
  if (fault !== undefined)
    throw refusal(400, workerCodes.workerNameInvalid, `invalid worker name '${name}': ${fault}.`);
  return name;
}

async function readUpload(exchange: Exchange): Promise<Upload> {
  const parts = await readCallForm(exchange);
  if (parts === undefined) {
    const content = await readScript(exchange);
    const modules = [{ name: 'worker.js', kind: 'script' as const, content }];
    return { code: { format: 'script', entry: 'worker.js', modules }, metadata: {} };
  }
  const metadata = readObjectPart(parts, 'metadata') ?? {};
  return { code: readCode(parts, metadata), metadata };
}

function readCode(parts: readonly FormPart[], metadata: Metadata): WorkerCode {
  const files = parts.filter(({ name }) => !/^metadata(\[|$)/.test(name));
  const main = metadata['main_module'];
  const entry = main ?? metadata['body_part'];
  if (typeof entry !== 'string') throw invalid('The metadata specifies neither main_module nor body_part');
  const modules = files.map(({ name, fileName = name, contentType, content }) => {
    const kind = findModuleKind(contentType);
    if (kind === undefined) throw invalid(`Module "${fileName}" has the unsupported type ${contentType}`);
    return { name: main === undefined ? name : fileName, kind, content };
  });
  if (!modules.some(({ name }) => name === entry)) throw invalid(`No such module "${entry}"`);
  return { format: main === undefined ? 'script' : 'modules', entry, modules };
}

/** Stores a version after checking that its code loads, and deploys the version if `deployed` is set. */
export async function publish(
  exchange: Exchange,
  name: string,
  { code, metadata }: Upload,
  { deployed }: { deployed: boolean },
): Promise<StoredVersion> {
  const { platform } = exchange;
  const workers = readWorkers(platform);
  const before = latestVersion(platform, name)?.bindings ?? [];
  const triggered = deployed ? 'upload' : 'version_upload';
  const details = readDetails(exchange, metadata, before, triggered);
  await refuseBroken({ name, code, ...details });
  const version = platform.registry().atOnce(() => {
    const worker = workers.find(name) ?? workers.create(name);
    workers.change(name, { settings: mergeSettings(worker, metadata) });
    const added = workers.addVersion(name, workers.keepCode(code), details);
    const { source, annotations, id } = added;
    if (deployed) workers.addDeployment(name, { source, annotations, versions: [{ id, percentage: 100 }] });
    return added;
  });
  if (deployed) platform.edge?.workersChanged();
  return version;
}

/** Reads a version's details from its metadata. `triggered` is the provider's annotation that shows how the version was created. */
function readDetails(
  exchange: Exchange,
  metadata: Metadata,
  before: readonly WorkerBinding[],
  triggered: string,
): VersionDetails {
  const keep = [...alwaysKept, ...listStrings(metadata['keep_bindings'])];
  const date = metadata['compatibility_date'];
  return {
    source: readSource(exchange),
    annotations: { ...parseAnnotations(metadata['annotations']), 'workers/triggered_by': triggered },
    bindings: parseBindings(exchange.platform, { bindings: metadata['bindings'], keep }, before),
    ...(date === undefined || date === null ? {} : { compatibilityDate: checkDate(date) }),
    compatibilityFlags: listStrings(metadata['compatibility_flags']),
  };
}

/**
 * Types of bindings that every upload keeps, even if `keep_bindings` does not list them. wrangler before 3.40, and `deploy` of later
 * versions, do not list secrets, but the platform keeps secrets (https://github.com/cloudflare/workers-sdk/pull/5296).
 */
const alwaysKept = ['secret_text', 'secret_key'];

function checkDate(date: unknown): string {
  if (typeof date === 'string' && /^\d{4}-\d\d-\d\d$/.test(date)) return date;
  throw invalid(`Invalid compatibility date ${JSON.stringify(date)}: expected a date such as 2026-11-01`);
}

/** Returns the annotations that are strings: `workers/message`, `workers/tag`. */
export function parseAnnotations(value: unknown): Record<string, string> {
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function listStrings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

const settingNames = ['tags', 'logpush', 'observability', 'tail_consumers'];

/** Merges settings into the settings of the worker; null removes a setting. */
export function mergeSettings(worker: StoredWorker, given: Metadata): Metadata {
  const named = Object.entries({ ...worker.settings, ...given }).filter(([name]) =>
    settingNames.includes(name),
  );
  return Object.fromEntries(named.filter(([, value]) => value !== null && value !== undefined));
}

function invalid(what: string) {
  return refusal(400, workerCodes.uploadInvalid, `${what}.`);
}

/**
 * Starts the worker once, without access to data. If it does not start, refuses the upload with the runtime's message. If no runtime is
 * installed, no upload is refused.
 */
async function refuseBroken(worker: RunnableWorker): Promise<void> {
  const { isRuntimeInstalled, openRuntime } = await import('../runtime.ts');
  if (!(await isRuntimeInstalled())) return;
  const runtime = openRuntime({});
  try {
    await runtime.run([worker]);
  } catch (error) {
    throw isProblem(error) ? refusal(400, workerCodes.uploadInvalid, error.message) : error;
  } finally {
    await runtime.close();
  }
}
