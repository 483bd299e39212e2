// Runs named calls one after the other, and prints for each one line of JSON, with the fault if it failed.
import { isDeepStrictEqual } from 'node:util';

/** Calls the function, compares its result with what is expected (if given), and returns the result. */
export async function call(does, run, expected) {
  let fault;
  let result;
  try {
    result = await run();
    if (expected !== undefined && !isDeepStrictEqual(result, expected)) {
      fault = `expected ${JSON.stringify(expected)}, got ${JSON.stringify(result)}`;
    }
  } catch (error) {
    fault = String(error?.stack ?? error).slice(0, 2000);
  }
  process.stdout.write(`${JSON.stringify({ does, fault })}\n`);
  return result;
}

/** All items of an asynchronous iterable. */
export async function all(items) {
  const list = [];
  for await (const item of items) list.push(item);
  return list;
}
