/** A file or an object. The name is relative to the folder or the prefix. */
export interface SyncSide {
  readonly name: string;
  readonly size: number;
  /** When the file or object was last changed, in milliseconds since the UNIX epoch. */
  readonly changed: number;
}

/** The steps that make a destination equal to its source. */
export interface SyncPlan<S extends SyncSide, D extends SyncSide> {
  /** Items to transfer. `new`: the destination does not have the item. `changed`: the destination has a different version of the item. */
  readonly transfers: readonly { readonly item: S; readonly why: 'new' | 'changed' }[];
  /** Objects or files that exist only in the destination. */
  readonly extra: readonly D[];
  readonly same: number;
}

/** Plans a sync. `isSame` is called for items that have the same name and size on both sides. */
export async function planSync<S extends SyncSide, D extends SyncSide>(
  source: readonly S[],
  destination: readonly D[],
  isSame: (from: S, to: D) => Promise<boolean>,
): Promise<SyncPlan<S, D>> {
  const present = new Map(destination.map((item) => [item.name, item]));
  const transfers: { item: S; why: 'new' | 'changed' }[] = [];
  let same = 0;
  for (const item of source) {
    const other = present.get(item.name);
    present.delete(item.name);
    if (other === undefined) transfers.push({ item, why: 'new' });
    else if (other.size === item.size && (await isSame(item, other))) same += 1;
    else transfers.push({ item, why: 'changed' });
  }
  return { transfers, extra: [...present.values()], same };
}
