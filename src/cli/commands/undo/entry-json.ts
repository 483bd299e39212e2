import { isoSeconds } from '../../../model/kv/kv.ts';
import type { UndoEntry } from '../../../model/undo/entry.ts';

/** An entry for programs: without the version of its file, with times in RFC 3339. */
export function entryJson({ version: _, at, thing, target, ...entry }: UndoEntry) {
  const isSandbox = entry.where.kind === 'sandbox' && target === 'production';
  return {
    ...entry,
    target: isSandbox ? ('sandbox' as const) : target,
    at: new Date(at).toISOString(),
    thing: thingJson(thing),
  };
}

function thingJson(thing: UndoEntry['thing']) {
  if (thing.kind !== 'value') return thing;
  const { expiration, ...value } = thing;
  return { ...value, ...(expiration !== undefined && { expiration: isoSeconds(expiration) }) };
}
