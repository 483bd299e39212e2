import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * An async context replaces a parameter that every layer between a change and its request would otherwise pass on. This module is separate
 * so that sending a write does not load the journal.
 */
const saved = new AsyncLocalStorage<true>();

/** Runs a change whose old state was saved. Requests sent by the change can therefore be undone. */
export function asSaved<T>(change: () => Promise<T>): Promise<T> {
  return saved.run(true, change);
}

/** Whether the current request is part of a change whose old state was saved. */
export function isSaved(): boolean {
  return saved.getStore() === true;
}
