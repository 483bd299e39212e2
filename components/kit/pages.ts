import { setImmediate } from 'node:timers/promises';

/** The pages of an unpaged source: all of its rows in one. */
export async function* onePage<T>(rows: Promise<readonly T[]>): AsyncGenerator<readonly T[]> {
  yield await rows;
}

/** The next page. Presses come between two pages, also where a listing never waits. */
export async function nextPage<T>(pages: AsyncGenerator<readonly T[]>) {
  const page = await pages.next();
  await setImmediate();
  return page.done === true ? { items: [], complete: true } : { items: page.value, complete: false };
}
