import { type ComparisonLine, comparisonLines, type KeyComparison } from '../../src/services/kv/compare.ts';
import type { Change } from '../kit/changes.ts';
import type { OtherSide } from '../kit/open-pane.ts';
import type { Role } from '../kit/theme.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { type Entry, entryLines } from '../ui/viewer/entries.ts';
import { ViewController } from '../ui/viewer/view-controller.ts';
import {
  type Compared,
  type ComparedKey,
  chooseOther,
  comparing,
  type OpenComparison,
} from './comparison-actions.ts';

/** Compares a key with the key of the same name elsewhere. Asks for the other side first, unless it is known. */
export function comparisonView(opened: OpenComparison, parts: PaneParts): ViewController<Compared> {
  return new ViewController<Compared>(parts, {
    content: { other: undefined, comparison: undefined },
    selects: true,
    first: opened.other === undefined ? chooseOther(opened, parts) : comparing(opened, opened.other, parts),
    createLines: ({ other, comparison }, surface) =>
      other === undefined || comparison === undefined
        ? undefined
        : entryLines(comparisonEntries(opened, other, comparison), surface),
    follows: (change, { other }) =>
      other !== undefined && isCompared(change, opened, other) ? comparing(opened, other, parts) : undefined,
  });
}

/** Whether a change is about one of the two keys. */
export function isCompared(change: Change, { namespace, key }: ComparedKey, other: OtherSide): boolean {
  if (change.changed !== 'key' || change.name !== key) return false;
  return change.namespaceId === namespace.id || change.namespaceId === other.namespace.id;
}

const roles: Readonly<Record<ComparisonLine['sign'], Role>> = {
  ' ': 'plain',
  '-': 'removed',
  '+': 'added',
  '@': 'title',
};

/** Lines of a comparison, each with its text for the clipboard. */
export function comparisonEntries(
  { namespace, key }: ComparedKey,
  other: OtherSide,
  comparison: KeyComparison,
): Entry[] {
  const lines = comparisonLines(comparison);
  const missing = (side: KeyComparison['left']) => (side === 'absent' ? ': missing' : '');
  const copied = (text: string) => ({ copied: { text, what: 'the line' } });
  return [
    { text: `- ${key} in ${namespace.title}${missing(comparison.left)}`, role: 'removed' },
    { text: `+ ${key} in ${other.words}${missing(comparison.right)}`, role: 'added' },
    ...(lines.length === 0
      ? [{ text: 'No differences in value, metadata or expiry.', role: 'title' as const }]
      : []),
    ...lines.map(
      ({ sign, text }): Entry =>
        sign === '@'
          ? { text, role: roles[sign], stop: true }
          : { text: `${sign} ${text}`, role: roles[sign], ...copied(text) },
    ),
  ];
}
