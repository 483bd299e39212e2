import * as v from 'valibot';
import { isProblem, Problem } from '../../model/problem.ts';
import type { ValueOf } from '../../model/shape.ts';
import { versionChanges, type WorkerChange, type WorkerVersion } from '../../model/workers/changes.ts';
import type { deployment } from '../../model/workers/worker-shape.ts';
import { callResult } from '../../v4/client.ts';
import { unconfirmedProblem } from '../session/agreement.ts';
import type { Session } from '../session/session.ts';
import { scriptCall, withJsonBody, withWorkerName } from './workers.ts';

export type Deployment = ValueOf<typeof deployment>;

const deploymentsShape = v.object({
  deployments: v.array(
    v.object({
      id: v.string(),
      created_on: v.string(),
      source: v.string(),
      annotations: v.nullish(v.record(v.string(), v.unknown())),
      versions: v.array(v.object({ version_id: v.string(), percentage: v.number() })),
    }),
  ),
});
const deployedShape = v.nullish(
  v.object({ versions: v.nullish(v.array(v.object({ version_id: v.string(), percentage: v.number() }))) }),
);

/** Lists the deployments of a worker, newest first. Throws not-found for an unknown worker. */
export async function listDeployments(session: Session, name: string): Promise<Deployment[]> {
  const call = await scriptCall(session, 'GET', name, ['deployments']);
  const check = (result: unknown) => v.parse(deploymentsShape, result).deployments;
  const { result } = await withWorkerName(session, name, () => callResult(session.send, call, check));
  return result.map(({ id, created_on: createdOn, source, versions, annotations }) => ({
    id,
    createdOn,
    source,
    ...readAnnotations(annotations),
    versions: versions.map(({ version_id, percentage }) => ({ id: version_id, percentage })),
  }));
}

function readAnnotations(annotations: Readonly<Record<string, unknown>> | null | undefined) {
  const { 'workers/triggered_by': trigger, 'workers/message': message } = annotations ?? {};
  return {
    ...(typeof trigger === 'string' && { trigger }),
    ...(typeof message === 'string' && { message }),
  };
}

/** The message and options of a deployment. */
export interface DeployOptions {
  /** The reason for the deployment, which the list of deployments shows. */
  readonly message?: string | undefined;
  /**
   * Whether to deploy even if secrets have changed since the version was created. Without this option, the platform rejects such a
   * deployment (10220).
   */
  readonly force?: boolean;
}

/** Deploys one version of a worker, which then receives all requests. */
export async function deployVersion(
  session: Session,
  name: string,
  id: string,
  { message, force = false }: DeployOptions = {},
): Promise<void> {
  const annotations = message === undefined ? {} : { annotations: { 'workers/message': message } };
  const body = { strategy: 'percentage', versions: [{ version_id: id, percentage: 100 }], ...annotations };
  const query = force ? { force: true } : {};
  const deploy = withJsonBody(await scriptCall(session, 'POST', name, ['deployments'], query), body);
  const check = (value: unknown) => v.parse(deployedShape, value);
  const { result } = await withWorkerName(session, name, () => callResult(session.send, deploy, check));
  const runs = result?.versions?.some(
    ({ version_id: version, percentage }) => version === id && percentage === 100,
  );
  if (runs === false)
    throw unconfirmedProblem(`Deploying the version ${id}`, 'a deployment of another version');
}

/** A version to roll back to, with its differences from the running version. */
export interface RollbackPlan {
  readonly versionId: string;
  /** Id of the running version. */
  readonly beforeId: string;
  /** The differences from the running version, except the values of secrets, which the platform does not return. */
  readonly changes: readonly WorkerChange[];
  /** Time of the last rollback that replaced this version (RFC 3339), which suggests that the version is faulty. */
  readonly rolledBackAt?: string;
  /** Id of the newest earlier version that no rollback has replaced. */
  readonly olderId?: string;
}

/**
 * Returns the rollback that replaced a version: the deployment after the version's last deployment, if that next deployment deployed an
 * older version again.
 */
export function findRollback(deployments: readonly Deployment[], version: string): Deployment | undefined {
  const ids = deployments.map(({ versions }) => versions[0]?.id);
  const last = ids.indexOf(version);
  return last > 0 && ids.includes(ids[last - 1], last + 1) ? deployments[last - 1] : undefined;
}

/**
 * Finds the version to roll back to: the version with the given id or id prefix, or else the last deployed version other than the running
 * version, as in wrangler (4.164, versions/rollback). Throws if the version was never deployed or is already running. Changes nothing.
 */
export async function planRollback(
  session: Session,
  name: string,
  version: string | undefined,
): Promise<RollbackPlan> {
  const deployments = await listDeployments(session, name);
  const ids = deployments.flatMap(({ versions }) => versions.slice(0, 1).map(({ id }) => id));
  const all = deployments.flatMap(({ versions }) => versions.map(({ id }) => id));
  const [running] = ids;
  const targetId = version === undefined ? ids.find((id) => id !== running) : findVersion(name, all, version);
  if (targetId === undefined || running === undefined) {
    const words = `Worker "${name}" has no earlier version to roll back to; nothing was changed.`;
    throw new Problem('not-found', words);
  }
  if (targetId === running && deployments[0]?.versions.length === 1)
    throw new Problem(
      'refused',
      `Version ${running} of worker "${name}" is already running; nothing was changed.`,
    );
  const [now, then] = await Promise.all([
    readVersion(session, name, running),
    readVersion(session, name, targetId),
  ]);
  const rolledBackAt = findRollback(deployments, targetId)?.createdOn;
  const olderId = ids.find((id) => id !== running && findRollback(deployments, id) === undefined);
  return {
    versionId: targetId,
    beforeId: running,
    changes: versionChanges(now, then),
    ...(rolledBackAt !== undefined && { rolledBackAt }),
    ...(olderId !== undefined && { olderId }),
  };
}

/** The platform's error code if a rollback would change the values of secrets. */
const secretsChangedCode = 10_220;

/**
 * Returns the names of the secrets that have changed since a version, if the error lists them; undefined for any other error.
 */
export function readChangedSecrets(error: unknown): readonly string[] | undefined {
  if (!isProblem(error) || error.platformCode !== secretsChangedCode) return undefined;
  const [, names = ''] = /secrets have changed:([^[]*)/i.exec(error.message) ?? [];
  return names
    .split(',')
    .map((name) => name.trim().replace(/\.$/, ''))
    .filter((name) => name !== '');
}

/** Returns the changes in each deployment relative to the previous deployment; undefined for deployments that were not compared. */
export async function deploymentChanges(
  session: Session,
  name: string,
  deployments: readonly Deployment[],
): Promise<readonly (readonly WorkerChange[] | undefined)[]> {
  const ids = deployments.slice(0, maxCompared + 1).flatMap(({ versions }) => versions[0]?.id ?? []);
  const versions = new Map<string, WorkerVersion | undefined>();
  for (const id of new Set(ids)) versions.set(id, await readVersion(session, name, id).catch(ignorePruned));
  const findDeployedVersion = (deployment: Deployment | undefined) =>
    versions.get(deployment?.versions[0]?.id ?? '');
  return deployments.map((deployment, index) => {
    const [before, after] = [findDeployedVersion(deployments[index + 1]), findDeployedVersion(deployment)];
    if (before === undefined || after === undefined) return undefined;
    const changes = versionChanges(before, after);
    const isText = deployment.trigger === 'secret' && changes.length === 0;
    return isText ? [{ change: 'changed', what: 'secret', name: 'text of a secret' }] : changes;
  });
}

/** Maximum number of deployments to compare. Each comparison costs one request. */
const maxCompared = 10;

/** Returns undefined for a missing version, because the platform keeps deployments longer than versions. */
function ignorePruned(error: unknown): undefined {
  if (!isProblem(error) || error.code !== 'not-found') throw error;
}

function findVersion(name: string, ids: readonly string[], version: string): string {
  const found = [...new Set(ids.filter((id) => id.startsWith(version.toLowerCase())))];
  const [only] = found;
  if (found.length === 1 && only !== undefined) return only;
  if (found.length > 1)
    throw new Problem(
      'invalid-input',
      `Several versions of worker "${name}" have an id that starts with "${version}": ${found.join(', ')}.`,
    );
  throw new Problem(
    'not-found',
    `No deployment of worker "${name}" has a version "${version}"; nothing was changed.`,
  );
}

const versionShape = v.object({
  resources: v.object({
    bindings: v.nullish(v.array(v.looseObject({ name: v.string(), type: v.string() })), []),
    script: v.nullish(v.object({ etag: v.nullish(v.string()) })),
    script_runtime: v.nullish(
      v.object({
        compatibility_date: v.nullish(v.string()),
        compatibility_flags: v.nullish(v.array(v.string()), []),
      }),
    ),
  }),
});

/**
 * Reads a version of a worker without its code: its bindings, including the names of its secrets. Throws not-found if the version is unknown.
 */
export async function readVersion(session: Session, name: string, id: string): Promise<WorkerVersion> {
  const call = await scriptCall(session, 'GET', name, ['versions', id]);
  const check = (result: unknown) => v.parse(versionShape, result).resources;
  const { result } = await withWorkerName(session, name, () => callResult(session.send, call, check));
  const { bindings, script, script_runtime: runtime } = result;
  const { compatibility_date: date, compatibility_flags: flags } = runtime ?? {};
  return {
    bindings: bindings ?? [],
    compatibilityFlags: flags ?? [],
    ...(date && { compatibilityDate: date }),
    ...(script?.etag && { codeId: script.etag }),
  };
}

const listShape = v.object({ items: v.array(v.object({ id: v.string() })) });

/** Returns the id of the last uploaded version, deployed or not. */
export async function newestVersionId(session: Session, name: string): Promise<string | undefined> {
  const call = await scriptCall(session, 'GET', name, ['versions']);
  const check = (result: unknown) => v.parse(listShape, result).items;
  return (await withWorkerName(session, name, () => callResult(session.send, call, check))).result[0]?.id;
}
