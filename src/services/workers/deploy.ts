import type { Project } from '../../model/config.ts';
import { idFault } from '../../model/id.ts';
import { isProblem, Problem } from '../../model/problem.ts';
import { type WorkerChange, workerChanges } from '../../model/workers/changes.ts';
import type { DeployedWorker, WorkerBinding } from '../../model/workers/worker.ts';
import { callResult } from '../../v4/client.ts';
import { pathOf } from '../../v4/path.ts';
import type { Call } from '../../v4/send.ts';
import { objstoreWord } from '../../v4/wire.ts';
import { malformedBinding } from '../kv/binding.ts';
import { readNamespace } from '../kv/namespaces.ts';
import type { Session } from '../session/session.ts';
import { bundleWorker } from './bundle.ts';
import { deployBindings, findWorkerProject, leftOut, type WorkerChoice } from './deploy-project.ts';
import { keepKnownBindings, readKnownBindings } from './known-bindings.ts';
import { checkInputs } from './outside.ts';
import { readWorker, secretNames } from './running.ts';
import { uploadNewWorker, uploadVersion, type WorkerUpload } from './upload.ts';
import { enableRoute, workerUrl } from './workers.ts';

/** A worker that is bundled and checked, and what deploying it changes. */
export interface DeployPlan {
  readonly upload: WorkerUpload;
  /** Whether there is no such worker yet. */
  readonly isNew: boolean;
  /** Whether it gets a hostname of its own (`workers_dev`). */
  readonly isRouted: boolean;
  readonly changes: readonly WorkerChange[];
  /** Bindings that it removes and that this project has not deployed from here: those of somebody else, maybe. */
  readonly foreign: readonly WorkerChange[];
  /** Warnings of the bundler, and keys of the configuration that are left out. */
  readonly warnings: readonly string[];
}

export interface Deployed {
  readonly name: string;
  /** Undefined where nothing serves it now, or it is to have no hostname. */
  readonly url: string | undefined;
  readonly versionId: string;
}

/**
 * Bundles the worker and compares it with the version that runs; changes nothing. Refuses what cannot be bundled, bindings
 * without a resource, a bucket or a namespace that does not exist, and a variable that has the name of a secret.
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
    keptSecrets: deployed?.keptSecrets ?? [],
  });
  const removed = changes.filter(({ change, what }) => change === 'removed' && what === 'binding');
  const known = removed.length === 0 ? new Set() : await readKnownBindings(session, name);
  return {
    upload: { name, code, bindings, ...compatibility },
    isNew: deployed === undefined,
    isRouted: project?.workersDev !== false,
    changes,
    foreign: removed.filter((change) => !known.has(change.name)),
    warnings: [...leftOut(project), ...outside, ...warnings],
  };
}

/** Uploads a planned worker, runs it in place of what was deployed, and gives it its hostname. Secrets of the newest version stay. */
export async function deploy(session: Session, plan: DeployPlan): Promise<Deployed> {
  const { upload, isNew, isRouted } = plan;
  const { name } = upload;
  const versionId = isNew ? await uploadNewWorker(session, upload) : await uploadVersion(session, upload);
  await keepKnownBindings(
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

/** Refuses malformed ids before anything is sent, naming their lines. */
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
    // A token for workers alone may not look; then the platform says it.
    if (isProblem(error) && error.code === 'not-permitted') return;
    if (!isProblem(error) || error.code !== 'not-found') throw error;
    throw new Problem('not-found', `The binding ${name} names the namespace "${id}", which does not exist.`, {
      remedy: { kind: 'create-namespace', binding: name },
      cause: error,
    });
  }
}

async function refuseMissingBucket(
  session: Session,
  { name, bucket_name: bucket }: Extract<WorkerBinding, { type: 'r2_bucket' }>,
): Promise<void> {
  const path = pathOf(['accounts', await session.accountId(), objstoreWord, 'buckets', bucket]);
  const call: Call = { method: 'GET', path, headers: {}, repeatable: true };
  try {
    await callResult(session.send, call, () => undefined);
  } catch (error) {
    if (!isProblem(error) || error.code !== 'not-found') throw error;
    throw new Problem(
      'not-found',
      `The binding ${name} names the bucket "${bucket}", which does not exist.`,
      {
        remedy: { kind: 'create-bucket', bucket },
        cause: error,
      },
    );
  }
}

/** A variable would take the place of a secret of its name, and the secret would be gone. */
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
    `"${lost.name}" is a secret of the worker "${worker}" and a binding of the configuration.`,
    {
      remedy: { kind: 'delete-secret', secret: lost.name, worker },
    },
  );
}
