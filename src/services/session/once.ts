/**
 * Returns a function that returns the same promise for each call. The first call creates the promise. If the promise is rejected, the next
 * call creates a new promise.
 */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
