import { idFault, localIdFault } from '../../model/id.ts';
import type { Namespace } from '../../model/kv/kv.ts';
import { Problem } from '../../model/problem.ts';
import { nearest } from '../../text/nearest.ts';
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

/**
 * The id of the namespace with a title or an id. An id is taken unread, and of local data any name of a folder. Refuses
 * another title with not-found and the nearest one.
 */
export async function namedNamespace(session: Session, text: string): Promise<string> {
  if (idFault('namespace', text) === undefined) return text;
  const titles: string[] = [];
  for await (const page of listNamespaces(session)) {
    const found = page.find(({ title }) => title === text);
    if (found !== undefined) return found.id;
    titles.push(...page.map(({ title }) => title));
  }
  if (!session.can.listNamespaces && localIdFault(text) === undefined) return text;
  // Those that edgectl creates are titled <project>-<binding>.
  const near = nearest(text, titles) ?? titles.find((title) => title.endsWith(`-${text}`));
  throw new Problem('not-found', `No namespace "${text}" in ${session.label}.`, {
    hint: near === undefined ? titlesHint(titles) : `Did you mean "${near}"?`,
  });
}

/** Titles that the hint of an unknown one lists. */
const maxTitles = 5;

function titlesHint(titles: readonly string[]): string {
  if (titles.length === 0) return 'There are no namespaces there.';
  const more = titles.length > maxTitles ? ` and ${titles.length - maxTitles} more` : '';
  return `Namespaces there: ${titles.slice(0, maxTitles).join(', ')}${more}.`;
}
