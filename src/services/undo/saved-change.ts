import { AsyncLocalStorage } from 'node:async_hooks';

const saved = new AsyncLocalStorage<true>();

/** Runs a change whose old state was saved: requests that it sends can be undone. */
export function asSaved<T>(change: () => Promise<T>): Promise<T> {
  return saved.run(true, change);
}

/** Whether the current request belongs to a change whose old state was saved. */
export function isSaved(): boolean {
  return saved.getStore() === true;
}
