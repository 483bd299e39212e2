// Names of buckets and workers are unique in one account, and on disk in all of a sandbox. So those of a further account
// have its id before their own there, with a point, which neither can have.

/** The name of a bucket or worker of a further account as tables, folders and the runtime have it. */
export function keptName(account: string, name: string): string {
  return `${account}.${name}`;
}

/** The further account of a bucket or worker, by its name on disk. */
export function accountOfKept(name: string): string | undefined {
  return isKeptName(name) ? name.slice(0, name.indexOf('.')) : undefined;
}

/** The name that a bucket or worker has in its account, of the one that it has on disk. */
export function plainKept(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}

/** Whether a bucket or worker is that of a further account, by its name on disk. */
export function isKeptName(name: string): boolean {
  return name.includes('.');
}
