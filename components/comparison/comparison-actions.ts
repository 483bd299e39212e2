import { kvKeyDelete, kvKeyDiff, kvKeyGet, kvKeyList, kvKeyPut } from '../../src/services/equivalents/kv.ts';
import { compareValues, type KeyComparison } from '../../src/services/kv/compare.ts';
import { readKey } from '../../src/services/kv/key-change.ts';
import type { PaneAction } from '../kit/keys/action.ts';
import { reading } from '../kit/keys/busy.ts';
import { moveShortcuts, noSelection } from '../kit/keys/conditions.ts';
import type { OpenPane, OtherSide } from '../kit/open-pane.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { otherSides, sideItem } from '../kv/other-sides.ts';
import type { Work } from '../ui/forms/dialog.ts';
import type { ViewOutcome } from '../ui/viewer/view-source.ts';

export type OpenComparison = Extract<OpenPane, { pane: 'comparison' }>;

/** The key to compare. */
export type ComparedKey = Pick<OpenComparison, 'namespace' | 'key'>;

/** The result of comparing a key; undefined until both sides have been read. */
export interface Compared {
  readonly other: OtherSide | undefined;
  readonly comparison: KeyComparison | undefined;
}

type ComparisonWork = Work<ViewOutcome<Compared>>;

/** The input of the actions: the opened pane, and the current other side. */
interface Here {
  readonly opened: OpenComparison;
  readonly other: OtherSide | undefined;
  readonly parts: PaneParts;
}

/** Actions of the pane that compares a key. */
export const comparisonActions: ReadonlyArray<PaneAction<Here, ComparisonWork>> = [
  { does: 'next', press: ['tab'], label: 'next', about: 'Go to the next difference', unless: noSelection },
  {
    does: 'compare',
    press: ['='],
    label: 'compare',
    about: 'Choose another namespace or target to compare with',
    run: ({ opened, parts }) => chooseOther(opened, parts),
    equivalents: ({ opened: { namespace, key }, other }) =>
      other ? [kvKeyDiff(namespace.id, key, { namespaceId: other.namespace.id, target: other.target })] : [],
  },
  { does: 'copy', press: ['y'], label: 'copy', about: 'Copy the line', unless: noSelection },
  {
    does: 'refresh',
    press: ['r'],
    label: 'reload',
    about: 'Reload both sides',
    run: ({ opened, other, parts }) =>
      other === undefined ? chooseOther(opened, parts) : comparing(opened, other, parts),
  },
  {
    does: 'back',
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Go back to the key',
    equivalents: ({ opened: { namespace, key } }) => [
      kvKeyGet(namespace.id, key),
      kvKeyPut(namespace.id, key),
      kvKeyDelete(namespace.id, key),
      kvKeyList(namespace.id),
    ],
  },
  ...moveShortcuts,
];

/** Returns the work that asks the user for the other side of a comparison. */
export function chooseOther(opened: OpenComparison, parts: PaneParts): ComparisonWork {
  const { namespace, key } = opened;
  return {
    busy: reading,
    async run(signal) {
      const sides = await otherSides(namespace, parts, signal);
      const title = `Compare ${key} in ${namespace.title} with the same key in`;
      const items = sides.map((other) => ({ ...sideItem(other), command: comparing(opened, other, parts) }));
      return { dialog: { kind: 'menu', title, items, initial: 0 } };
    },
  };
}

/** Returns the work that reads both keys and shows the differences. */
export function comparing(opened: OpenComparison, other: OtherSide, parts: PaneParts): ComparisonWork {
  return {
    busy: { kind: 'reading', words: 'comparing' },
    async run(signal) {
      const comparison = await readComparison(opened, other, parts, signal);
      if (other !== opened.other) parts.become({ ...opened, other });
      return { content: () => ({ other, comparison }), afresh: true };
    },
  };
}

/** Reads a key and the key with the same name on the other side, and compares them. */
export async function readComparison(
  { namespace, key }: ComparedKey,
  other: OtherSide,
  { services: { kv }, tasks }: PaneParts,
  signal: AbortSignal,
): Promise<KeyComparison> {
  const { target, namespace: there } = other;
  const [left, right] = await Promise.all([
    kv.readKey(namespace.id, key, signal),
    target === undefined
      ? kv.readKey(there.id, key, signal)
      : tasks.visit({ target }, (session) => readKey(session, there.id, key, signal)),
  ]);
  return compareValues(left, right);
}
