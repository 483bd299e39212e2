import type Cloudflare from 'cloudflare';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type HostnameSandbox,
  openHostnameSandbox,
  origin,
  target,
} from '../sandbox/hostnames/test-sandbox.ts';
import { listAll, sdkClient, sdkFailure, signIns } from './sdk-client.ts';

let place: HostnameSandbox;
let zone_id: string;
beforeAll(async () => {
  place = await openHostnameSandbox('over a socket');
  zone_id = place.zoneId;
});
afterAll(() => place.close());

describe.each(signIns)('the official SDK with %s', (name, signIn) => {
  let client: Cloudflare;
  const ssl = { method: 'http', type: 'dv' } as const;
  const domain = `${name.replaceAll(/[^a-z]/g, '')}.demo`;
  beforeAll(() => {
    client = sdkClient(place, signIn(place));
  });

  test('the SDK creates, gets, edits, lists and deletes custom hostnames', async () => {
    const hostname = `shop.${domain}`;
    await place.wait(90);
    await place.dns([hostname, 'CNAME', target]);
    const created = await client.customHostnames.create({ zone_id, hostname, ssl });
    expect(created).toMatchObject({ hostname, status: 'pending', ssl: { status: 'initializing' } });
    await place.wait(10);
    const read = await client.customHostnames.get(created.id, { zone_id });
    expect(read).toMatchObject({ status: 'active', ssl: { status: 'active' } });
    const edited = await client.customHostnames.edit(created.id, {
      zone_id,
      ssl: { ...ssl, certificate_authority: 'lets_encrypt' },
      custom_metadata: { plan: 'gold' },
    });
    expect(edited).toMatchObject({
      ssl: { certificate_authority: 'lets_encrypt' },
      custom_metadata: { plan: 'gold' },
    });
    const listed = await listAll(client.customHostnames.list({ zone_id, hostname: { contain: domain } }));
    expect(listed.map(({ id }) => id)).toEqual([created.id]);
    expect((await client.customHostnames.delete(created.id, { zone_id })).id).toBe(created.id);
    expect(await sdkFailure(client.customHostnames.get(created.id, { zone_id }))).toEqual({
      status: 404,
      codes: [1436],
    });
  });

  test('the SDK reads all pages of a long list', async () => {
    await place.wait(90);
    const names = Array.from({ length: 12 }, (_, index) => `n${index + 10}.pages.${domain}`);
    for (const hostname of names) await client.customHostnames.create({ zone_id, hostname, ssl });
    const pages = client.customHostnames.list({
      zone_id,
      hostname: { contain: `pages.${domain}` },
      per_page: 5,
    });
    expect((await listAll(pages)).map(({ hostname }) => hostname)).toEqual(names);
  });

  test('the SDK reports a duplicate, a long name without branding, and the issuance limit as errors', async () => {
    await place.wait(90);
    const create = (hostname: string, more: object = {}) =>
      client.customHostnames.create({ zone_id, hostname, ssl: { ...ssl, ...more } });
    await create(`one.${domain}`);
    expect(await sdkFailure(create(`one.${domain}`))).toEqual({ status: 409, codes: [1406] });
    const long = `${'very-'.repeat(10)}long.${'name.'.repeat(2)}${domain}`;
    expect(long.length).toBeGreaterThan(64);
    expect(await sdkFailure(create(long))).toEqual({ status: 400, codes: [1469] });
    expect((await create(long, { cloudflare_branding: true })).hostname).toBe(long);
    for (let count = 3; count <= 15; count += 1) await create(`n${count}.${domain}`);
    expect((await sdkFailure(create(`n16.${domain}`))).status).toBe(429);
  });

  test('the SDK sets, gets and deletes the fallback origin', async () => {
    const { fallbackOrigin } = client.customHostnames;
    expect(await fallbackOrigin.update({ zone_id, origin })).toMatchObject({
      origin,
      status: 'initializing',
    });
    await place.wait(5);
    expect(await fallbackOrigin.get({ zone_id })).toMatchObject({ origin, status: 'active', errors: [] });
    expect(await fallbackOrigin.delete({ zone_id })).toMatchObject({ origin });
    expect((await sdkFailure(fallbackOrigin.get({ zone_id }))).status).toBe(404);
    await fallbackOrigin.update({ zone_id, origin });
  });

  test('the SDK manages DNS records', async () => {
    const { records } = client.dns;
    const made = await records.create({
      zone_id,
      type: 'A',
      name: `a.${domain}`,
      content: '192.0.2.9',
      ttl: 1,
    });
    expect(made).toMatchObject({ name: `a.${domain}.saas.sandbox`, content: '192.0.2.9' });
    const edited = await records.edit(made.id, {
      zone_id,
      type: 'A',
      name: made.name,
      ttl: 1,
      content: '192.0.2.19',
    });
    expect(edited).toMatchObject({ content: '192.0.2.19' });
    const found = await listAll(records.list({ zone_id, name: { exact: made.name } }));
    expect(found.map(({ id }) => id)).toEqual([made.id]);
    expect(await records.get(made.id, { zone_id })).toEqual(edited);
    const put = await records.update(made.id, {
      zone_id,
      type: 'TXT',
      name: made.name,
      ttl: 60,
      content: 'text',
    });
    expect(put).toMatchObject({ type: 'TXT', content: 'text' });
    expect(await records.delete(made.id, { zone_id })).toEqual({ id: made.id });
  });

  test('the SDK manages zones and their holds', async () => {
    const account = { id: place.sandbox.access().accountId };
    const zone = await client.zones.create({ account, name: `held-${domain}`, type: 'full' });
    const { holds } = client.zones;
    expect(await holds.create({ zone_id: zone.id, include_subdomains: true })).toMatchObject({
      hold: true,
      include_subdomains: 'true',
    });
    const edited = await holds.edit({ zone_id: zone.id, include_subdomains: false });
    expect(edited).toMatchObject({ hold: true, include_subdomains: 'false' });
    expect(await holds.get({ zone_id: zone.id })).toEqual(edited);
    expect(await holds.delete({ zone_id: zone.id })).toMatchObject({ hold: false });
    const names = (await listAll(client.zones.list({ name: `held-${domain}` }))).map((one) => one.name);
    expect(names).toEqual([`held-${domain}`]);
    expect(await client.zones.get({ zone_id: zone.id })).toMatchObject({ id: zone.id });
    expect(await client.zones.delete({ zone_id: zone.id })).toEqual({ id: zone.id });
  });

  test('the SDK reads the id of the delegation and the address ranges of the edge', async () => {
    expect(await client.dcvDelegation.get({ zone_id })).toEqual({
      uuid: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(await client.ips.list()).toMatchObject({ ipv4_cidrs: ['127.0.0.1/32', '127.0.0.2/32'] });
  });
});
