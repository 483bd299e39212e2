import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStage, type Stage, target } from '../hostnames/stage.ts';

// Advice must be literally usable: the suggested command is valid, and the platform accepts it.

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

interface Shown {
  readonly id: string;
  readonly because?: string;
  readonly remedy: { readonly text: string; readonly command?: readonly string[] };
}

async function findings(hostname: string, to = target): Promise<readonly Shown[]> {
  const ran = await stage.edgectl('hostname', 'diagnose', hostname, '--target', to, '--no-probe', '--json');
  return JSON.parse(ran.out).diagnoses[0].findings;
}

async function carryOut({ remedy }: Shown): Promise<void> {
  expect(await stage.edgectl(...(remedy.command ?? []), '--yes')).toMatchObject({ code: 0 });
}

const dayMinutes = 24 * 60 * 60;

// Specification, States and transitions: after 7 days in Moved the custom hostname is deleted. A wildcard is not a separate hostname, but
// the field `ssl.wildcard` of the covered hostname (SDK, CustomHostnameCreateParams).
test('recreates a wildcard hostname as a wildcard, with its origin, after its deletion at the end of 7 days in Moved', async () => {
  await stage.zone('POST', '/dns_records', {
    ...{ type: 'A', name: 'own.saas.sandbox', content: '8.8.8.8', proxied: true },
  });
  const argv = ['hostname', 'create', 'shop.acme.com', '--wildcard', '--origin', 'own.saas.sandbox'];
  await stage.dns(['shop.acme.com', 'CNAME', target]);
  await stage.edgectl(...argv);
  await stage.advance(600);
  await stage.forget('shop.acme.com');
  await stage.advance(dayMinutes);
  expect((await findings('shop.acme.com'))[0]?.id).toBe('A5');
  await stage.advance(8 * dayMinutes);
  const [first] = await findings('shop.acme.com');
  expect(first).toMatchObject({ id: 'A0', remedy: { command: argv } });
  if (first !== undefined) await carryOut(first);
  expect(await stage.record('shop.acme.com')).toMatchObject({
    custom_origin_server: 'own.saas.sandbox',
    ssl: { wildcard: true, method: 'txt' },
  });
});

// A custom hostname has the settings of its last change, and a hostname deleted by a user stays deleted (SDK, custom
// hostnames: edit, delete).
test('recreates a deleted hostname with its last settings, or without settings if edgectl deleted it', async () => {
  const path = async () => `/custom_hostnames/${(await stage.record('shop.acme.com')).id}`;
  const advised = async () => (await findings('shop.acme.com')).find(({ id }) => id === 'A0')?.remedy.command;
  const argv = ['hostname', 'create', 'shop.acme.com'];
  for (const name of ['o1', 'o2', 'o3'])
    await stage.zone('POST', '/dns_records', {
      ...{ type: 'A', name: `${name}.saas.sandbox`, content: '8.8.8.8', proxied: true },
    });
  const o1 = [...argv, '--origin', 'o1.saas.sandbox'];
  expect(await stage.edgectl(...o1)).toMatchObject({ code: 0 });
  await stage.edgectl('hostname', 'list');
  await stage.edgectl('hostname', 'edit', 'shop.acme.com', '--origin', 'o2.saas.sandbox');
  await stage.zone('DELETE', await path());
  expect(await advised()).toEqual([...argv, '--origin', 'o2.saas.sandbox']);

  await stage.edgectl(...o1);
  await stage.edgectl('hostname', 'list');
  await stage.zone('PATCH', await path(), { custom_origin_server: 'o3.saas.sandbox' });
  await stage.edgectl('hostname', 'list');
  await stage.zone('DELETE', await path());
  expect(await advised()).toEqual([...argv, '--origin', 'o3.saas.sandbox']);

  await stage.edgectl(...argv);
  await stage.edgectl('hostname', 'list');
  await stage.zone('DELETE', await path());
  expect(await advised()).toEqual(argv);

  await stage.edgectl(...o1);
  await stage.edgectl('hostname', 'list');
  expect(await stage.edgectl('hostname', 'delete', 'shop.acme.com', '--yes')).toMatchObject({ code: 0 });
  expect(await advised()).toEqual(argv);
});

// Specification, Errors, 1016 (2); the fallback origin is a proxied record of the zone (provider's documentation, Get started).
test('without a fallback origin, names a record of the zone, never the foreign name to which customers point', async () => {
  const records = await stage.zone<{ id: string; name: string }[]>('GET', '/dns_records');
  await stage.zone('DELETE', '/custom_hostnames/fallback_origin');
  await stage.dns(
    ['customers.vanity.net', 'CNAME', target],
    ['shop.acme.com', 'CNAME', 'customers.vanity.net'],
  );
  await stage.edgectl('hostname', 'create', 'shop.acme.com');
  const [named] = await findings('shop.acme.com', 'customers.vanity.net');
  expect(named).toMatchObject({
    id: 'B1',
    remedy: { command: ['hostname', 'fallback-origin', 'set', 'origin.saas.sandbox'] },
  });
  for (const { id } of records) await stage.zone('DELETE', `/dns_records/${id}`);
  const found = await findings('shop.acme.com', 'customers.vanity.net');
  const none = found.find(({ id }) => id === 'B1');
  expect(none?.remedy.command?.slice(0, 5)).toEqual(['zone', 'record', 'set', 'origin.saas.sandbox', 'A']);
  await stage.edgectl('zone', 'record', 'set', 'origin.saas.sandbox', 'A', '8.8.8.8', '--proxied');
  const [set] = await findings('shop.acme.com', 'customers.vanity.net');
  expect(set?.id).toBe('B1');
  if (set !== undefined) await carryOut(set);
});

// A fallback origin must be a proxied record of the zone (provider's documentation, Get started).
test('advises proxying the name to which customers point before anything else if that name is DNS only', async () => {
  await stage.zone('DELETE', '/custom_hostnames/fallback_origin');
  await stage.edgectl('zone', 'record', 'set', 'edge.saas.sandbox', 'A', '8.8.8.8', '--dns-only');
  await stage.dns(['shop.acme.com', 'CNAME', 'edge.saas.sandbox']);
  await stage.edgectl('hostname', 'create', 'shop.acme.com');
  const [first] = await findings('shop.acme.com', 'edge.saas.sandbox');
  const command = ['zone', 'record', 'set', 'edge.saas.sandbox', 'A', '8.8.8.8', '--proxied'];
  expect(first).toMatchObject({ id: 'B1', remedy: { command } });
  if (first !== undefined) await carryOut(first);
  const [second] = await findings('shop.acme.com', 'edge.saas.sandbox');
  expect(second?.remedy.command).toEqual(['hostname', 'fallback-origin', 'set', 'edge.saas.sandbox']);
});

// The only root cause is that the hostname is not registered (specification, What the service does): the customer has nothing to do until
// the hostname is registered.
test('reports a hostname that is not registered as one error, regardless of its DNS and CAA', async () => {
  await stage.dns(['acme.com', 'CAA', '0 issue ";"'], ['x.acme.com', 'CNAME', 'shop.elsewhere.net']);
  await stage.dns(['shop.elsewhere.net', 'A', '198.51.100.7']);
  const ran = await stage.edgectl('hostname', 'diagnose', 'x.acme.com', '--target', target);
  expect(ran.out).toContain('x.acme.com: 1 error\n');
  expect((await findings('x.acme.com')).map(({ id, because }) => [id, because])).toEqual([
    ['A0', undefined],
    ['C4', 'A0'],
    ['E5', 'A0'],
  ]);
});
