import type { BoundEntry } from '../../config/bound.ts';
import { asProblem, Problem } from '../../model/problem.ts';
import type { Session } from '../session/session.ts';
import { requireConfig } from './binding.ts';
import { deleteNamespace } from './namespaces.ts';

/** Returns the bindings of a namespace in the configuration; empty if no configuration can be read. */
export async function findBindings(session: Session, id: string): Promise<BoundEntry[]> {
  try {
    const project = await session.project();
    if (project === undefined) return [];
    const { readConfig } = await import('../../config/read.ts');
    const { boundEntries } = await import('../../config/bound.ts');
    return boundEntries(await readConfig(project), id);
  } catch {
    // The bindings are only additional information, so an unreadable configuration must not cause an error before or after a deletion.
    return [];
  }
}

/** The entries that were removed from the configuration. `unwritten` is the error if the file could not be written after the deletion. */
export interface Unbound {
  readonly removed: readonly BoundEntry[];
  readonly unwritten?: Problem;
}

/**
 * Deletes a namespace and removes its bindings from the configuration file, which is locked against other edgectl processes. Refuses a
 * configuration file that cannot be edited, before anything is sent.
 */
export async function deleteAndUnbind(session: Session, id: string): Promise<Unbound> {
  const file = await requireConfig(session);
  const { withLockedConfig } = await import('../../config/hold.ts');
  const { boundEntries } = await import('../../config/bound.ts');
  const { removeNamespaceIds } = await import('../../config/remove.ts');
  return withLockedConfig(file, session, async (held) => {
    await removeNamespaceIds(await held.read(), id);
    await deleteNamespace(session, id);
    try {
      const source = await held.read();
      const removed = boundEntries(source, id);
      if (removed.length > 0) await held.replace(source, await removeNamespaceIds(source, id));
      return { removed };
    } catch (error) {
      const cause = asProblem(error);
      const message = `The namespace ${id} was deleted, but its bindings are still in ${file.path}: ${cause.message}`;
      return { removed: [], unwritten: new Problem('config-not-written', message, { cause }) };
    }
  });
}

/** Formats a binding, for example `"KV" (preview_id, environment staging) at /x/edgectl.toml:5`. */
export function describeBinding({ binding, keys, environment, location }: BoundEntry): string {
  const where = environment === undefined ? '' : `, environment ${environment}`;
  return `"${binding}" (${keys.join(' and ')}${where}) at ${location}`;
}
