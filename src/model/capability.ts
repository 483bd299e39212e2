import { Problem } from './problem.ts';
import type { Where } from './where.ts';

/** Actions that only some places offer, each with the words of the refusal elsewhere, without full stop. */
const refusals = {
  listNamespaces: 'Local data have no list of namespaces: bind one in edgectl.toml',
  renameNamespaces: 'Local namespaces have no titles',
  createBuckets: 'Local data have a bucket as soon as an object is put into it',
  holdHostnames: 'There are no hostnames in local data',
  holdWorkers: 'There are no workers in local data',
} as const;

export type Capability = keyof typeof refusals;

/** The actions that a session's backend offers. Ask these, not its kind. */
export type Capabilities = Readonly<Record<Capability, boolean>>;

const all: Capabilities = {
  listNamespaces: true,
  renameNamespaces: true,
  createBuckets: true,
  holdHostnames: true,
  holdWorkers: true,
};

/** Local data has no account: a namespace or bucket exists as soon as it is written to, under any id and name. */
const none: Capabilities = {
  listNamespaces: false,
  renameNamespaces: false,
  createBuckets: false,
  holdHostnames: false,
  holdWorkers: false,
};

export function capabilitiesOf({ kind }: Pick<Where, 'kind'>): Capabilities {
  return kind === 'local' ? none : all;
}

/** The refusal of an action, as a sentence without its full stop. */
export function refusalWords(capability: Capability): string {
  return refusals[capability];
}

/** Refuses with usage, before anything is sent, an action that the session's backend does not offer. */
export function refuseUnable({ can }: { readonly can: Capabilities }, capability: Capability): void {
  if (!can[capability]) throw new Problem('usage', `${refusals[capability]}.`);
}
