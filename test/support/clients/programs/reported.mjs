// Runs named calls one after another, and prints one line of JSON for each call, with the fault if the call failed.
import { isDeepStrictEqual } from 'node:util';

/** Calls the function, compares its result with the expected result (if given), and returns the result. */
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

/** Returns all items of an asynchronous iterable. */
export async function all(items) {
  const list = [];
  for await (const item of items) list.push(item);
  return list;
}
