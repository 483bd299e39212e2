import { Problem } from './problem.ts';

/** Kinds of resources whose ids have 32 hex digits. */
export type IdKind = 'account' | 'zone' | 'namespace';

/** Explains why a string is not a valid platform id; undefined if it is. A platform id has 32 lower-case hex digits. */
export function idFault(kind: IdKind, id: string): string | undefined {
  if (/^[0-9a-f]{32}$/.test(id)) return undefined;
  return `is not a valid ${kind} id: expected 32 lower-case hex digits`;
}

/**
 * Explains why a string cannot be a namespace id in local data; undefined if it can. In local data, a namespace id must be valid as a
 * folder name.
 */
export function localIdFault(id: string): string | undefined {
  const isPlain = /^[\w-]+$/.test(id);
  const isFolder = isPlain || (id !== '.' && id !== '..' && /^[^/\\\p{Cc}]+$/u.test(id) && id.isWellFormed());
  if (isFolder && Buffer.byteLength(id) <= 255) return undefined;
  return 'cannot be the id of a namespace in local data, where the id is a folder name';
}

/** Returns the error for an invalid id. `from` describes the source of the id: a flag, a variable, or a line of a file. */
export function malformedId(
  kind: IdKind,
  id: string,
  from: string,
  fault: string,
  folderWith?: string,
): Problem {
  return new Problem('usage', `${from}: "${id}" ${fault}.`, {
    remedy: { kind: 'find-id', of: kind, folderWith },
  });
}

/** Returns the id, or throws if it is not a valid platform id. */
export function checkId(kind: IdKind, id: string, from: string): string {
  const fault = idFault(kind, id);
  if (fault !== undefined) throw malformedId(kind, id, from, fault);
  return id;
}
