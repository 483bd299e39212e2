import { useEffect, useRef } from 'react';

/** One page of a listing. `complete` says that nothing follows. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly complete: boolean;
}

/** A listing that is read page by page, each when it is asked for. */
export interface Listing<T> {
  /** Ends what is being read and begins anew. */
  restart(open: (signal: AbortSignal) => AsyncGenerator<T[]>): void;
  /** The next page; empty and complete when nothing was begun. */
  next(): Promise<Page<T>>;
}

/** A listing that ends with the component. */
export function useListing<T>(): Listing<T> {
  const current = useRef<{ pages: AsyncGenerator<T[]>; controller: AbortController }>(undefined);
  useEffect(() => () => current.current?.controller.abort(), []);
  return useRef<Listing<T>>({
    restart(open) {
      current.current?.controller.abort();
      const controller = new AbortController();
      current.current = { pages: open(controller.signal), controller };
    },
    async next() {
      const page = await current.current?.pages.next();
      if (page === undefined || page.done === true) return { items: [], complete: true };
      return { items: page.value, complete: false };
    },
  }).current;
}
