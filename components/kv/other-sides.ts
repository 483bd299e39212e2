import type { Namespace } from '../../src/model/kv/kv.ts';
import { isProblem } from '../../src/model/problem.ts';
import type { Target } from '../../src/model/target.ts';
import { listNamespaces } from '../../src/services/kv/namespaces.ts';
import type { Session } from '../../src/services/session/session.ts';
import type { OtherSide } from '../kit/open-pane.ts';
import type { PaneParts } from '../kit/use-console.ts';

/** The suffix in the title of a preview namespace. */
const previewSuffix = '_preview';

/** Maximum number of namespaces to offer. On the command line, any namespace can be compared. */
const maxNamespaces = 500;

/** Returns the namespaces and targets with which a namespace, or one of its keys, can be compared, most likely first. */
export async function otherSides(
  namespace: Namespace,
  parts: PaneParts,
  signal: AbortSignal,
): Promise<OtherSide[]> {
  const { services, session, tasks } = parts;
  const here = await readPages(services.kv.listNamespaces(signal));
  // Local data cannot list its namespaces, and has no preview namespaces.
  const isListed = session.can.listNamespaces;
  const away: OtherSide[] = isListed
    ? [otherSide({ namespace, other: namespace, target: 'local' })]
    : [otherSide({ namespace, other: namespace, target: 'production' })];
  const counterpart = isListed
    ? await tasks.visit({ target: 'production' }, (there) => findCounterpart(there, namespace)).catch(unknown)
    : undefined;
  const others = here
    .filter(({ id }) => id !== namespace.id && id !== counterpart?.namespace.id)
    .slice(0, maxNamespaces);
  return [
    ...(counterpart === undefined ? [] : [counterpart]),
    ...away,
    ...others.map((other) => otherSide({ namespace, other })),
  ];
}

/** Ignores a target that cannot be looked up, so that it is not offered. */
function unknown(error: unknown): undefined {
  if (!isProblem(error)) throw error;
  return undefined;
}

/**
 * Returns the preview namespace of a namespace, or the production namespace of a preview namespace. Looks in the configuration first, then
 * compares titles.
 */
async function findCounterpart(session: Session, { id, title }: Namespace): Promise<OtherSide | undefined> {
  const bound = (await session.project())?.kvNamespaces ?? [];
  const preview = bound.find((one) => one.id === id)?.previewId;
  const production = bound.find((one) => one.previewId === id)?.id;
  const all = await readPages(listNamespaces(session));
  const named = (wanted: string) => all.find((one) => one.title === wanted);
  const found =
    all.find((one) => one.id === (preview ?? production)) ??
    named(title.endsWith(previewSuffix) ? title.slice(0, -previewSuffix.length) : `${title}${previewSuffix}`);
  if (found === undefined || found.id === id) return undefined;
  const isPreview = preview === found.id || found.title.endsWith(previewSuffix);
  const words = `${isPreview ? 'its preview namespace' : 'its production namespace'} ${found.title}`;
  return { namespace: found, target: 'production', words };
}

async function readPages<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

/** Describes a namespace as the other side of a comparison. */
export function otherSide(compared: {
  readonly namespace: Namespace;
  readonly other: Namespace;
  readonly target?: Target | undefined;
}): OtherSide {
  const { namespace, other, target } = compared;
  return { namespace: other, words: describeSide(namespace, other, target), ...(target && { target }) };
}

/**
 * Returns the menu item for the other side of a comparison. The label starts with the title, because the user can type its first letters.
 */
export function sideItem({ words, namespace, target }: OtherSide): {
  readonly label: string;
  readonly hint?: string;
} {
  const title = namespace.title;
  if (target !== undefined && !words.endsWith(title)) return { label: words };
  return {
    label: title,
    hint: words
      .slice(0, -title.length)
      .trim()
      .replace(/^the namespace$/, 'namespace'),
  };
}

/** Labels for the namespace with the same id at another target. */
const counterparts: Readonly<Record<Target, string>> = {
  production: 'production: the namespace with the same id',
  preview: 'preview: the namespace with the same id',
  local: 'local data',
};

function describeSide(of: Namespace, { id, title }: Namespace, target: Target | undefined): string {
  if (target !== undefined && id === of.id) return counterparts[target];
  const isPreview = title === `${of.title}${previewSuffix}`;
  return `${isPreview ? 'its preview namespace' : 'the namespace'} ${title}`;
}
