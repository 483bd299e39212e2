import { idFault, localIdFault } from '../../model/id.ts';
import type { Namespace } from '../../model/kv/kv.ts';
import { Problem } from '../../model/problem.ts';
import { nearest } from '../../text/nearest.ts';
import type { Session } from '../session/session.ts';
import { listNamespaces } from './namespaces.ts';

/**
 * Finds a namespace by id or title, or throws not-found. Local namespaces without a binding are not listed, so in local data any id of 32
 * hex digits is accepted without a check.
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
  throw new Problem('not-found', `Namespace "${text}" not found in ${session.label}.`);
}

/**
 * Returns the id of the namespace with this title or id. Accepts a well-formed id without a check, and in local data any folder name. For an
 * unknown title, throws not-found, with a hint that suggests a similar title or lists titles.
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
  // Also suggests a title for a binding, because edgectl titles new namespaces <project>-<binding>.
  const near = nearest(text, titles) ?? titles.find((title) => title.endsWith(`-${text}`));
  throw new Problem('not-found', `Namespace "${text}" not found in ${session.label}.`, {
    hint: near === undefined ? titlesHint(titles) : `Did you mean "${near}"?`,
  });
}

/** Maximum number of titles in the hint for an unknown title. */
const maxTitles = 5;

function titlesHint(titles: readonly string[]): string {
  if (titles.length === 0) return 'There are no namespaces yet.';
  const more = titles.length > maxTitles ? ` and ${titles.length - maxTitles} more` : '';
  return `Existing namespaces: ${titles.slice(0, maxTitles).join(', ')}${more}.`;
}
