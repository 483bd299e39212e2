import { isoSeconds } from '../../model/kv/kv.ts';
import { describeThing, type UndoEntry, undoLimits } from '../../model/undo/entry.ts';
import type { Choice } from '../session/session.ts';
import { describePlace, describeValue } from './restore.ts';

/** Returns the choice that opens a session on the platform, account and target of an entry. */
export function placeChoice({ where, accountId, target }: UndoEntry): Partial<Choice> {
  const preview = target === 'preview';
  switch (where.kind) {
    case 'local':
      return { local: true, persistTo: where.folder, preview };
    case 'sandbox':
      return { profile: 'sandbox', sandboxDir: where.folder, accountId, preview };
    case 'remote':
      return { ...(where.profile !== undefined && { profile: where.profile }), accountId, preview };
  }
}

/** Returns the facts of an entry for display, as names and values. The strings may contain untrusted data. */
export function listFacts(entry: UndoEntry, bytes: Uint8Array): readonly (readonly [string, string])[] {
  const { id, at, did, thing } = entry;
  const author = describeAuthor(entry);
  const time = (milliseconds: number) => isoSeconds(Math.floor(milliseconds / 1000));
  return [
    ['id', id],
    [did, `${describeThing(thing)}, ${time(at)}${author === '' ? '' : `, ${author}`}`],
    ['where', describePlace(entry)],
    ...thingFacts(entry, bytes),
    ...costFacts(entry),
    ['kept until', time(at + undoLimits.age)],
  ];
}

/** Describes who made a change; returns an empty string for a person at a terminal. May contain untrusted data. */
export function describeAuthor({ by, client }: UndoEntry): string {
  // "guard" is the client's name if the user did not specify a name.
  if (client === 'guard') return 'through a guard';
  if (client !== undefined) return `by ${client} through a guard`;
  return by === 'script' ? 'without a terminal' : '';
}

function thingFacts({ thing }: UndoEntry, bytes: Uint8Array): readonly (readonly [string, string])[] {
  switch (thing.kind) {
    case 'value':
      return [
        ['namespace', thing.namespaceId],
        ['value', describeValue(bytes)],
        ['expires', thing.expiration === undefined ? 'never' : isoSeconds(thing.expiration)],
        ['metadata', thing.metadata === undefined ? 'none' : JSON.stringify(thing.metadata)],
      ];
    case 'object':
      return [
        ['bytes', describeValue(bytes)],
        ['headers', JSON.stringify(thing.httpMetadata)],
        ['metadata', JSON.stringify(thing.customMetadata)],
      ];
    case 'hostname': {
      const { kind: _, zoneId, hostname: __, ...settings } = thing;
      return [
        ['zone', zoneId],
        ['settings', JSON.stringify(settings)],
      ];
    }
    case 'dns-record':
      return [
        ['zone', thing.zoneId],
        ['content', thing.content],
        ...(thing.proxied === undefined ? [] : [['proxied', thing.proxied ? 'yes' : 'no'] as const]),
        ...(thing.ttl === undefined
          ? []
          : [['ttl', thing.ttl === 1 ? 'automatic' : `${thing.ttl} s`] as const]),
      ];
    case 'fallback-origin':
      return [['zone', thing.zoneId]];
    case 'batch':
      return [
        [thing.of === 'value' ? 'namespace' : 'bucket', thing.within],
        ['keys', thing.count.toLocaleString('en')],
      ];
  }
}

/** Returns the consequences of restoring an entry as facts. */
function costFacts(entry: UndoEntry): readonly (readonly [string, string])[] {
  return restoreCost(entry).map((sentence) => ['mind', sentence] as const);
}

/** Returns sentences about what restoring the entry means for the customer; an empty list if nothing changes for the customer. */
export function restoreCost({ did, thing }: UndoEntry): readonly string[] {
  if (thing.kind !== 'hostname') return [];
  const cost =
    did === 'deleted'
      ? 'Restoring creates the hostname again, with a new certificate and new tokens for the customer to set.'
      : 'Restoring may require new tokens for the customer to set, and a new certificate.';
  return thing.uploaded === true
    ? [cost, 'The uploaded certificate was not saved and cannot be restored.']
    : [cost];
}
