import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommand } from '../support/run-command.ts';
import { openServed, type Served } from '../support/served.ts';

let served: Served;

beforeEach(async () => {
  served = await openServed();
  await run('bucket', 'create', 'pictures');
  expect(await run('object', 'put', 'pictures/a.txt', '--path', '-')).toMatchObject({ code: 0 });
});
afterEach(() => served.close());

function run(...argv: readonly string[]) {
  return runCommand(served.person, ['objstore', ...argv], { stdin: 'some bytes' });
}

it.each([
  ['1e308', /has an unknown format: "0.size" is invalid/],
  ['-1', /has an unknown format: "0.size" is invalid/],
  ['1.5', /has an unknown format: "0.size" is invalid/],
  ['9007199254740991', /"a\.txt" has 9,007,199,254,740,991 bytes; an object can be at most 5 TiB/],
  ['314572801', /"a\.txt" changed while it was being copied/],
])('does not copy an object whose size in the list is %s', async (size, said) => {
  served.proxy.use(({ method, path }) =>
    method === 'GET' && path.includes('/objects?')
      ? {
          change: (answer) => ({
            ...answer,
            body: String(answer.body).replace(/"size":\s*\d+/, `"size":${size}`),
          }),
        }
      : undefined,
  );
  const { code, err } = await run('object', 'copy', 'pictures/a.txt', 'pictures/b.txt');
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringMatching(said) });
  expect(served.proxy.passed.some(({ method, path }) => method === 'PUT' && path.includes('b.txt'))).toBe(
    false,
  );
});
