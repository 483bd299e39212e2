import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The async context that shows whether the old state was saved. Without this context, every layer between a change and its request would
 * need a parameter. This module is separate so that sending a write does not load the journal.
 */
const saved = new AsyncLocalStorage<true>();

/** Runs a change whose old state was saved. During the change, `isSaved` returns true. */
export function asSaved<T>(change: () => Promise<T>): Promise<T> {
  return saved.run(true, change);
}

/** Returns whether the current request is part of a change whose old state was saved. */
export function isSaved(): boolean {
  return saved.getStore() === true;
}
