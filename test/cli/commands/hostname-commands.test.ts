import { createSocket } from 'node:dgram';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStage, origin, type Stage, target } from '../../services/hostnames/stage.ts';

const day = 24 * 60 * 60;
const shop = 'shop.acme.com';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

test('create --wait prints each change, and exits with 0 when the hostname is active', async () => {
  await stage.dns([shop, 'CNAME', target]);
  const ran = await stage.edgectl('hostname', 'create', shop, '--wait');
  expect(ran.code).toBe(0);
  expect(ran.err).toContain(`${shop}: pending, certificate initializing`);
  expect(ran.err).toContain(`${shop}: active, certificate active.`);
  expect(ran.out).toMatch(/^status {7}active$/m);
  expect(ran.out).not.toContain('ownership');
});

test('create --wait prints id and tokens after a timeout, and reports partial success', async () => {
  const create = ['hostname', 'create', shop, '--wait', '--timeout', '5s', '--method', 'txt'];
  const ran = await stage.edgectl(...create, '--json');
  expect(ran.code).toBe(6);
  const { id } = await stage.record(shop);
  expect(JSON.parse(ran.out)).toMatchObject({ id, ownership_verification: { value: expect.any(String) } });
  expect(ran.err).toContain('"code":"partly-done"');
  expect(ran.err).toContain('not active after 5 seconds');
  expect((await stage.edgectl('hostname', 'watch', shop, '--timeout', '5s')).code).toBe(7);
});

test('watch exits with 7 as soon as CAA blocks the certificate', async () => {
  await stage.dns([shop, 'CNAME', target], ['acme.com', 'CAA', '0 issue ";"']);
  await stage.edgectl('hostname', 'create', shop);
  const ran = await stage.edgectl('hostname', 'watch', shop, '--json');
  expect(ran.code).toBe(7);
  expect(ran.err).toContain('"code":"check-failed"');
  expect(JSON.parse(ran.out)).toMatchObject({ hostname: shop, status: 'caa_error' });
});

test('watch ends on an interruption, or when the hostname is deleted', async () => {
  await stage.edgectl('hostname', 'create', shop);
  const stop = new AbortController();
  stop.abort();
  expect((await stage.edgectlWith({ interrupted: stop.signal }, 'hostname', 'watch', shop)).code).toBe(130);
  const { id } = await stage.record(shop);
  const watching = stage.edgectl('hostname', 'watch', shop);
  await stage.zone('DELETE', `/custom_hostnames/${id}`);
  expect((await watching).code).toBe(3);
});

test('prints no verdict for an interrupted diagnosis', async () => {
  await stage.edgectl('hostname', 'create', shop);
  const stop = new AbortController();
  const silent = createSocket('udp4', () => stop.abort());
  await new Promise<void>((settle) => silent.bind(0, '127.0.0.1', settle));
  const resolver = `127.0.0.1:${silent.address().port}`;
  const ran = await stage.edgectlWith(
    { interrupted: stop.signal },
    ...['hostname', 'diagnose', shop, 'blog.acme.com', '--no-probe', '--resolver', resolver],
  );
  silent.close();
  expect(ran).toMatchObject({ code: 130, out: '' });
});

test('get shows progress only on a terminal, and clears it afterwards', async () => {
  await stage.edgectl('hostname', 'create', shop);
  const get = ['hostname', 'get', shop];
  const shown = await stage.edgectlWith({ terminal: true }, ...get);
  expect(shown.err).toContain(`querying DNS and the edge about ${shop}`);
  expect(shown.err.trimEnd().endsWith(shop)).toBe(false);
  const alone = await stage.edgectlWith({ terminal: true }, ...get, '--no-probe');
  expect(alone.err).toContain(`querying DNS about ${shop}`);
  expect((await stage.edgectlWith({ terminal: true }, ...get, '--quiet')).err).not.toContain('asking');
  expect((await stage.edgectl(...get)).err).not.toContain('asking');
});

test('lists all pages, as a table and as JSON, and counts hostnames by status', async () => {
  for (let at = 0; at < 75; at += 1) {
    if (at % 10 === 0) stage.clock.now += 61_000;
    await stage.zone('POST', '/custom_hostnames', {
      hostname: `h${at}.acme.com`,
      ssl: { method: 'http', type: 'dv' },
    });
  }
  const json = await stage.edgectl('hostname', 'list', '--json');
  expect(JSON.parse(json.out)).toHaveLength(75);
  expect(json.err).toContain('"statuses":{"pending":75}');
  const table = await stage.edgectl('hostname', 'list');
  expect(table.out.trim().split('\n')).toHaveLength(76);
  expect(table.err).toContain('75 custom hostnames: 75 pending.');
});

test('lists the days until deletion for a hostname in Moved, as text and as JSON', async () => {
  await stage.dns([shop, 'CNAME', target]);
  await stage.edgectl('hostname', 'create', shop);
  await stage.advance(600);
  await stage.forget(shop);
  await stage.advance(3 * 60 * 60);
  await stage.edgectl('hostname', 'list', '--json');
  await stage.advance(2 * day);
  expect((await stage.edgectl('hostname', 'list')).out).toMatch(/shop\.acme\.com +moved .* at most 5 days$/m);
});

test('delete asks for confirmation: "no" keeps the hostname, "yes" deletes it', async () => {
  await stage.edgectl('hostname', 'create', shop);
  const no = await stage.edgectlWith({ answers: ['n'] }, 'hostname', 'delete', shop);
  expect(no).toMatchObject({ code: 5, err: expect.stringContaining(`Delete custom hostname "${shop}"`) });
  const yes = await stage.edgectlWith({ answers: ['y'] }, 'hostname', 'delete', shop, '--json');
  expect(yes.code).toBe(0);
  expect(JSON.parse(yes.out)).toMatchObject({ hostname: shop, deleted: true });
  expect((await stage.edgectl('hostname', 'get', shop)).code).toBe(3);
});

test('reads and sets the fallback origin, and removes it after a confirmation', async () => {
  expect((await stage.edgectl('hostname', 'fallback-origin', 'get')).out).toBe(`${origin}: active\n`);
  const set = await stage.edgectl('hostname', 'fallback-origin', 'set', `${target}.`, '--json');
  expect(JSON.parse(set.out)).toMatchObject({ origin: target });
  const gone = await stage.edgectlWith({ answers: ['y'] }, 'hostname', 'fallback-origin', 'delete');
  expect(gone.code).toBe(0);
  expect((await stage.edgectl('hostname', 'fallback-origin', 'get')).code).toBe(3);
});

test('keeps the method, TLS settings and origin when the certificate authority is changed', async () => {
  await stage.edgectl(
    ...['hostname', 'create', shop, '--method', 'txt', '--min-tls', '1.2', '--wildcard', '--origin', origin],
  );
  const before = await stage.record(shop);
  const ran = await stage.edgectl('hostname', 'edit', shop, '--ca', 'lets-encrypt', '--json');
  expect(ran.code).toBe(0);
  expect(await stage.record(shop)).toMatchObject({
    custom_origin_server: origin,
    ssl: {
      certificate_authority: 'lets_encrypt',
      method: 'txt',
      wildcard: true,
      settings: before.ssl?.settings,
    },
  });
});

test('--fix enables the proxy for the DNS record of the fallback origin', async () => {
  await stage.dns([shop, 'CNAME', target]);
  await stage.edgectl('hostname', 'create', shop);
  await stage.advance(600);
  const [record] = await stage.zone<{ id: string }[]>('GET', `/dns_records?name=${origin}`);
  await stage.zone('PATCH', `/dns_records/${record?.id}`, { proxied: false });
  const ran = await stage.edgectl('hostname', 'diagnose', shop, '--fix', '--yes');
  expect(ran.err).toContain(`change the DNS record ${origin} A 192.0.2.2, proxied`);
  expect(ran.code).toBe(0);
  expect(await stage.zone('GET', `/dns_records/${record?.id}`)).toMatchObject({ proxied: true });
});

test('warns about steps of --fix that fail, and lists the failed steps as JSON', async () => {
  await stage.api('PUT', '/sandbox/quota', { allocated: 1, hard_cap: 1 });
  const both = [shop, 'next.acme.com'];
  const ran = await stage.edgectl('hostname', 'diagnose', ...both, '--fix', '--yes', '--json');
  expect(ran.code).toBe(7);
  expect(ran.err).toContain('"type":"warning","message":"Not done: create custom hostname next.acme.com');
  const answer = JSON.parse(ran.out);
  expect(answer).toMatchObject({ hostnames: 2, faulty: 2, diagnoses: [{ who: 'customer' }, { who: 'us' }] });
  expect(answer.steps).toContainEqual(
    expect.objectContaining({ hostname: 'next.acme.com', kind: 'create', result: 'failed' }),
  );
});

test('no command changes anything with --read-only', async () => {
  await stage.edgectl('hostname', 'create', shop);
  const before = await stage.record(shop);
  for (const words of [
    ['hostname', 'create', 'other.acme.com'],
    ['hostname', 'edit', shop, '--ca', 'google'],
    ['hostname', 'refresh', shop],
    ['hostname', 'delete', shop, '--yes'],
    ['hostname', 'fallback-origin', 'set', target],
    ['hostname', 'diagnose', 'nope.acme.com', '--fix', '--yes'],
    ['zone', 'hold', 'set'],
  ]) {
    expect(await stage.edgectl(...words, '--read-only')).toMatchObject({ code: 2 });
  }
  expect(await stage.record(shop)).toEqual(before);
});

test('rejects deeply nested metadata before sending it', async () => {
  const metadata = `{"a":${'['.repeat(60_000)}${']'.repeat(60_000)}}`;
  const ran = await stage.edgectl('hostname', 'create', shop, '--metadata', metadata);
  expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('at most 4,096 bytes long as JSON') });
});
