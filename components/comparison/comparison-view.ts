import {
  type ComparisonLine,
  comparisonLines,
  comparisonOf,
  type KeyComparison,
} from '../../src/services/kv/compare.ts';
import { readKey } from '../../src/services/kv/key-change.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { Change } from '../kit/changes.ts';
import { reading } from '../kit/keys/busy.ts';
import type { OpenPane, OtherSide } from '../kit/open-pane.ts';
import type { Role } from '../kit/theme.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { otherSides } from '../kv/sides.ts';
import type { MenuDialog } from '../ui/forms/dialog.ts';
import { type Entry, entryLines } from '../ui/viewer/entries.ts';
import { type OwnViewActions, ViewController } from '../ui/viewer/view-controller.ts';
import type { ViewOutcome } from '../ui/viewer/view-source.ts';
import type { ComparisonAction } from './keymap.ts';

export type OpenComparison = Extract<OpenPane, { pane: 'comparison' }>;

/** A key that is compared. */
type ComparedKey = Pick<OpenComparison, 'namespace' | 'key'>;

/** A key compared with another one; undefined until both are read. */
export interface Compared {
  readonly other: OtherSide | undefined;
  readonly comparison: KeyComparison | undefined;
}

type ComparisonCommand =
  | { readonly does: 'choose' }
  | { readonly does: 'compare'; readonly other: OtherSide };

/** The viewer of a comparison. */
interface ComparisonParts {
  readonly content: Compared;
  readonly command: ComparisonCommand;
  readonly purpose: never;
  readonly subject: never;
}

type ComparisonController = ViewController<ComparisonParts>;

/** A key beside the key of its name elsewhere. It begins with the question what to compare it with, unless that is known. */
export function comparisonView(opened: OpenComparison, parts: PaneParts): ComparisonController {
  return new ViewController<ComparisonParts>(parts, {
    content: { other: undefined, comparison: undefined },
    selects: true,
    first: opened.other === undefined ? { does: 'choose' } : { does: 'compare', other: opened.other },
    linesOf: ({ other, comparison }, surface) =>
      other === undefined || comparison === undefined
        ? undefined
        : entryLines(comparisonEntries(opened, other, comparison), surface),
    busyWith: { choose: reading, compare: { kind: 'reading', words: 'comparing' } },
    follows: (change, { other }) =>
      other !== undefined && isCompared(change, opened, other) ? { does: 'compare', other } : undefined,
    carryOut: (command, signal) =>
      command.does === 'choose'
        ? choose(opened, parts, signal)
        : compare(opened, command.other, parts, signal),
  });
}

async function choose(
  opened: OpenComparison,
  parts: PaneParts,
  signal: AbortSignal,
): Promise<ViewOutcome<ComparisonParts>> {
  const sides = await otherSides(opened.namespace, parts, signal);
  const dialog: MenuDialog<ComparisonCommand> = {
    kind: 'menu',
    title: `Compare ${escapeText(opened.key)} of ${escapeText(opened.namespace.title)} with the same key in`,
    items: sides.map((other) => ({ label: other.words, command: { does: 'compare', other } })),
    initial: 0,
  };
  return { dialog };
}

async function compare(
  opened: OpenComparison,
  other: OtherSide,
  parts: PaneParts,
  signal: AbortSignal,
): Promise<ViewOutcome<ComparisonParts>> {
  const comparison = await readComparison(opened, other, parts, signal);
  if (other !== opened.other) parts.become({ ...opened, other });
  return { content: () => ({ other, comparison }), afresh: true };
}

/** Whether a change is about one of the two keys. */
export function isCompared(change: Change, { namespace, key }: ComparedKey, other: OtherSide): boolean {
  if (change.changed !== 'key' || change.name !== key) return false;
  return change.namespaceId === namespace.id || change.namespaceId === other.namespace.id;
}

/** Reads a key and the one of its name on the other side, and compares them. */
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
  return comparisonOf(left, right);
}

const roles: Readonly<Record<ComparisonLine['sign'], Role>> = {
  ' ': 'plain',
  '-': 'fault',
  '+': 'good',
  '@': 'title',
};

/** Lines of a comparison, each with what it gives to the clipboard. */
export function comparisonEntries(
  { namespace, key }: ComparedKey,
  other: OtherSide,
  comparison: KeyComparison,
): Entry[] {
  const lines = comparisonLines(comparison);
  const missing = (side: KeyComparison['left']) => (side === 'absent' ? ': missing' : '');
  const copied = (text: string) => ({ copied: { text, what: 'the line' } });
  return [
    { text: `- ${key} in ${namespace.title}${missing(comparison.left)}`, role: 'fault' },
    { text: `+ ${key} in ${other.words}${missing(comparison.right)}`, role: 'good' },
    ...(lines.length === 0
      ? [{ text: 'No difference in value, metadata and expiry.', role: 'title' as const }]
      : []),
    ...lines.map(
      ({ sign, text }): Entry =>
        sign === '@'
          ? { text, role: roles[sign], stop: true }
          : { text: `${sign} ${text}`, role: roles[sign], ...copied(text) },
    ),
  ];
}

/** Actions of the pane's keys. */
export function comparisonActions(view: ComparisonController): OwnViewActions<ComparisonAction> {
  const { other } = view.content;
  return {
    compare: () => view.perform({ does: 'choose' }),
    refresh: () => view.perform(other === undefined ? { does: 'choose' } : { does: 'compare', other }),
  };
}
