import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Zone, ZoneDnsRecord } from '../../../src/model/zones/zone.ts';
import { type HostnameSandbox, openHostnameSandbox, result, target } from '../hostnames/test-sandbox.ts';
import { transports } from '../test-sandbox.ts';

describe.each(transports)('zones and their DNS records %s', (way) => {
  let place: HostnameSandbox;
  beforeAll(async () => {
    place = await openHostnameSandbox(way);
  });
  afterAll(() => place.close());

  const zones = async (query = ''): Promise<string[]> =>
    (await result<Zone[]>(place.call('GET', `/zones${query}`))).map(({ name }) => name);
  const record = (json: object) => place.zone('POST', '/dns_records', json);

  test('a sandbox has its own permanent zone', async () => {
    expect(await zones()).toContain('saas.sandbox');
    expect(await result(place.zone('GET', ''))).toMatchObject({ name: 'saas.sandbox', status: 'active' });
    expect((await place.zone('DELETE', '')).status).toBe(400);
  });

  test('zones are created, found by name, and deleted with their content', async () => {
    const id = await place.addZone('Extra-Zone.demo');
    expect(await zones('?name=extra-zone.demo')).toEqual(['extra-zone.demo']);
    expect(await zones('?name=nobody.demo')).toEqual([]);
    expect(await zones('?name=extra-zone.demo.&per_page=100')).toEqual(['extra-zone.demo']);
    expect(await zones('?name=contains:tra-z')).toEqual(['extra-zone.demo']);
    expect(await zones('?name=not_equal:extra-zone.demo')).not.toContain('extra-zone.demo');
    expect((await place.call('GET', '/zones?name=like:x')).status).toBe(400);
    const again = await place.call('POST', '/zones', { json: { name: 'extra-zone.demo' } });
    expect([again.status, again.code]).toEqual([400, 1061]);
    const bad = await place.call('POST', '/zones', { json: { name: '..' } });
    expect(bad.code).toBe(1049);
    await place.zone('POST', '/dns_records', { type: 'A', name: '@', content: '192.0.2.7' }, id);
    expect(await place.resolver.resolve4('extra-zone.demo')).toEqual(['192.0.2.7']);
    await result(place.zone('DELETE', '', undefined, id));
    expect(await zones('?name=extra-zone.demo')).toEqual([]);
    await expect(place.resolver.resolve4('extra-zone.demo')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test("completes a record's name with the zone, serves the record over DNS, and edits and deletes the record", async () => {
    const made = await result<ZoneDnsRecord>(
      record({ type: 'TXT', name: 'note', content: '"two words"', comment: 'c' }),
    );
    expect(made).toMatchObject({ name: 'note.saas.sandbox', ttl: 1, proxied: false, comment: 'c' });
    expect(await place.resolver.resolveTxt('note.saas.sandbox')).toEqual([['two words']]);
    const path = `/dns_records/${made.id}`;
    const edited = await result(place.zone('PATCH', path, { content: 'other', ttl: 120 }));
    expect(edited).toMatchObject({ name: 'note.saas.sandbox', content: 'other', ttl: 120, comment: 'c' });
    const put = { type: 'CNAME', name: 'note.saas.sandbox', content: 'elsewhere.demo' };
    expect(await result(place.zone('PUT', path, put))).toMatchObject(put);
    expect(await place.resolver.resolveCname('note.saas.sandbox')).toEqual(['elsewhere.demo']);
    expect(await result(place.zone('DELETE', path))).toEqual({ id: made.id });
    expect(await place.zone('GET', path)).toMatchObject({ status: 404, code: 81044 });
  });

  test("returns CAA as data, and only the edge's address for a proxied record", async () => {
    const data = { flags: 0, tag: 'issue', value: 'pki.goog' };
    expect(await result(record({ type: 'CAA', name: 'caa', data }))).toMatchObject({
      content: '0 issue "pki.goog"',
    });
    expect(await place.resolver.resolveCaa('caa.saas.sandbox')).toMatchObject([{ issue: 'pki.goog' }]);
    const hidden = { type: 'CNAME', name: 'hidden', content: 'secret-origin.demo', proxied: true };
    await result(record(hidden));
    expect(await place.resolver.resolve4('hidden.saas.sandbox')).toEqual(['127.0.0.1']);
    await expect(place.resolver.resolveCname('hidden.saas.sandbox')).rejects.toMatchObject({
      code: 'ENODATA',
    });
  });

  test.each([
    [{ type: 'A', name: 'x', content: 'not an address' }, 9005],
    [{ type: 'A', name: 'x' }, 9005],
    [{ type: 'WEIRD', name: 'x', content: 'y' }, 9005],
    [{ type: 'TXT', name: 'x', content: 'y', proxied: true }, 9005],
    [{ type: 'A', name: 'x', content: '192.0.2.1', ttl: 5 }, 9005],
    [{ type: 'A', name: target, content: '192.0.2.10' }, 81058],
    [{ type: 'CNAME', name: target, content: 'a.demo' }, 81053],
  ])('the record %j is rejected with %d', async (json, code) => {
    expect(await record(json)).toMatchObject({ status: 400, code });
  });

  test('records are found by name, type and content', async () => {
    const found = async (query: string) =>
      (await result<ZoneDnsRecord[]>(place.zone('GET', `/dns_records?${query}`))).map(({ name }) => name);
    expect(await found(`name=${target}`)).toEqual([target]);
    expect(await found('name.startswith=customers')).toEqual([target]);
    expect(await found('type=A&proxied=true&content=192.0.2.10')).toHaveLength(2);
    expect(await found('type=AAAA')).toEqual([]);
    expect(await found('type=A&__proto__=x&constructor=y')).toEqual(await found('type=A'));
  });

  test('records are found by comment, tag and search, combined by all or any, and sorted', async () => {
    const note = { type: 'TXT', name: 'note', content: 'hello', comment: 'Of Billing', tags: ['team:web'] };
    await result(place.zone('POST', '/dns_records', note));
    const found = async (query: string) =>
      (await result<ZoneDnsRecord[]>(place.zone('GET', `/dns_records?${query}`))).map(({ name }) => name);
    expect(await found('name=NOTE.saas.sandbox.')).toEqual(['note.saas.sandbox']);
    expect(await found('comment.contains=billing')).toEqual(['note.saas.sandbox']);
    expect(await found('comment.absent=true')).not.toContain('note.saas.sandbox');
    expect(await found('tag=team:web')).toEqual(['note.saas.sandbox']);
    expect(await found('search=hell')).toEqual(['note.saas.sandbox']);
    expect(await found(`type=TXT&name=${target}`)).toEqual([]);
    expect(await found(`type=TXT&name=${target}&match=any&order=name`)).toEqual([
      target,
      'note.saas.sandbox',
    ]);
    const down = await found('order=name&direction=desc');
    expect(down).toEqual(down.toSorted().toReversed());
    const wrong = await place.zone('GET', '/dns_records?order=age');
    expect(wrong).toMatchObject({ status: 400, text: expect.stringContaining("invalid order 'age'") });
  });

  test('the platform reports its delegation and its address ranges, and the info route reports the zone', async () => {
    const { uuid } = await result<{ uuid: string }>(place.zone('GET', '/dcv_delegation/uuid'));
    expect(uuid).toMatch(/^[0-9a-f]{16}$/);
    expect(await result(place.call('GET', '/ips'))).toMatchObject({
      ipv4_cidrs: ['127.0.0.1/32', '127.0.0.2/32'],
    });
    const info = await result<{ zoneId: string; now: string }>(place.call('GET', '/sandbox/info'));
    expect(info.zoneId).toBe(place.zoneId);
  });
});

test('the sandbox clock moves only forward, and info, hostnames and a reset follow it', async () => {
  const place = await openHostnameSandbox();
  const now = async () => (await result<{ now: string }>(place.call('GET', '/sandbox/info'))).now;
  const before = Date.parse(await now());
  await place.wait(3600);
  expect(Date.parse(await now()) - before).toBe(3600_000);
  expect(await result(place.call('GET', '/sandbox/clock'))).toMatchObject({ offset_seconds: 3605 });
  for (const seconds of [-1, 'soon', null, 1e300]) {
    expect((await place.call('POST', '/sandbox/clock', { json: { seconds } })).status).toBe(400);
  }
  const { created_at: created } = await place.add('late.clock.demo');
  expect(Date.parse(created ?? '') - place.clock.now).toBe(3605_000);
  await place.call('POST', '/sandbox/reset');
  expect(await result(place.call('GET', '/sandbox/clock'))).toMatchObject({ offset_seconds: 0 });
  expect(await result(place.zone('GET', '/custom_hostnames'))).toEqual([]);
  expect(await result(place.zone('GET', '/dns_records'))).toEqual([]);
  expect((await place.zone('GET', '/custom_hostnames/fallback_origin')).status).toBe(404);
  await place.close();
});
