import type { Namespace } from '../../model/kv/kv.ts';
import { Problem } from '../../model/problem.ts';
import type { Session } from '../session/session.ts';
import { listNamespaces } from './namespaces.ts';

/**
 * The namespace that a person means by an id or a title. Local data have no list of all their namespaces, only of the
 * bound ones: there an id of 32 hex digits is taken as it is. Refuses with not-found.
 */
export async function findNamespace(session: Session, text: string): Promise<Namespace> {
  let titled: Namespace | undefined;
  for await (const page of listNamespaces(session)) {
    const found = page.find(({ id }) => id === text);
    if (found !== undefined) return found;
    titled ??= page.find(({ title }) => title === text);
  }
  if (titled !== undefined) return titled;
  if (!session.can.listNamespaces && /^[0-9a-f]{32}$/.test(text)) return { id: text, title: text };
  throw new Problem('not-found', `There is no namespace ${text} in ${session.label}.`);
}
