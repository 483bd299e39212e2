import * as v from 'valibot';
import { Problem } from '../../model/problem.ts';
import { callResult } from '../../v4/client.ts';
import { otherDone } from '../session/agreement.ts';
import type { Session } from '../session/session.ts';
import { namingWorker, scriptCall, withJson } from './workers.ts';

/** A deployment: the versions that run, and since when. */
export interface Deployment {
  readonly id: string;
  readonly createdOn: string;
  readonly source: string;
  readonly versions: readonly { readonly id: string; readonly percentage: number }[];
}

const deploymentsShape = v.object({
  deployments: v.array(
    v.object({
      id: v.string(),
      created_on: v.string(),
      source: v.string(),
      versions: v.array(v.object({ version_id: v.string(), percentage: v.number() })),
    }),
  ),
});
const deployedShape = v.nullish(
  v.object({ versions: v.nullish(v.array(v.object({ version_id: v.string(), percentage: v.number() }))) }),
);

/** Versions that were made to run, the newest first. Refuses with not-found an unknown worker. */
export async function listDeployments(session: Session, name: string): Promise<Deployment[]> {
  const call = await scriptCall(session, 'GET', name, ['deployments']);
  const check = (result: unknown) => v.parse(deploymentsShape, result).deployments;
  const { result } = await namingWorker(session, name, () => callResult(session.send, call, check));
  return result.map(({ id, created_on: createdOn, source, versions }) => ({
    id,
    createdOn,
    source,
    versions: versions.map(({ version_id, percentage }) => ({ id: version_id, percentage })),
  }));
}

/** Makes a version of a worker run, all of it. `message` says why, for those who look at the deployments later. */
export async function deployVersion(
  session: Session,
  name: string,
  id: string,
  message?: string,
): Promise<void> {
  const annotations = message === undefined ? {} : { annotations: { 'workers/message': message } };
  const body = { strategy: 'percentage', versions: [{ version_id: id, percentage: 100 }], ...annotations };
  const deploy = withJson(await scriptCall(session, 'POST', name, ['deployments']), body);
  const check = (value: unknown) => v.parse(deployedShape, value);
  const { result } = await namingWorker(session, name, () => callResult(session.send, deploy, check));
  const runs = result?.versions?.some(
    ({ version_id: version, percentage }) => version === id && percentage === 100,
  );
  if (runs === false) throw otherDone(`Deploying the version ${id}`, 'a deployment of another one');
}

/** A version that runs in the place of another. */
export interface Rollback {
  readonly versionId: string;
  /** The version that ran before. */
  readonly beforeId: string;
}

/**
 * Makes a version run that ran before: the one that is named by its id or the beginning of it, else the last one that is
 * another than the running one. Refuses what no deployment has, and the version that runs already.
 */
export async function rollBack(
  session: Session,
  name: string,
  version: string | undefined,
  message: string | undefined,
): Promise<Rollback> {
  const deployments = await listDeployments(session, name);
  const ids = deployments.flatMap(({ versions }) => versions.slice(0, 1).map(({ id }) => id));
  const all = deployments.flatMap(({ versions }) => versions.map(({ id }) => id));
  const [running] = ids;
  const wanted = version === undefined ? ids.find((id) => id !== running) : versionIn(name, all, version);
  if (wanted === undefined || running === undefined) {
    const words = `Worker "${name}" has no other version that ran before; nothing was changed.`;
    throw new Problem('not-found', words);
  }
  if (wanted === running && deployments[0]?.versions.length === 1)
    throw new Problem('refused', `Version ${running} of worker "${name}" runs already; nothing was changed.`);
  await deployVersion(session, name, wanted, message);
  return { versionId: wanted, beforeId: running };
}

function versionIn(name: string, ids: readonly string[], version: string): string {
  const found = [...new Set(ids.filter((id) => id.startsWith(version.toLowerCase())))];
  const [only] = found;
  if (found.length === 1 && only !== undefined) return only;
  if (found.length > 1)
    throw new Problem(
      'invalid-input',
      `Several versions of worker "${name}" begin with "${version}": ${found.join(', ')}.`,
    );
  throw new Problem(
    'not-found',
    `No deployment of worker "${name}" has a version "${version}"; nothing was changed.`,
  );
}
