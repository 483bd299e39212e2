import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { WorkerBinding } from '../../../src/model/workers/worker.ts';
import { type RunOptions, runCommand } from '../../support/run-command.ts';
import { openServed, type Served } from '../../support/served.ts';

const text = 'correct-horse-battery-staple';

let served: Served;
beforeAll(async () => {
  served = await openServed();
});
afterAll(() => served.close());

const workers = () => served.sandbox.platform.registry().workers;

/** The workers are written directly to the registry, because an upload would start the runtime. */
beforeEach(() => {
  served.proxy.use(() => undefined);
  for (const { name } of workers().list()) workers().remove(name);
  for (const name of ['shop-b', 'shop-a', 'mail']) addWorker(name, []);
});

function addWorker(name: string, bindings: readonly WorkerBinding[]): void {
  workers().create(name);
  const content = Buffer.from('export default {};');
  const modules = [{ name: 'i.js', kind: 'esm', content }] as const;
  const code = workers().keepCode({ format: 'modules', entry: 'i.js', modules });
  const details = { source: 'wrangler', annotations: {}, bindings, compatibilityFlags: [] };
  const { id } = workers().addVersion(name, code, { ...details, compatibilityDate: '2026-11-01' });
  const versions = [{ id, percentage: 100 }];
  workers().addDeployment(name, { source: 'wrangler', annotations: {}, versions });
}

/** Returns the values of the secret TOKEN by worker. */
function held(): Record<string, string> {
  const all = workers()
    .list()
    .flatMap(({ name }) => {
      const [latest] = workers().versions(name);
      return (latest?.bindings ?? []).flatMap((one) =>
        one.type === 'secret_text' && one.name === 'TOKEN' ? [[name, one.text] as const] : [],
      );
    });
  return Object.fromEntries(all);
}

const run = (argv: readonly string[], options: RunOptions = {}) =>
  runCommand(served.person, ['secret', ...argv], options);
const put = (...flags: string[]) => run(['put', 'TOKEN', ...flags], { stdin: `${text}\n` });

test('secret put sets one value on all workers, or on workers that match a filter, and reports each worker', async () => {
  const { code, out, err } = await put('--workers', '/^shop-/', '--yes');
  expect([code, out]).toEqual([0, 'set      shop-a\nset      shop-b\n']);
  expect(err).toContain('2 workers on ');
  expect(err).toContain(': shop-a, shop-b.\n');
  expect(held()).toEqual({ 'shop-a': text, 'shop-b': text });
  expect((await put('--workers', '!SHOP', '--yes')).out).toContain('set      mail\n');
  const all = await put('--all-workers', '--yes', '--json');
  expect(JSON.parse(all.out)).toEqual({
    name: 'TOKEN',
    set: ['mail', 'shop-a', 'shop-b'],
    failed: [],
    left: [],
  });
  expect(held()).toEqual({ mail: text, 'shop-a': text, 'shop-b': text });
  expect(`${out}${err}${all.out}${all.err}`).not.toContain(text);
});

test('asks for the hidden value once, then for the number of workers, and changes nothing after any other answer', async () => {
  const unasked = await put('--all-workers');
  expect(unasked.code).toBe(5);
  expect(unasked.err).toContain('Secret TOKEN of 3 workers (mail, shop-a, shop-b) would be set.');
  const wrong = await run(['put', 'TOKEN', '--all-workers'], { answers: [text, 'y'] });
  expect([wrong.code, held()]).toEqual([5, {}]);
  const right = await run(['put', 'TOKEN', '--workers', 'shop'], { answers: [text, '2'] });
  expect(right.code).toBe(0);
  expect(right.err).toMatch(/Value of the secret TOKEN for the workers "shop" on .* \(not shown\): /);
  expect(right.err).toContain('The current values cannot be restored. To confirm, type 2:');
  expect(right.err).not.toContain(text);
  expect(held()).toEqual({ 'shop-a': text, 'shop-b': text });
});

test('names a worker that failed, completes the other workers, and exits with 6, or with 1 if all workers fail', async () => {
  workers().remove('shop-a');
  addWorker('shop-a', [{ type: 'plain_text', name: 'TOKEN', text: 'plain' }]);
  const part = await put('--all-workers', '--yes');
  expect(part.code).toBe(6);
  expect(part.out).toMatch(/^set {6}mail\nfailed {3}shop-a {2}.*already in use.*\nset {6}shop-b\n$/);
  expect(part.err).toContain('Set secret TOKEN: failed on shop-a, done on 2 workers.');
  expect(part.err).toContain(
    'Running the command again is safe: edgectl secret put TOKEN --all-workers --yes',
  );
  const message = JSON.parse((await put('--all-workers', '--yes', '--json')).out);
  expect(message).toMatchObject({
    set: ['mail', 'shop-b'],
    failed: [{ worker: 'shop-a', error: { code: 'refused', platformCode: 10053 } }],
  });
  expect(await put('--workers', 'shop-a', '--yes')).toMatchObject({
    code: 1,
    err: expect.stringContaining('already in use'),
  });
});

test('stops the command after a failure that affects all workers, and lists the workers that were not tried', async () => {
  served.proxy.use(({ method, path }) => (method === 'PUT' && path.includes('shop-a') ? 'cut' : undefined));
  const cut = await put('--all-workers', '--yes', '--json');
  expect(cut.code).toBe(6);
  expect(JSON.parse(cut.out)).toMatchObject({
    set: ['mail'],
    failed: [{ worker: 'shop-a', error: { code: 'unreachable' } }],
    left: ['shop-b'],
  });
  const interruption = new AbortController();
  served.proxy.use(({ method, path }) => {
    if (method === 'PUT' && path.includes('shop-a')) interruption.abort();
    return undefined;
  });
  const stdin = text;
  const stopped = await run(['put', 'TOKEN', '--all-workers', '--yes'], {
    stdin,
    interrupted: interruption.signal,
  });
  expect(stopped.code).toBe(130);
  expect(stopped.err).toContain('failed on shop-a, not started on shop-b, done on 1 worker.');
});

test('secret delete counts the workers that have the secret, and changes only these workers', async () => {
  await put('--workers', 'shop', '--yes');
  expect((await run(['delete', 'TOKEN', '--all-workers'])).err).toContain(
    'Secret TOKEN of 2 workers (shop-a, shop-b) would be deleted.',
  );
  const asked = await run(['delete', 'TOKEN', '--all-workers'], { answers: ['2'] });
  expect([asked.code, asked.out]).toEqual([0, 'deleted  shop-a\ndeleted  shop-b\n']);
  expect(held()).toEqual({});
  const again = await run(['delete', 'TOKEN', '--all-workers', '--json']);
  expect([again.code, JSON.parse(again.out)]).toEqual([
    0,
    { name: 'TOKEN', deleted: [], failed: [], left: [] },
  ]);
});

test.each([
  [['--workers', ''], 2, 'The worker filter "" is empty'],
  [['--workers', '!'], 2, 'The worker filter "!" is empty'],
  [['--workers', '/(/'], 2, 'Invalid worker filter "/(/": Unterminated group.'],
  [['--workers', 'shop', '--all-workers'], 2, '--workers and --all-workers cannot be used together'],
  [['--name', 'mail', '--all-workers'], 2, '--name and --all-workers cannot be used together'],
  [['--workers', 'Shop'], 3, 'No workers match the filter "Shop" on '],
] as const)('rejects the arguments %j, and changes nothing', async (flags, code, words) => {
  for (const command of ['put', 'delete']) {
    const refused = await run([command, 'TOKEN', ...flags, '--yes'], { stdin: text });
    expect([refused.code, refused.err]).toEqual([code, expect.stringContaining(words)]);
  }
  expect(held()).toEqual({});
});
