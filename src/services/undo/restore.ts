import { isoSeconds } from '../../model/kv/kv.ts';
import { Problem } from '../../model/problem.ts';
import {
  describeThing,
  isMadeAt,
  type SavedSettings,
  type UndoEntry,
  type UndoPlace,
} from '../../model/undo/entry.ts';
import { describeData, formatPlaceName } from '../../model/where.ts';
import { guessKind } from '../../text/kind.ts';
import { formatSize } from '../../text/size.ts';
import type { Session } from '../session/session.ts';
import { readPlace } from './change-with-undo.ts';
import { restoreFallbackOrigin } from './fallback-origins.ts';
import { restoreHostname } from './hostnames.ts';
import { openJournal } from './journal.ts';
import { restoreObject } from './objects.ts';
import { restoreRecord } from './records.ts';
import type { RestoredThing } from './restored-thing.ts';
import { type RestoreOptions, restoreValue } from './values.ts';

/**
 * The result of restoring an entry. If the resource was not restored, `why` is a sentence that may contain untrusted data. `note` is a
 * sentence about the items of a batch that were not restored.
 */
export type Restored =
  | { readonly outcome: 'restored'; readonly what: RestoredThing; readonly note?: string }
  | { readonly outcome: 'other' | 'expired'; readonly why: string };

/**
 * Restores an entry, then deletes it. Throws a `usage` problem if the session is on another platform, account or target. If the resource was
 * changed again since the saved change, reports its current state and changes nothing, unless `force` is set.
 */
export async function restore(
  session: Session,
  entry: UndoEntry,
  options: RestoreOptions,
): Promise<Restored> {
  await checkPlace(session, entry);
  const journal = openJournal(session.world);
  const bytes = await journal.read(entry);
  const restored = await restoreThing(session, entry, bytes, options);
  if (restored.outcome === 'restored') await journal.remove(entry);
  return restored;
}

async function restoreThing(
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
      if (put.outcome === 'other')
        return {
          outcome: 'other',
          why: describeConflict(entry, `another value: ${describeValue(put.now.value)}`),
        };
      return { outcome: 'expired', why: describeExpired(entry, put.expiration) };
    }
    case 'object': {
      const { bucket } = thing;
      const put = await restoreObject(session, entry, thing, bytes, options);
      if (put.outcome === 'restored')
        return { outcome: 'restored', what: { kind: 'object', bucket, entry: put.entry } };
      const { size, etag } = put.now;
      return {
        outcome: 'other',
        why: describeConflict(entry, `another object: ${formatSize(size)}, etag ${etag}`),
      };
    }
    case 'hostname':
      return restoreHostnameEntry(session, entry, thing, options);
    case 'dns-record': {
      const { outcome, record } = await restoreRecord(session, entry, thing, options);
      if (outcome === 'other')
        return { outcome, why: describeConflict(entry, `another content: ${record.content}`) };
      return { outcome, what: { kind: 'dns-record', zoneId: thing.zoneId, record } };
    }
    case 'fallback-origin': {
      const { outcome, now } = await restoreFallbackOrigin(session, entry, thing, options);
      if (outcome === 'other')
        return { outcome, why: describeConflict(entry, `the origin ${now ?? 'none'}`) };
      return { outcome, what: thing };
    }
    case 'batch': {
      const { restoreBatch } = await import('./batch.ts');
      const restored = await restoreBatch(session, entry, thing, bytes, options);
      if (restored.outcome !== 'restored') return restored;
      const { outcome, things, ...note } = restored;
      return { outcome, what: { kind: 'batch', things }, ...note };
    }
  }
}

async function restoreHostnameEntry(
  session: Session,
  entry: UndoEntry,
  thing: SavedSettings,
  options: RestoreOptions,
): Promise<Restored> {
  const { zoneId, hostname } = thing;
  const put = await restoreHostname(session, entry, thing, options);
  switch (put.outcome) {
    case 'restored':
      return { outcome: 'restored', what: { kind: 'hostname', zoneId, record: put.record } };
    case 'gone':
      return {
        outcome: 'other',
        why: `Since ${describeThing(thing)} were ${entry.did}, the hostname has been deleted.`,
      };
    case 'changed':
      return {
        outcome: 'other',
        why: `Since ${describeThing(thing)} were ${entry.did}, they have been changed again.`,
      };
    case 'there':
      throw new Problem('refused', `${hostname} already exists: its settings were not changed.`, {
        remedy: { kind: 'edit-hostname' },
      });
  }
}

function describeConflict({ thing, did }: UndoEntry, there: string): string {
  return `Since ${describeThing(thing)} was ${did}, ${there} has been written there.`;
}

function describeExpired({ thing }: UndoEntry, expiration: number): string {
  return `The expiry of ${describeThing(thing)} has passed, or is less than a minute away (${isoSeconds(expiration)}).`;
}

/** Formats a value as one line: its size, its type and, for text, its first characters. */
export function describeValue(value: Uint8Array): string {
  const { kind, label } = guessKind(value.subarray(0, 512), value.length <= 512);
  const head = Buffer.from(value.subarray(0, 60)).toString('utf8').replaceAll('\ufffd', '');
  const text =
    kind === 'binary' || kind === 'empty' ? '' : ` ${JSON.stringify(head)}${value.length > 60 ? '…' : ''}`;
  return `${formatSize(value.length)}, ${label}${text}`;
}

async function checkPlace(session: Session, entry: UndoEntry): Promise<void> {
  const place = await readPlace(session);
  if (isMadeAt(entry, place)) return;
  throw new Problem(
    'usage',
    `The item was deleted or replaced on ${describePlace(entry)}, and can be restored only there, not on ${describePlace(place)}.`,
    { hint: "Choose the entry's profile, account and target." },
  );
}

/** Formats a target, account and platform, for example `production of account 0f2a… (profile acme, https://…)`. */
export function describePlace({ where, accountId, target }: UndoPlace): string {
  const at = where.kind === 'remote' ? where.baseUrl : where.folder;
  const name = where.kind === 'sandbox' ? '' : `${formatPlaceName(where)}, `;
  return `${describeData(where, target)} of account ${accountId} (${name}${at})`;
}
