import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestSandbox, type TestSandbox } from '../../sandbox/test-sandbox.ts';
import { newPerson, runCommand } from '../../support/run-command.ts';

let place: TestSandbox;
/** The ids of versions, in the order in which they were deployed. */
let versions: string[];
beforeAll(async () => {
  place = await openTestSandbox('over a socket');
});
afterAll(() => place.close());

beforeEach(() => {
  const { workers } = place.sandbox.platform.registry();
  for (const { name } of workers.list()) workers.remove(name);
  versions = deployed('shop', ['one', 'two']);
});

/**
 * Returns the versions of a new worker, each of which was deployed. The versions are written directly to the registry, because an upload
 * would start the runtime.
 */
function deployed(name: string, colours: readonly string[]): string[] {
  const { workers } = place.sandbox.platform.registry();
  workers.create(name);
  const content = Buffer.from('export default {};');
  const code = workers.keepCode({
    format: 'modules',
    entry: 'i.js',
    modules: [{ name: 'i.js', kind: 'esm', content }],
  });
  return colours.map((colour) => {
    place.clock.now += 60_000;
    const bindings = [
      { type: 'plain_text', name: 'COLOUR', text: `${colour}\u001b[31m` },
      { type: 'secret_text', name: 'API_KEY', text: 'hidden' },
    ] as const;
    const details = { source: 'wrangler', annotations: {}, bindings, compatibilityFlags: ['nodejs_compat'] };
    const { id } = workers.addVersion(name, code, { ...details, compatibilityDate: '2026-11-01' });
    workers.addDeployment(name, {
      source: 'wrangler',
      annotations: {},
      versions: [{ id, percentage: 100 }],
    });
    return id;
  });
}

function worker(args: readonly string[], answers?: readonly string[]) {
  const { accountId, apiToken } = place.sandbox.access();
  const person = newPerson({
    EDGECTL_API_BASE_URL: place.apiBaseUrl,
    EDGECTL_API_TOKEN: apiToken,
    EDGECTL_ACCOUNT_ID: accountId,
  });
  return runCommand(person, ['worker', ...args], answers === undefined ? {} : { answers });
}

test('list and get print all resources, escaped, for people and programs, and never the value of a secret', async () => {
  expect((await worker(['list'])).out).toMatch(/^NAME +CHANGED\nshop +2026-/);
  expect(JSON.parse((await worker(['list', '--json'])).out)).toMatchObject([{ name: 'shop' }]);
  const { out } = await worker(['get', 'shop']);
  expect(out).toMatch(new RegExp(`^name +shop\nruns +${versions[1]} since 2026-.* by wrangler\n`));
  expect(out).toContain('compatible with  2026-11-01, nodejs_compat\n');
  expect(out).toContain('binding          COLOUR = plain_text two\\e[31m\nsecret           API_KEY\n');
  expect(JSON.parse((await worker(['get', 'shop', '--json'])).out)).toMatchObject({
    name: 'shop',
    running: { versions: [{ id: versions[1], percentage: 100 }] },
    bindings: [{ name: 'COLOUR' }],
    secrets: ['API_KEY'],
  });
  expect((await worker(['get', 'nobody'])).code).toBe(3);
});

test('rollback finds a version that was deployed only together with another version', async () => {
  const { workers } = place.sandbox.platform.registry();
  const content = Buffer.from('export default {};');
  const modules = [{ name: 'i.js', kind: 'esm', content } as const];
  const code = workers.keepCode({ format: 'modules', entry: 'i.js', modules });
  const details = { source: 'wrangler', annotations: {}, bindings: [], compatibilityFlags: [] };
  const { id } = workers.addVersion('shop', code, { ...details, compatibilityDate: '2026-11-01' });
  const [first = ''] = versions;
  const shares = [
    { id: first, percentage: 90 },
    { id, percentage: 10 },
  ];
  workers.addDeployment('shop', { source: 'wrangler', annotations: {}, versions: shares });
  const { code: exit, out } = await worker(['rollback', 'shop', id.slice(0, 8), '--yes']);
  expect([exit, out]).toEqual([0, `Rolled worker "shop" back to version ${id} from ${first}.\n`]);
});

test('`rollback` runs the previous version, or the version with the given id prefix, and `deployments` lists this change', async () => {
  const back = await worker(['rollback', 'shop', '--yes', '--message', 'checkout fails']);
  expect(back.out).toBe(`Rolled worker "shop" back to version ${versions[0]} from ${versions[1]}.\n`);
  const { out } = await worker(['deployments', 'shop']);
  expect(out.split('\n').map((line) => line.split(/ {2,}/).slice(1))).toEqual([
    ['VERSION', 'SHARE', 'BY', 'STATE', 'CHANGES', 'MESSAGE'],
    [versions[0], '100%', 'edgectl', 'runs', '~ binding COLOUR', 'checkout fails'],
    [versions[1], '100%', 'wrangler', '~ binding COLOUR'],
    [versions[0], '100%', 'wrangler'],
    [],
  ]);
  expect(place.sandbox.platform.registry().workers.deployments('shop')[0]?.annotations).toMatchObject({
    'workers/message': 'checkout fails',
  });
  const told = JSON.parse((await worker(['deployments', 'shop', '--json'])).out);
  expect(told[0]).toMatchObject({ message: 'checkout fails' });
  expect(told[1]).not.toHaveProperty('message');
  const forth = await worker(['rollback', 'shop', versions[1]?.slice(0, 8) ?? '', '--yes', '--json']);
  expect(JSON.parse(forth.out)).toEqual({
    name: 'shop',
    versionId: versions[1],
    beforeId: versions[0],
    changes: [
      {
        change: 'changed',
        what: 'binding',
        name: 'COLOUR',
        before: '"one\\u001b[31m"',
        after: '"two\\u001b[31m"',
      },
    ],
    secrets: [],
    rolledBackAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
  for (const [version, code, words] of [
    [versions[1] ?? '', 1, 'is already running; nothing was changed'],
    ['', 2, 'Several versions of worker "shop" have an id that starts with ""'],
    ['zz', 3, 'No deployment of worker "shop" has a version "zz"'],
  ] as const) {
    const refused = await worker(['rollback', 'shop', version]);
    expect([refused.code, refused.err]).toEqual([code, expect.stringContaining(words)]);
  }
});

// wrangler 4.164 (versions/rollback) selects the newest deployment before the current one, so a second rollback returns to the newer
// version.
test('asks before a second rollback returns to the version that the first rollback replaced', async () => {
  const [older = '', good, bad = ''] = deployed('twice', ['same', 'one', 'one']);
  expect(JSON.parse((await worker(['rollback', 'twice', '--json'])).out)).toMatchObject({ versionId: good });
  const asked = await worker(['rollback', 'twice']);
  expect(asked).toMatchObject({
    code: 5,
    err: expect.stringContaining(`Version ${bad} was replaced by a rollback at `),
  });
  expect(asked.err).toContain(`To roll back further: edgectl worker rollback twice ${older}`);
  const done = await worker(['rollback', 'twice', '--yes', '--json']);
  expect(JSON.parse(done.out)).toMatchObject({ versionId: bad, rolledBackAt: expect.any(String) });
});

test('rollback asks before it restores an earlier value of a binding or a secret', async () => {
  const asked = await worker(['rollback', 'shop']);
  expect(asked).toMatchObject({ code: 5, err: expect.stringContaining('~ binding COLOUR: "two') });
  const alike = deployed('alike', ['one', 'one']);
  expect((await worker(['rollback', 'alike'])).code).toBe(0);
  expect((await worker(['rollback', 'alike', alike[1] ?? ''])).code).toBe(0);
  const put = (text: string) =>
    place.call('PUT', `/accounts/${place.sandbox.access().accountId}/workers/scripts/alike/secrets`, {
      json: { name: 'API_KEY', text, type: 'secret_text' },
    });
  expect((await put('rotated')).status).toBe(200);
  const { out } = await worker(['deployments', 'alike']);
  expect(out.split('\n')[1]).toContain('~ text of a secret');
  // The sandbox rejects the rollback as the platform does (code 10220, which wrangler's rollback also handles); edgectl then asks, and
  // names the secret.
  const leaked = await worker(['rollback', 'alike', alike[1] ?? '']);
  expect(leaked).toMatchObject({
    code: 5,
    err: expect.stringContaining('Worker "alike" would get the secret API_KEY of version'),
  });
  const running = () => place.sandbox.platform.registry().workers.deployments('alike')[0]?.versions[0]?.id;
  expect(running()).not.toBe(alike[1]);
  const done = await worker(['rollback', 'alike', alike[1] ?? '', '--yes', '--json']);
  expect(JSON.parse(done.out)).toMatchObject({ versionId: alike[1], secrets: ['API_KEY'] });
  expect(running()).toBe(alike[1]);
  expect((await worker(['rollback', 'alike', '--yes'], ['y'])).code).toBe(0);
});

test('refuses to roll back a worker that has only one version, and does not report the worker as missing', async () => {
  deployed('once', ['one']);
  const { code, err } = await worker(['rollback', 'once']);
  expect(code).toBe(3);
  expect(err).toBe('error: Worker "once" has no earlier version to roll back to; nothing was changed.\n');
});

test('delete lists what will be lost, asks, and deletes only after yes', async () => {
  const { workers } = place.sandbox.platform.registry();
  const unasked = await worker(['delete', 'shop']);
  expect([unasked.code, unasked.err]).toEqual([
    5,
    expect.stringContaining(
      'Worker "shop" with 2 deployed versions and 1 secret (API_KEY) would be deleted.',
    ),
  ]);
  expect((await worker(['delete', 'shop'], ['n'])).code).toBe(5);
  expect(workers.find('shop')).toBeDefined();
  const done = await worker(['delete', 'shop', '--json', '--yes']);
  expect(JSON.parse(done.out)).toEqual({ name: 'shop', secrets: ['API_KEY'], deleted: true });
  expect(workers.find('shop')).toBeUndefined();
});
