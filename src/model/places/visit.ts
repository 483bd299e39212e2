import * as v from 'valibot';

/** Maximum number of names saved for each kind: enough for nearly everyone, and small on disk. */
export const maxNames = 500;

const names = v.record(v.string(), v.string());

/** The resources of an account at the last visit, by name; never values. */
export const visitShape = v.object({
  /** Milliseconds since the epoch. */
  at: v.number(),
  /** Titles by id. */
  namespaces: v.optional(names),
  /** Creation times by name. */
  buckets: v.optional(names),
  /** Modification times by name. */
  workers: v.optional(names),
  /** `status` or `status, certificate's status`, by name. */
  hostnames: v.optional(names),
});

export type LastVisit = v.InferOutput<typeof visitShape>;

export type SeenKind = 'namespaces' | 'buckets' | 'workers' | 'hostnames';

/** A difference between two visits. */
export interface SeenChange {
  readonly kind: SeenKind;
  readonly name: string;
  readonly change: 'new' | 'gone' | 'changed';
  /** The old and the new state, if the difference is a change. */
  readonly before?: string;
  readonly after?: string;
}

/** Limits the names of a kind to the number that is saved. */
export function limitNames(all: Iterable<readonly [string, string]>): Record<string, string> {
  const limited: [string, string][] = [];
  for (const [name, text] of all) {
    if (limited.length === maxNames) break;
    limited.push([name, text]);
  }
  return Object.fromEntries(limited);
}

/**
 * Changes of a kind since the last visit; empty if the last visit did not read the kind. If a list is longer than what
 * is saved, or was read only in part (`isComplete`), only names known at both visits are compared.
 */
export function findChanges(
  kind: SeenKind,
  before: Readonly<Record<string, string>> | undefined,
  now: Readonly<Record<string, string>>,
  isWhole = true,
): readonly SeenChange[] {
  if (before === undefined) return [];
  const displayName = (name: string) => (kind === 'namespaces' ? (now[name] ?? before[name] ?? name) : name);
  const comparesNames = isWhole && [before, now].every((one) => Object.keys(one).length < maxNames);
  const known = (of: Readonly<Record<string, string>>, name: string) => Object.hasOwn(of, name);
  const fresh = Object.keys(now).filter((name) => !known(before, name));
  const deleted = Object.keys(before).filter((name) => !known(now, name));
  const changed = Object.keys(now).filter((name) => known(before, name) && before[name] !== now[name]);
  return [
    ...changed.map(
      (name): SeenChange => ({
        kind,
        name: displayName(name),
        change: 'changed',
        before: before[name] ?? '',
        after: now[name] ?? '',
      }),
    ),
    ...(comparesNames
      ? fresh.map((name): SeenChange => ({ kind, name: displayName(name), change: 'new' }))
      : []),
    ...(comparesNames
      ? deleted.map((name): SeenChange => ({ kind, name: displayName(name), change: 'gone' }))
      : []),
  ];
}
