import * as v from 'valibot';
import type { Project } from '../../model/config.ts';
import { idFault } from '../../model/id.ts';
import { noJurisdiction } from '../../model/jurisdiction.ts';
import { isProblem, Problem } from '../../model/problem.ts';
import { type WorkerChange, workerChanges } from '../../model/workers/changes.ts';
import {
  type DeployedWorker,
  moduleContentTypes,
  type WorkerBinding,
  type WorkerCode,
} from '../../model/workers/worker.ts';
import { callResult } from '../../v4/client.ts';
import { multipart } from '../../v4/multipart.ts';
import { buildPath } from '../../v4/path.ts';
import type { Call } from '../../v4/send.ts';
import { objstoreHeaders, objstoreWord } from '../../v4/wire.ts';
import { malformedBinding } from '../kv/binding.ts';
import { readNamespace } from '../kv/namespaces.ts';
import { checkAnswer, unconfirmedProblem } from '../session/agreement.ts';
import type { Session } from '../session/session.ts';
import { bundleWorker } from './bundle.ts';
import { checkInputs } from './check-inputs.ts';
import { deployBindings, findWorkerProject, listIgnoredKeys, type WorkerChoice } from './deploy-project.ts';
import { deployVersion, listDeployments } from './deployments.ts';
import { readKnownBindings, saveKnownBindings } from './known-bindings.ts';
import { readWorker, secretNames } from './running.ts';
import { enableRoute, scriptCall, userAgent, workerUrl } from './workers.ts';

/** A bundled and validated worker, with the changes that its deployment makes. */
export interface DeployPlan {
  readonly upload: WorkerUpload;
  /** Whether the deployment creates the worker. */
  readonly isNew: boolean;
  /** Whether the deployment enables the worker's own hostname (`workers_dev`). */
  readonly isRouted: boolean;
  readonly changes: readonly WorkerChange[];
  /**
   * Bindings that the deployment removes, but that this project did not deploy from this machine: someone else may have added them.
   */
  readonly foreign: readonly WorkerChange[];
  /** Warnings about ignored configuration fields and about files outside the project, and warnings from the bundler. */
  readonly warnings: readonly string[];
}

export interface Deployed {
  readonly name: string;
  /** The URL of the worker; undefined if the worker has no hostname, or if no edge serves it now. */
  readonly url: string | undefined;
  readonly versionId: string;
}

/**
 * Bundles the worker and compares it with the running version; changes nothing. Throws if the code cannot be bundled, if the resource of a
 * binding is missing or does not exist, or if a binding has the name of a secret.
 */
export async function planDeploy(session: Session, choice: WorkerChoice): Promise<DeployPlan> {
  const found = await findWorkerProject(session, choice);
  const { name, entry, isTyped: _, project, ...compatibility } = found;
  if (project !== undefined) await refuseMalformedIds(project);
  const bindings = deployBindings(project);
  const { code, inputs, warnings } = await bundleWorker(entry, session.world.cwd);
  const outside = checkInputs(session, found, inputs);
  await refuseMissingResources(session, bindings);
  const deployed = await readWorker(session, name);
  refuseLostSecrets(name, deployed, bindings);
  const changes = workerChanges(deployed, {
    bindings,
    ...compatibility,
    modules: code.modules,
    preservedSecrets: deployed?.preservedSecrets ?? [],
  });
  const removed = changes.filter(({ change, what }) => change === 'removed' && what === 'binding');
  const known = removed.length === 0 ? new Set() : await readKnownBindings(session, name);
  return {
    upload: { name, code, bindings, ...compatibility },
    isNew: deployed === undefined,
    isRouted: project?.workersDev !== false,
    changes,
    foreign: removed.filter((change) => !known.has(change.name)),
    warnings: [...listIgnoredKeys(project), ...outside, ...warnings],
  };
}

/** Uploads and deploys a planned worker, and enables its hostname. Preserves the secrets of the newest version. */
export async function deploy(session: Session, plan: DeployPlan): Promise<Deployed> {
  const { upload, isNew, isRouted } = plan;
  const { name } = upload;
  const versionId = isNew ? await uploadNewWorker(session, upload) : await uploadVersion(session, upload);
  await saveKnownBindings(
    session,
    name,
    upload.bindings.map((binding) => binding.name),
  );
  if (!isRouted) return { name, url: undefined, versionId };
  await enableRoute(session, name);
  return { name, url: await workerUrl(session, name), versionId };
}

async function refuseMissingResources(session: Session, bindings: readonly WorkerBinding[]): Promise<void> {
  for (const binding of bindings) {
    if (binding.type === 'r2_bucket') await refuseMissingBucket(session, binding);
    if (binding.type === 'kv_namespace') await refuseMissingNamespace(session, binding);
  }
}

/** Throws if the id of a namespace is malformed. The message contains the line of the id in the configuration. */
async function refuseMalformedIds(project: Project): Promise<void> {
  for (const { binding, id } of project.kvNamespaces) {
    const fault = id === undefined ? undefined : idFault('namespace', id);
    if (id !== undefined && fault !== undefined) {
      throw await malformedBinding(project, { binding, id, preview: false }, fault);
    }
  }
}

async function refuseMissingNamespace(
  session: Session,
  { name, namespace_id: id }: Extract<WorkerBinding, { type: 'kv_namespace' }>,
): Promise<void> {
  try {
    await readNamespace(session, id);
  } catch (error) {
    // A token with only worker permissions cannot read the namespace. The platform reports a missing namespace at the deployment.
    if (isProblem(error) && error.code === 'not-permitted') return;
    if (!isProblem(error) || error.code !== 'not-found') throw error;
    throw new Problem('not-found', `The namespace "${id}" of the binding ${name} does not exist.`, {
      remedy: { kind: 'create-namespace', binding: name },
      cause: error,
    });
  }
}

async function refuseMissingBucket(
  session: Session,
  { name, bucket_name: bucket, jurisdiction }: Extract<WorkerBinding, { type: 'r2_bucket' }>,
): Promise<void> {
  const path = buildPath(['accounts', await session.accountId(), objstoreWord, 'buckets', bucket]);
  // Sends even the default jurisdiction, because the platform searches only one jurisdiction for a binding's bucket. Without the header,
  // edgectl would search all jurisdictions.
  const headers = { [objstoreHeaders.jurisdiction]: jurisdiction ?? noJurisdiction };
  const call: Call = { method: 'GET', path, headers, repeatable: true };
  try {
    await callResult(session.send, call, () => undefined);
  } catch (error) {
    if (!isProblem(error) || error.code !== 'not-found') throw error;
    throw new Problem(
      'not-found',
      `The bucket "${bucket}" of the binding ${name} does not exist${jurisdiction === undefined ? '' : ` in the jurisdiction "${jurisdiction}"`}.`,
      (await isInAnotherJurisdiction(session, path))
        ? { hint: 'The bucket is in another jurisdiction: set jurisdiction in the binding.', cause: error }
        : { remedy: { kind: 'create-bucket', bucket }, cause: error },
    );
  }
}

/** Returns whether a bucket exists in any jurisdiction. For a call without a jurisdiction, edgectl searches all jurisdictions. */
async function isInAnotherJurisdiction(session: Session, path: string): Promise<boolean> {
  try {
    await callResult(session.send, { method: 'GET', path, headers: {}, repeatable: true }, () => undefined);
    return true;
  } catch (error) {
    if (isProblem(error) && error.code === 'not-found') return false;
    throw error;
  }
}

/** Throws if a binding has the name of a secret, because the binding would replace the secret, whose value would be lost. */
function refuseLostSecrets(
  worker: string,
  deployed: DeployedWorker | undefined,
  bindings: readonly WorkerBinding[],
): void {
  const secrets = new Set(deployed === undefined ? [] : secretNames(deployed));
  const lost = bindings.find(({ name }) => secrets.has(name));
  if (lost === undefined) return;
  throw new Problem(
    'refused',
    `"${lost.name}" is both a secret of the worker "${worker}" and a binding in the configuration.`,
    {
      remedy: { kind: 'delete-secret', secret: lost.name, worker },
    },
  );
}

/** A new version of a worker. */
interface WorkerUpload {
  readonly name: string;
  readonly code: WorkerCode;
  readonly bindings: readonly WorkerBinding[];
  readonly compatibilityDate: string;
  readonly compatibilityFlags: readonly string[];
}

const uploadedShape = v.object({ id: v.nullish(v.string()), deployment_id: v.nullish(v.string()) });
const versionShape = v.object({ id: v.string() });

/** Uploads and deploys a worker that does not exist yet. Returns the id of its version. */
export async function uploadNewWorker(session: Session, upload: WorkerUpload): Promise<string> {
  const query = { excludeScript: true, bindings_inherit: 'strict' };
  const form = toForm(session, upload);
  const call = { ...(await scriptCall(session, 'PUT', upload.name, [], query)), ...form };
  const check = (result: unknown) => v.parse(uploadedShape, result);
  const { id: name, deployment_id: id } = (await callResult(session.send, call, check)).result;
  const what = `Uploading the worker "${upload.name}"`;
  checkAnswer(what, { id: upload.name }, { id: name });
  if (id) return hyphenated(id);
  const [latest] = await listDeployments(session, upload.name);
  const version = latest?.versions[0]?.id;
  if (version === undefined)
    throw unconfirmedProblem(what, 'success, but no version of the worker is running');
  return version;
}

/** Returns a UUID with hyphens, which some responses omit. */
function hyphenated(id: string): string {
  return id.replace(/^(\w{8})(\w{4})(\w{4})(\w{4})(\w{12})$/, '$1-$2-$3-$4-$5');
}

/** Uploads and deploys a new version of a worker, and preserves the worker's secrets. Returns the id of the version. */
export async function uploadVersion(session: Session, upload: WorkerUpload): Promise<string> {
  const post = { bindings_inherit: 'strict' };
  const form = toForm(session, upload);
  const call = { ...(await scriptCall(session, 'POST', upload.name, ['versions'], post)), ...form };
  const version = (await callResult(session.send, call, (result) => v.parse(versionShape, result))).result;
  await deployVersion(session, upload.name, version.id);
  return version.id;
}

function toForm(session: Session, upload: WorkerUpload): Pick<Call, 'headers' | 'body'> {
  const { code, bindings, compatibilityDate, compatibilityFlags } = upload;
  const metadata = {
    [code.format === 'modules' ? 'main_module' : 'body_part']: code.entry,
    bindings,
    compatibility_date: compatibilityDate,
    compatibility_flags: compatibilityFlags,
    keep_bindings: ['secret_text', 'secret_key'],
  };
  const parts = code.modules.map(({ name, kind, content }) => ({
    name,
    fileName: name,
    contentType: moduleContentTypes[kind],
    content,
  }));
  const boundary = `edgectl-${Buffer.from(session.world.random(18)).toString('hex')}`;
  const form = multipart([{ name: 'metadata', content: JSON.stringify(metadata) }, ...parts], boundary);
  return { headers: { ...userAgent, 'content-type': form.contentType }, body: form.body };
}
