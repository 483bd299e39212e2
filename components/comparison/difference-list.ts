import type { Target } from '../../src/model/target.ts';
import { type Difference, diffNamespaces } from '../../src/services/kv/transfer/diff.ts';
import type { Session } from '../../src/services/session/session.ts';
import { stoppable } from '../../src/services/session/stoppable.ts';
import { measureCharacter } from '../../src/text/width.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import type { Role } from '../kit/theme.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { type DrawnColumns, declareColumns, drawColumns } from '../ui/lists/declared-columns.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import type { RowKind } from '../ui/lists/row-kind.ts';
import type { Previewed } from '../ui/preview/previewed.ts';
import { entryLines } from '../ui/viewer/entries.ts';
import { readComparison } from './comparison-actions.ts';
import { comparisonEntries, isCompared } from './comparison-view.ts';

export type OpenDifferences = Extract<OpenPane, { pane: 'differences' }>;

const words: Readonly<Record<Difference['change'], string>> = {
  added: 'only there',
  removed: 'only here',
  changed: 'changed',
};

export const differenceRoles: Readonly<Record<Difference['change'], Role>> = {
  added: 'added',
  removed: 'removed',
  changed: 'changed',
};

const ranks = Object.values(words);

/** The groups and the order of the tags in the filter menu. */
export const differenceTags = { getGroup: () => 'change', getRank: (tag: string) => ranks.indexOf(tag) };

const declaredColumns = declareColumns<Difference>()(
  { DIFFERENCE: describeDifference },
  { heading: 'KEY', by: ({ key }) => key, isListed: true },
);

const kind: RowKind<Difference> = {
  getId: ({ key }) => key,
  getText: ({ key }) => key,
  order: 'by-id',
  getTags: ({ change }) => [words[change]],
  sorts: declaredColumns.sorts,
};

/** Describes a difference: `changed: value, metadata`, `only there` or `only here`. */
function describeDifference(row: Difference): string {
  return row.change === 'changed' ? `changed: ${row.fields.join(', ')}` : words[row.change];
}

/** Returns the list of the keys that differ between two namespaces. The list grows while the comparison runs. */
export function differenceList(
  { namespace, other }: OpenDifferences,
  parts: PaneParts,
): ListController<Difference> {
  const lost = {
    add: (key: string) =>
      parts.notify(`The platform has lost the value of ${key}; it was not compared.`, 'refused'),
  };
  async function* compare(prefix: string, signal: AbortSignal): AsyncGenerator<Difference[]> {
    const { target } = parts.session;
    await using here = await openVisit(parts, target, signal);
    await using there = await openVisit(parts, other.target ?? target, signal);
    const left = { session: here.session, namespaceId: namespace.id, lost };
    const right = { session: there.session, namespaceId: other.namespace.id, lost };
    const silent = { progress: () => undefined, warn: () => undefined };
    yield* diffNamespaces(left, right, { prefix, keysOnly: false, reporter: silent });
  }
  return new ListController<Difference>(parts, {
    kind,
    whole: true,
    refreshes: false,
    pages: (_, signal) => compare('', signal),
    rowChange: () => undefined,
    rowToRead(change) {
      if (change.changed !== 'key' || !isCompared(change, { namespace, key: change.name }, other))
        return undefined;
      const { name } = change;
      return {
        id: name,
        // Among the keys that start with the name, the key with exactly this name comes first.
        async read(signal) {
          for await (const some of compare(name, signal)) {
            const [first] = some;
            return first?.key === name ? first : undefined;
          }
          return undefined;
        },
      };
    },
  });
}

/** A session that stays open until it is disposed of, or until its signal is aborted. */
interface Visit extends AsyncDisposable {
  readonly session: Session;
}

/** Opens a separate session on a target, for a listing that is read page by page and may be stopped early. */
async function openVisit({ tasks }: PaneParts, target: Target, signal: AbortSignal): Promise<Visit> {
  const opened = Promise.withResolvers<Session>();
  const left = Promise.withResolvers<void>();
  const visit = tasks.visit({ target }, (session) => {
    opened.resolve(stoppable(session, signal));
    return left.promise;
  });
  visit.catch(opened.reject);
  const session = await opened.promise;
  if (signal.aborted) left.resolve();
  signal.addEventListener('abort', () => left.resolve(), { once: true });
  return {
    session,
    async [Symbol.asyncDispose]() {
      left.resolve();
      await visit;
    },
  };
}

const widest = measureCharacter('changed: value, metadata, expiration');

/** Returns the columns after the key. `width` is the number of columns of the list and its preview. */
export function differenceColumns(width: number): DrawnColumns<Difference> {
  return drawColumns(declaredColumns, {
    DIFFERENCE: {
      width: width >= 70 ? widest : 10,
      importance: 1,
      cell: (row) => (width >= 70 ? describeDifference(row) : words[row.change]),
      role: ({ change }) => differenceRoles[change],
    },
  });
}

/** Returns the preview of the differences between a key and the key with the same name on the other side. */
export function differencePreview(
  { namespace, other }: OpenDifferences,
  { key, change }: Difference,
  parts: PaneParts,
): Previewed {
  return {
    id: `difference ${namespace.id} ${other.target ?? ''} ${other.namespace.id} ${key}`,
    title: key,
    async read(signal) {
      const compared = { namespace, key };
      const entries = comparisonEntries(
        compared,
        other,
        await readComparison(compared, other, parts, signal),
      );
      return { counts: words[change], lines: (surface) => entryLines(entries, surface) };
    },
  };
}
