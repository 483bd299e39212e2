import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Seed, startSandbox } from 'edgectl/sandbox';
import { expect, test } from 'vitest';
import { inSoak } from '../support/in-part.ts';
import { newPerson, runCommand } from '../support/run-command.ts';

const seed: Seed = {
  namespaces: [
    {
      title: 'users',
      keys: [
        { key: 'ada', value: 'Grüße', metadata: { plan: 'gold', since: 2019 }, expiration_ttl: 86_400 },
        { key: 'raw', value: 'AP8=', base64: true },
        { key: 'zoe', value: 'third' },
      ],
    },
  ],
  buckets: [
    { name: 'assets', objects: [{ key: 'a.txt', body: 'private words', custom_metadata: { who: 'ada' } }] },
  ],
  zones: [
    {
      name: 'shops.demo',
      records: [{ type: 'A', name: 'origin', content: '192.0.2.7', proxied: true }],
      fallback_origin: 'origin.shops.demo',
    },
  ],
  hostnames: [
    { hostname: 'in.tea.demo', zone: 'shops.demo', status: 'active', custom_metadata: { customer: '4711' } },
    { hostname: 'away.tea.demo', status: 'moved', verification_errors: ['it has moved'] },
  ],
  workers: [
    {
      name: 'greeter',
      code: 'export default { fetch: () => new Response("our code") };',
      bindings: [
        { type: 'secret_text', name: 'KEY', text: 'hush-hush' },
        { type: 'plain_text', name: 'MODE', text: 'live' },
        { type: 'kv_namespace', name: 'USERS', namespace: 'users' },
      ],
    },
  ],
};

test('records only names, lengths and states of an account, and sends no writes', async () => {
  await using production = await startSandbox({ seed });
  const person = newPerson(production.env);
  await production.clearRequests();
  const ran = await runCommand(person, ['sandbox', 'record', 'production.json']);
  expect(ran.out, ran.err).toContain('Exported 1 namespace, ');
  const methods = new Set(
    (await production.requests()).map(({ method, path }) => `${method} ${path.split('/').at(-1)}`),
  );
  expect([...methods].filter((one) => !/^GET |^POST get$/.test(one))).toEqual([]);
  const file = join(person.cwd, 'production.json');
  const text = readFileSync(file, 'utf8');
  for (const word of ['Grüße', 'gold', 'private', 'hush', 'live', '4711', 'our code', '"who": "ada"'])
    expect(text, word).not.toContain(word);
  expect(statSync(file).mode & 0o077).toBe(0);
  const recorded = JSON.parse(text) as Seed;
  expect(recorded.namespaces?.[0]?.keys).toEqual([
    { key: 'ada', value: 'xxxxxxx', metadata: { plan: 'xxxx', since: 2019 }, expiration: expect.any(Number) },
    { key: 'raw', value: 'AAA=', base64: true },
    { key: 'zoe', value: 'xxxxx' },
  ]);
  await using copy = await startSandbox({ seed: file });
  const { hostnames = [] } = await copy.snapshot();
  const states = hostnames.map(({ hostname, zone, kept: saved }) => [
    hostname,
    zone,
    saved?.state.record.status,
  ]);
  expect(states).toContainEqual(['in.tea.demo', 'shops.demo', 'active']);
  expect(states).toContainEqual(['away.tea.demo', 'saas.sandbox', 'moved']);
});

test('records values up to the requested number with the option for values, but no secrets', async () => {
  await using production = await startSandbox({ seed });
  const person = newPerson(production.env);
  const ran = await runCommand(person, ['sandbox', 'record', 'all.yaml', '--with-values', '--most', '2']);
  expect(ran.err).toContain('Only the first 2 keys of users are exported.');
  const text = readFileSync(join(person.cwd, 'all.yaml'), 'utf8');
  for (const word of ['Grüße', 'gold', 'live', '4711']) expect(text, word).toContain(word);
  expect(text).not.toContain('hush');
  expect(text).not.toContain('third');
});

test('omits data that the token may not read, and reports what is missing', async () => {
  await using production = await startSandbox({ seed });
  await production.addFault({ match: 'GET /accounts/*/r2/**', status: 403 });
  const person = newPerson(production.env);
  const ran = await runCommand(person, ['sandbox', 'record', 'some.json']);
  expect(ran.code).toBe(0);
  expect(ran.err).toContain('Omitting the buckets: ');
  await production.addFault({ match: 'GET /zones/*/dns_records', status: 400 });
  const failed = await runCommand(person, ['sandbox', 'record', 'none.json']);
  expect(failed.code).toBe(1);
  expect(() => statSync(join(person.cwd, 'none.json'))).toThrow('ENOENT');
});

inSoak(() => {
  test('loads a record of the demo with each hostname in its state', async () => {
    await using demo = await startSandbox({ demo: true });
    const person = newPerson(demo.env);
    const ran = await runCommand(person, ['sandbox', 'record', 'demo.json']);
    expect(ran.code, ran.err).toBe(0);
    await using recorded = await startSandbox({ seed: join(person.cwd, 'demo.json') });
    expect(getStates(await recorded.snapshot())).toEqual(getStates(await demo.snapshot()));
  });
});

function getStates({ hostnames = [] }: Seed): readonly unknown[] {
  const states = hostnames.map(({ hostname, zone, kept: saved }) => [
    hostname,
    zone,
    saved?.state.record.status,
  ]);
  // A new hostname becomes active during the recording.
  return states.filter(([hostname]) => hostname !== 'new.saffron-kitchen.demo').sort();
}
