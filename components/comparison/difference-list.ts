import { type Difference, diffNamespaces } from '../../src/services/kv/transfer/diff.ts';
import { escapeText } from '../../src/text/escape.ts';
import { columnsOf } from '../../src/text/width.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import type { Role } from '../kit/theme.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { type DrawnColumns, declareColumns, drawColumns } from '../ui/lists/declared-columns.ts';
import type { OwnActions } from '../ui/lists/list-action.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import type { RowKind } from '../ui/lists/row-kind.ts';
import { tagMenu } from '../ui/lists/tag-menu.ts';
import type { Previewed } from '../ui/preview/previewed.ts';
import { entryLines } from '../ui/viewer/entries.ts';
import { comparisonEntries, isCompared, readComparison } from './comparison-view.ts';
import type { DifferencesAction } from './keymap.ts';
import { openVisit } from './visits.ts';

export type OpenDifferences = Extract<OpenPane, { pane: 'differences' }>;

/** The list of keys that are not the same in two namespaces. */
interface DifferenceParts {
  readonly row: Difference;
  readonly command: never;
  readonly purpose: never;
  readonly subject: never;
}

export type DifferenceList = ListController<DifferenceParts>;

const words: Readonly<Record<Difference['change'], string>> = {
  added: 'only there',
  removed: 'only here',
  changed: 'changed',
};

const roles: Readonly<Record<Difference['change'], Role>> = {
  added: 'good',
  removed: 'fault',
  changed: 'warning',
};

const declaredColumns = declareColumns<Difference>()(
  { DIFFERENCE: wordsOf },
  { heading: 'KEY', by: ({ key }) => key, isListed: true },
);

const kind: RowKind<Difference> = {
  idOf: ({ key }) => key,
  textOf: ({ key }) => key,
  order: 'by-id',
  tagsOf: ({ change }) => [words[change]],
  sorts: declaredColumns.sorts,
};

/** `changed: value, metadata`. */
function wordsOf(row: Difference): string {
  return row.change === 'changed' ? `changed: ${row.fields.join(', ')}` : words[row.change];
}

/** The keys that are not the same in two namespaces. They come as they are compared. */
export function differenceList({ namespace, other }: OpenDifferences, parts: PaneParts): DifferenceList {
  const lost = {
    add: (key: string) =>
      parts.notify(`The platform has lost the value of ${escapeText(key)}: it is not compared.`, 'refused'),
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
  return new ListController<DifferenceParts>(parts, {
    kind,
    whole: true,
    pages: (_, signal) => compare('', signal),
    busyWith: {},
    carryOut: async () => ({}),
    readForm: () => ({ errors: {} }),
    rowOf: () => undefined,
    rowAfter(change) {
      if (change.changed !== 'key' || !isCompared(change, { namespace, key: change.name }, other))
        return undefined;
      const { name } = change;
      return {
        id: name,
        // Of the keys that begin with its name it is the first.
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

const widest = columnsOf('changed: value, metadata, expiration');

/** The column behind the key, for a list of this width. */
export function differenceColumns(width: number): DrawnColumns<Difference> {
  return drawColumns(declaredColumns, {
    DIFFERENCE: {
      width: width >= 70 ? widest : 10,
      importance: 1,
      cell: (row) => (width >= 70 ? wordsOf(row) : words[row.change]),
      role: ({ change }) => roles[change],
    },
  });
}

/** A key beside the key of its name on the other side. */
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

/** Actions of the pane's keys. */
export function differenceActions(
  list: DifferenceList,
  { namespace, other }: OpenDifferences,
  parts: PaneParts,
): OwnActions<DifferencesAction> {
  const key = list.selected?.key;
  return {
    open() {
      if (key !== undefined) parts.open({ pane: 'comparison', namespace, key, other });
    },
    status: () => list.ask(tagMenu(list.list, tags)),
    copy() {
      if (key !== undefined) parts.notify(parts.copy(Buffer.from(key), 'the name'));
    },
  };
}

const ranks = Object.values(words);

const tags = { groupOf: () => 'change', rankOf: (tag: string) => ranks.indexOf(tag) };
