import { changedLines } from '../../src/model/kv/changed-lines.ts';
import type { Namespace } from '../../src/model/kv/kv.ts';
import { sha256Of } from '../../src/services/kv/key-change.ts';
import { escapeText } from '../../src/text/escape.ts';
import { groupDigits } from '../../src/text/size.ts';
import { decodeUtf8 } from '../../src/text/utf8.ts';
import type { Draft } from '../kit/use-console.ts';
import type { MenuDialog } from '../ui/forms/dialog.ts';
import { type DialogLine, quoteLine } from '../ui/forms/dialog-lines.ts';
import type { KeyCommand, KeySubject } from './key-commands.ts';

/** The name of a key's draft among all. */
export function draftName(namespaceId: string, key: string): string {
  return `${namespaceId}\n${key}`;
}

/** Lines of one side of a difference that are shown, and columns of each. */
const shown = { lines: 6, columns: 200 };

/** A difference in lines: `-` stands before those that are there, `+` before those of the draft. */
export function differenceLines(there: Uint8Array, mine: Uint8Array): DialogLine[] {
  const { at, before, after } = changedLines(decodeUtf8(there), decodeUtf8(mine));
  return [`From line ${groupDigits(at)}:`, ...sideLines('-', before), ...sideLines('+', after)];
}

function sideLines(sign: string, lines: readonly string[]): DialogLine[] {
  const first = lines.slice(0, shown.lines).map((line) => quoteLine(`${sign} `, line, shown.columns));
  const more = lines.length - shown.lines;
  return more > 0 ? [...first, `${sign} … ${groupDigits(more)} more lines`] : first;
}

/** Asks what becomes of a text from the editor, with what it would change in what is there now. */
export function draftMenu(
  { entry, value }: KeySubject,
  { text, basis }: Draft,
  { title }: Namespace,
): MenuDialog<KeyCommand> {
  const key = entry.name;
  const isTheirs = Buffer.compare(basis, value) !== 0;
  const name = `${escapeText(key)} in ${escapeText(title)}`;
  const kept = { does: 'write', key, value: text, expiry: 'kept', metadata: 'kept' } as const;
  return {
    kind: 'menu',
    title: isTheirs
      ? `Somebody has changed ${name} since you opened it. + is yours, - is theirs.`
      : `Your text for ${name} is not stored yet. + is yours, - is what is there.`,
    lines: [...differenceLines(value, text), 'Esc leaves it for later: E on the key brings it back.'],
    items: [
      { label: 'edit again: go on with mine', command: { does: 'edit-draft', key } },
      {
        label: isTheirs ? 'mine: write it over theirs' : 'store mine',
        command: { ...kept, basis: { sha256: sha256Of(value) } },
      },
      { label: isTheirs ? 'theirs: discard mine' : 'discard mine', command: { does: 'discard', key } },
    ],
    initial: 0,
    asks: true,
  };
}
