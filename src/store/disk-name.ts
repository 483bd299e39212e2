// Names of buckets and workers are unique within one account, but on disk across the whole sandbox. On disk, names of a
// further account are therefore prefixed with its id and a dot, which neither can contain.

/** Returns the name of a further account's bucket or worker in tables, folders and the runtime. */
export function diskName(account: string, name: string): string {
  return `${account}.${name}`;
}

/** Returns the further account of a bucket or worker, from its name on disk. */
export function accountInDiskName(name: string): string | undefined {
  return isFurtherName(name) ? name.slice(0, name.indexOf('.')) : undefined;
}

/** Returns the name of a bucket or worker in its account, from its name on disk. */
export function plainName(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}

/** Whether a bucket or worker belongs to a further account, by its name on disk. */
export function isFurtherName(name: string): boolean {
  return name.includes('.');
}
