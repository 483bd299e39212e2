import { type Deployment, findRollback } from '../../src/services/workers/deployments.ts';
import { describeTarget, type WorkerFacts } from '../../src/services/workers/facts.ts';

/** A row of a worker: a deployment, a binding or a secret. */
export interface WorkerRow {
  /** The id of the row, unique among the rows of a worker. */
  readonly id: string;
  readonly kind: 'running' | 'deployed' | 'binding' | 'secret';
  /** The kind shown to the user. For a binding, this is the kind of the binding's target. */
  readonly type: string;
  /** The id of a version, or the name of a binding or secret on `env`. */
  readonly name: string;
  /** The displayed name; for a deployment, the shortened ids of all its versions, with their shares of the traffic. */
  readonly label: string;
  /** For a binding, its resource; for a deployment, its message; empty for a secret. */
  readonly value: string;
  /** For a deployment, the tool that created it, such as `wrangler`. */
  readonly source?: string;
  /** All known facts about the row, as pairs of a label and a value. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** When the version of a deployment was rolled back (RFC 3339); undefined if it was never rolled back. */
  readonly rolledBackAt?: string;
  /** Milliseconds since the UNIX epoch, for a deployment. */
  readonly since?: number;
}

/** Maximum number of deployments shown: the running deployment, and earlier deployments. */
const shownDeployments = 10;

/** Characters of a version's id in the list; the preview shows the whole id, and `y` copies it. */
export const shortIdLength = 8;

/** A worker, with the titles of its namespaces by id, if the titles are known. */
type ShownFacts = WorkerFacts & { readonly namespaceTitles?: ReadonlyMap<string, string> };

/** Returns the rows of a worker: its last deployments, running deployment first, then its bindings and its secrets. */
export function workerRows({ deployments, bindings, secrets, namespaceTitles }: ShownFacts): WorkerRow[] {
  return [
    ...deployments.slice(0, shownDeployments).map((one, index) => deploymentRow(one, index, deployments)),
    ...bindings
      .filter(({ type }) => type !== 'secret_text')
      .map((binding) => bindingRow(binding, namespaceTitles)),
    ...secrets.map(secretRow),
  ];
}

/** Returns the heading above the rows of a kind. */
export function groupName({ kind }: WorkerRow): string {
  return { running: 'Versions', deployed: 'Versions', binding: 'Bindings', secret: 'Secrets' }[kind];
}

/** Returns the row id of a secret. */
export function secretId(name: string): string {
  return `secret ${name}`;
}

function secretRow(name: string): WorkerRow {
  const facts = [
    ['name', name],
    ['value', 'never returned by the platform'],
    ['read as', `env.${name}`],
  ] as const;
  return { id: secretId(name), kind: 'secret', type: 'secret', name, label: name, value: '', facts };
}

function deploymentRow(deployed: Deployment, index: number, all: readonly Deployment[]): WorkerRow {
  const { id: deployment, createdOn, source, versions, trigger, message } = deployed;
  const shares = versions.map(({ id, percentage }) => {
    const short = id.slice(0, shortIdLength);
    return percentage === 100 ? short : `${short} ${percentage}%`;
  });
  const since = Date.parse(createdOn);
  const rolledBackAt = findRollback(all, versions[0]?.id ?? '')?.createdOn;
  return {
    id: `deployment ${deployment}`,
    kind: index === 0 ? 'running' : 'deployed',
    type: index === 0 ? 'running' : 'earlier',
    name: versions[0]?.id ?? '',
    label: shares.join(', '),
    value: message ?? '',
    source,
    facts: [
      ...(message === undefined ? [] : [['message', message] as const]),
      ['deployed', createdOn],
      ...(rolledBackAt === undefined ? [] : [['rolled back', rolledBackAt] as const]),
      ['source', source],
      ...(trigger === undefined ? [] : [['triggered by', trigger] as const]),
      ...versions.map(
        ({ id, percentage }) => ['version', percentage === 100 ? id : `${id}, ${percentage}%`] as const,
      ),
      ['deployment', deployment],
    ],
    ...(rolledBackAt !== undefined && { rolledBackAt }),
    ...(Number.isNaN(since) ? {} : { since }),
  };
}

/** edgectl's names for binding types of the platform; other types keep the platform's name. */
const bindingTypes = new Map([
  ['kv_namespace', 'namespace'],
  ['r2_bucket', 'bucket'],
  ['plain_text', 'text'],
  ['json', 'JSON'],
]);

function bindingRow(
  binding: WorkerFacts['bindings'][number],
  titles: ReadonlyMap<string, string> | undefined,
): WorkerRow {
  const { name, type, ...rest } = binding;
  const { namespace_id: id } = rest;
  const title = type === 'kv_namespace' && typeof id === 'string' ? titles?.get(id) : undefined;
  const fields = Object.entries(rest).map(
    ([field, value]) =>
      [
        field.replaceAll('_', ' '),
        typeof value === 'string' ? value : JSON.stringify(value, undefined, 2),
      ] as const,
  );
  return {
    id: `binding ${name}`,
    kind: 'binding',
    type: bindingTypes.get(type) ?? type.replaceAll('_', ' '),
    name,
    label: name,
    value: title ?? describeTarget(binding),
    facts: [
      ['name', name],
      ['type', type],
      ...(title === undefined ? [] : [['namespace', title] as const]),
      ...fields,
      ['read as', `env.${name}`],
    ],
  };
}

/**
 * Returns the running version, and the version to roll back to. This is the version of the selected earlier deployment, or otherwise the
 * most recent version that differs from the running version.
 */
export function findRollBackVersions(rows: readonly WorkerRow[], selected: WorkerRow | undefined) {
  const running = rows.find(({ kind }) => kind === 'running')?.name;
  const other = rows.find(({ kind, name }) => kind === 'deployed' && name !== running);
  const chosen = selected?.kind === 'deployed' ? selected : other;
  return { running, version: chosen?.name, rolledBackAt: chosen?.rolledBackAt };
}

/** Formats the number of bindings and secrets, for the header of a preview. */
export function factCounts(rows: readonly WorkerRow[]): string {
  const count = (wanted: WorkerRow['kind']) => {
    const { length } = rows.filter(({ kind }) => kind === wanted);
    return `${length} ${wanted}${length === 1 ? '' : 's'}`;
  };
  return [count('binding'), count('secret')].join(', ');
}
