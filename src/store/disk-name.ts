// Names of buckets and workers are unique only within an account, but their names on disk must be unique in the whole sandbox. The names of
// an additional account are therefore prefixed on disk with the account's id and a dot. Neither an id nor a name can contain a dot.

/** Returns the name that a bucket or worker of an additional account has in tables, in folders and in the runtime. */
export function diskName(account: string, name: string): string {
  return `${account}.${name}`;
}

/** Returns the additional account of a bucket or worker, derived from its name on disk. */
export function accountInDiskName(name: string): string | undefined {
  return isFurtherName(name) ? name.slice(0, name.indexOf('.')) : undefined;
}

/** Returns the name that a bucket or worker has in its account, derived from its name on disk. */
export function plainName(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}

/** Returns whether the name on disk of a bucket or worker belongs to an additional account. */
export function isFurtherName(name: string): boolean {
  return name.includes('.');
}
