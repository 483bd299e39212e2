import { setImmediate } from 'node:timers/promises';

/** Yields all rows of an unpaged source as one page. */
export async function* onePage<T>(rows: Promise<readonly T[]>): AsyncGenerator<readonly T[]> {
  yield await rows;
}

/** Reads the next page, then yields to the event loop, so that presses are handled between pages even if a listing never waits. */
export async function nextPage<T>(pages: AsyncGenerator<readonly T[]>) {
  const page = await pages.next();
  await setImmediate();
  return page.done === true ? { items: [], complete: true } : { items: page.value, complete: false };
}
