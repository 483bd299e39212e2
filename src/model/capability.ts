import { Problem } from './problem.ts';
import type { Where } from './where.ts';

/** The actions that only some backends support, each with the error message for backends that do not support it, without a full stop. */
const refusals = {
  listNamespaces: 'Local data has no list of namespaces: bind a namespace in edgectl.toml',
  renameNamespaces: 'Local namespaces have no titles',
  createBuckets: 'In local data, a bucket exists as soon as an object is put into it',
  holdHostnames: 'Local data has no hostnames',
  holdWorkers: 'Local data has no workers',
} as const;

export type Capability = keyof typeof refusals;

/** The actions that a session's backend supports. Code must check these values instead of the kind of backend. */
export type Capabilities = Readonly<Record<Capability, boolean>>;

const allCapabilities: Capabilities = {
  listNamespaces: true,
  renameNamespaces: true,
  createBuckets: true,
  holdHostnames: true,
  holdWorkers: true,
};

/**
 * The actions that local data supports. Local data has no account: a namespace or bucket exists as soon as it is written to, under any id
 * and name.
 */
const localCapabilities: Capabilities = {
  listNamespaces: false,
  renameNamespaces: false,
  createBuckets: false,
  holdHostnames: false,
  holdWorkers: false,
};

export function listCapabilities({ kind }: Pick<Where, 'kind'>): Capabilities {
  return kind === 'local' ? localCapabilities : allCapabilities;
}

/** Returns the message that refuses an action, without a full stop. */
export function refusalMessage(capability: Capability): string {
  return refusals[capability];
}

/** Throws `usage` for an action that the session's backend does not support, before anything is sent. */
export function refuseUnsupported({ can }: { readonly can: Capabilities }, capability: Capability): void {
  if (!can[capability]) throw new Problem('usage', `${refusals[capability]}.`);
}
