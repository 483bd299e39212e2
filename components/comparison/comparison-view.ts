import type { DifferenceLine, Hunk } from '../../src/model/kv/line-difference.ts';
import type { KeyComparison, KeyDifference } from '../../src/services/kv/compare.ts';
import { markText } from '../../src/text/mark.ts';
import { groupDigits } from '../../src/text/size.ts';
import type { Change } from '../kit/changes.ts';
import type { OtherSide } from '../kit/open-pane.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { Part } from '../ui/lines/Line.tsx';
import { changedWords, differenceRoles, pairLines, type WordPart } from '../ui/lines/word-difference.ts';
import { type Entry, entryLines } from '../ui/viewer/entries.ts';
import { ViewController } from '../ui/viewer/view-controller.ts';
import {
  type Compared,
  type ComparedKey,
  chooseOther,
  comparing,
  type OpenComparison,
} from './comparison-actions.ts';

/** Returns the view that compares a key with the key of the same name elsewhere. If the other side is unknown, asks the user first. */
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

/** Returns whether a change affects one of the two keys. */
export function isCompared(change: Change, { namespace, key }: ComparedKey, other: OtherSide): boolean {
  if (change.changed !== 'key' || change.name !== key) return false;
  return change.namespaceId === namespace.id || change.namespaceId === other.namespace.id;
}

const headings = { value: 'Value', metadata: 'Metadata', expiration: 'Expiry' } as const;

/** Returns the lines of a comparison: both sides, then the differences in value, metadata and expiry. */
export function comparisonEntries(
  { namespace }: ComparedKey,
  other: OtherSide,
  { left, right, differences }: KeyComparison,
): Entry[] {
  const missing = (side: KeyComparison['left']) => (side === 'absent' ? ': key missing' : '');
  return [
    { text: `- ${namespace.title}${missing(left)}`, role: 'removed' },
    { text: `+ ${other.words}${missing(right)}`, role: 'added' },
    ...(differences.length === 0 && left === right
      ? [{ text: '' }, { text: 'No differences in value, metadata or expiry.', role: 'title' as const }]
      : []),
    ...differences.flatMap((difference) => [{ text: '' }, ...differenceEntries(difference)]),
  ];
}

function differenceEntries(difference: KeyDifference): Entry[] {
  if (difference.field === 'expiration') {
    const { left, right } = difference;
    return [heading(difference, ''), line('-', left ?? 'never'), line('+', right ?? 'never')];
  }
  if (difference.as === 'bytes') {
    const { sizes, from } = difference;
    const [one, another] = sizes.map((size) => `${groupDigits(size)} bytes`);
    const remark = `binary, first difference at byte ${groupDigits(from)}`;
    return [heading(difference, remark), line('-', one ?? ''), line('+', another ?? '')];
  }
  const { hunks, as } = difference;
  return hunks.flatMap((hunk, index): Entry[] => [
    index === 0
      ? heading(
          difference,
          [as === 'json' ? 'JSON with sorted names' : '', isAtStart(hunk) ? '' : formatPlace(hunk)]
            .filter((words) => words !== '')
            .join(', '),
        )
      : { text: formatPlace(hunk), role: 'dim', stop: true },
    ...hunkEntries(hunk),
  ]);
}

function heading({ field }: KeyDifference, remark: string): Entry {
  const label = `${headings[field]}  `;
  return { text: label + remark, labelLength: label.length, labelRole: 'title', role: 'dim', stop: true };
}

/** Returns whether a hunk begins at the first line of both sides, or of its only side. */
function isAtStart({ left, right }: Hunk): boolean {
  return Math.max(left.from, right.from) <= 1;
}

/** Formats the number of a hunk's first line on the left side, followed by its number on the right side if the two differ. */
function formatPlace({ left, right }: Hunk): string {
  return left.from === right.from
    ? `line ${groupDigits(left.from)}`
    : `line ${groupDigits(left.from)}, now ${groupDigits(right.from)}`;
}

/** Returns the lines of a hunk, with the changed words highlighted. */
export function hunkEntries({ lines }: Hunk): Entry[] {
  const pairs = pairLines(lines);
  return lines.map(({ sign, text }, index): Entry => {
    const [entry, pair] = [line(sign, text), pairs[index]];
    if (pair === undefined) return entry;
    // Compares the words only when the line is drawn.
    const parts = () => withSign(sign, changedWords({ sign, text: markText(text) }, markText(pair)));
    return { ...entry, parts };
  });
}

/** Returns the parts of a line: its sign, then its words, with the changed words highlighted. Returns undefined if `words` is undefined. */
function withSign(sign: DifferenceLine['sign'], words: readonly WordPart[] | undefined): Part[] | undefined {
  const roles = differenceRoles[sign];
  return (
    words && [
      { text: `${sign} `, role: roles.line },
      ...words.map(({ text, isChanged }): Part => ({ text, role: isChanged ? roles.word : roles.line })),
    ]
  );
}

function line(sign: DifferenceLine['sign'], text: string): Entry {
  const role = differenceRoles[sign].line;
  return { text: `${sign} ${text}`, role, copied: { text, what: 'the line' } };
}
