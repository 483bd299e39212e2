import * as v from 'valibot';

/** Maximum number of names that are saved for each kind. This many names are enough for most accounts, and take little space on disk. */
export const maxNames = 500;

const names = v.record(v.string(), v.string());

/** The resources of an account at the last visit, by name, without values. */
export const visitShape = v.object({
  /** When the visit took place, in milliseconds since the epoch. */
  at: v.number(),
  /** The namespaces' titles by id. */
  namespaces: v.optional(names),
  /** The buckets' creation times by name. */
  buckets: v.optional(names),
  /** The workers' modification times by name. */
  workers: v.optional(names),
  /** The hostnames' states by name: `status`, or `status, certificate status`. */
  hostnames: v.optional(names),
});

export type LastVisit = v.InferOutput<typeof visitShape>;

export type SeenKind = 'namespaces' | 'buckets' | 'workers' | 'hostnames';

/** A difference between two visits. */
export interface SeenChange {
  readonly kind: SeenKind;
  readonly name: string;
  readonly change: 'new' | 'gone' | 'changed';
  /** The old and the new state of a changed resource. */
  readonly before?: string;
  readonly after?: string;
}

/** Returns the first names of a kind, up to the maximum number that is saved. */
export function limitNames(all: Iterable<readonly [string, string]>): Record<string, string> {
  const limited: [string, string][] = [];
  for (const [name, text] of all) {
    if (limited.length === maxNames) break;
    limited.push([name, text]);
  }
  return Object.fromEntries(limited);
}

/**
 * Returns the changes to resources of a kind since the last visit; an empty list if the last visit did not read the kind. If a list has at
 * least as many names as are saved, or was not read completely (`isWhole` is false), only names that are known from both visits are
 * compared.
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
