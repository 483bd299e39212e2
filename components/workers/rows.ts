import type { WorkerFacts } from '../../src/services/workers/facts.ts';
import type { Deployment } from '../../src/services/workers/workers.ts';

/** A row of a worker: one of its deployments, bindings or secrets. Texts are from outside, not escaped. */
export interface WorkerRow {
  readonly kind: 'running' | 'deployed' | 'binding' | 'secret';
  /** What it is known by: the version's id, or the name on `env`. */
  readonly name: string;
  readonly text: string;
  /** Milliseconds since the UNIX epoch, of a deployment. */
  readonly since?: number;
}

/** Deployments that are shown: the one that runs, and those before. */
const shownDeployments = 10;

/** The rows of a worker: its secrets, its bindings, and its last deployments. */
export function workerRows({ deployments, bindings, secrets }: WorkerFacts): WorkerRow[] {
  return [
    ...secrets.map((name): WorkerRow => ({ kind: 'secret', name, text: name })),
    ...bindings.filter(({ type }) => type !== 'secret_text').map(bindingRow),
    ...deployments.slice(0, shownDeployments).map(deploymentRow),
  ];
}

function deploymentRow({ createdOn, source, versions }: Deployment, index: number): WorkerRow {
  const shares = versions.map(({ id, percentage }) => (percentage === 100 ? id : `${id} ${percentage}%`));
  const since = Date.parse(createdOn);
  return {
    kind: index === 0 ? 'running' : 'deployed',
    name: versions[0]?.id ?? '',
    text: `${shares.join(', ')} by ${source}`,
    ...(Number.isNaN(since) ? {} : { since }),
  };
}

function bindingRow({ name, type, ...rest }: WorkerFacts['bindings'][number]): WorkerRow {
  const [target, ...others] = Object.values(rest);
  const shown = others.length === 0 && typeof target === 'string' ? target : JSON.stringify(rest);
  return { kind: 'binding', name, text: `${name} = ${type} ${shown}` };
}
