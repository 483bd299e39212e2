import type { KeyEntry } from '../../model/kv/kv.ts';
import { isoSeconds } from '../../model/kv/kv.ts';
import { Problem } from '../../model/problem.ts';
import { isMadeAt, thingWords, type UndoEntry, type UndoPlace } from '../../model/undo/entry.ts';
import { whereName } from '../../model/where.ts';
import { guessKind } from '../../text/kind.ts';
import { formatSize } from '../../text/size.ts';
import type { WholeKey } from '../kv/key-change.ts';
import type { Session } from '../session/session.ts';
import { openJournal } from './journal.ts';
import { placeOf } from './keep.ts';
import { type RestoreOptions, restoreValue } from './values.ts';

/** The thing that was put back, for those who show it. */
export type PutBack = { readonly kind: 'value'; readonly namespaceId: string; readonly entry: KeyEntry };

/** How putting back ended. Where it did not, `why` says so in a sentence that may hold bytes from outside. */
export type Restored =
  | { readonly outcome: 'restored'; readonly what: PutBack }
  | { readonly outcome: 'other' | 'expired'; readonly why: string };

/**
 * Puts back what an entry keeps, there and nowhere else, and removes the entry. Refuses with 'usage' a session that acts
 * elsewhere. Something else that is there by now is shown and not replaced, unless `force`.
 */
export async function restore(
  session: Session,
  entry: UndoEntry,
  options: RestoreOptions,
): Promise<Restored> {
  await refuseElsewhere(session, entry);
  const journal = openJournal(session.world);
  const bytes = await journal.read(entry);
  const restored = await putBack(session, entry, bytes, options);
  if (restored.outcome === 'restored') await journal.remove(entry);
  return restored;
}

async function putBack(
  session: Session,
  entry: UndoEntry,
  bytes: Uint8Array,
  options: RestoreOptions,
): Promise<Restored> {
  const { thing } = entry;
  switch (thing.kind) {
    case 'value': {
      const put = await restoreValue(session, entry, thing, bytes, options);
      if (put.outcome === 'restored') {
        const what = { kind: 'value', namespaceId: thing.namespaceId, entry: put.whole.entry } as const;
        return { outcome: 'restored', what };
      }
      if (put.outcome === 'other') return { outcome: 'other', why: otherWords(entry, put.now) };
      return { outcome: 'expired', why: expiredWords(entry, put.expiration) };
    }
    default:
      throw new Problem('refused', `Cannot put back ${thingWords(thing)}.`);
  }
}

function otherWords({ thing, did }: UndoEntry, now: WholeKey | undefined): string {
  const there = now === undefined ? 'nothing' : `another value: ${valueWords(now.value)}`;
  return `Since ${thingWords(thing)} was ${did}, ${there} was written there.`;
}

function expiredWords({ thing }: UndoEntry, expiration: number): string {
  return `The expiry of ${thingWords(thing)} has passed or is less than a minute away (${isoSeconds(expiration)}).`;
}

/** A value in a line: size, kind, and its first characters where it is text. */
export function valueWords(value: Uint8Array): string {
  const { kind, label } = guessKind(value.subarray(0, 512), value.length <= 512);
  const head = Buffer.from(value.subarray(0, 60)).toString('utf8').replaceAll('\ufffd', '');
  const text =
    kind === 'binary' || kind === 'empty' ? '' : ` ${JSON.stringify(head)}${value.length > 60 ? '…' : ''}`;
  return `${formatSize(value.length)}, ${label}${text}`;
}

async function refuseElsewhere(session: Session, entry: UndoEntry): Promise<void> {
  const place = await placeOf(session);
  if (isMadeAt(entry, place)) return;
  throw new Problem(
    'usage',
    `This was taken away on ${placeWords(entry)}, and is put back there only; this is ${placeWords(place)}.`,
    { hint: 'Choose the profile, the account and the target that it was taken from.' },
  );
}

/** A place in words: `production of account 0f2a… (profile acme, https://…)`. */
export function placeWords({ where, accountId, target }: UndoPlace): string {
  const at = where.kind === 'remote' ? where.baseUrl : where.folder;
  return `${target} of account ${accountId} (${whereName(where)}, ${at})`;
}
