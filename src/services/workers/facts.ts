import type { DeployedWorker } from '../../model/workers/worker.ts';
import type { Session } from '../session/session.ts';
import { type Deployment, listDeployments } from './deployments.ts';
import { readRunningSettings, secretNames } from './running.ts';
import { missingWorkerProblem } from './workers.ts';

/** The running version of a worker, without its code. */
export interface WorkerFacts extends Omit<DeployedWorker, 'modules'> {
  /** The deployments, newest first. The first deployment is running. */
  readonly deployments: readonly Deployment[];
  /** The names of the secrets, whose values the platform never returns. */
  readonly secrets: readonly string[];
}

/** Reads a worker without its code. Throws not-found if the worker does not exist. */
export async function readWorkerFacts(session: Session, name: string): Promise<WorkerFacts> {
  const deployments = await listDeployments(session, name);
  const settings = await readRunningSettings(session, name, deployments);
  if (settings === undefined) throw missingWorkerProblem(session, name);
  return { ...settings, deployments, secrets: secretNames(settings) };
}

/**
 * Returns the part of a confirmation question that lists what is deleted together with a worker; an empty string if nothing else is
 * deleted. The string is not escaped.
 */
export function describeLoss({ deployments, secrets }: WorkerFacts): string {
  const { size: versions } = new Set(deployments.flatMap((one) => one.versions.map(({ id }) => id)));
  const parts = [
    ...(versions === 0 ? [] : [`${versions} deployed version${versions === 1 ? '' : 's'}`]),
    ...(secrets.length === 0
      ? []
      : [`${secrets.length} secret${secrets.length === 1 ? '' : 's'} (${secrets.join(', ')})`]),
  ];
  return parts.length === 0 ? '' : ` with ${parts.join(' and ')}`;
}

/** Formats a binding: its name on `env`, its type and its resource. The result contains untrusted data and is not escaped. */
export function describeBinding(binding: WorkerFacts['bindings'][number]): string {
  return `${binding.name} = ${binding.type} ${describeTarget(binding)}`;
}

/**
 * Formats the resource of a binding: the value of its only field, or all fields as JSON. The result contains untrusted data and is not
 * escaped.
 */
export function describeTarget({
  name: _name,
  type: _type,
  ...fields
}: WorkerFacts['bindings'][number]): string {
  const [target, ...others] = Object.values(fields);
  if (others.length > 0 || target === undefined) return JSON.stringify(fields);
  return typeof target === 'string' ? target : JSON.stringify(target);
}
