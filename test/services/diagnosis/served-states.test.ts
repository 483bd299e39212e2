import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inSoak } from '../../support/in-part.ts';
import { type Outside, outsideOf } from '../hostnames/seen-outside.ts';
import { openStage, origin, type Stage, target } from '../hostnames/stage.ts';

const day = 24 * 60 * 60;
const shop = 'shop.acme.com';
const elsewhere = 'shop.elsewhere.com';
const away: readonly [string, string, string][] = [
  [shop, 'CNAME', elsewhere],
  [elsewhere, 'A', '198.51.100.7'],
];

let stage: Stage;
let outside: Outside;
beforeEach(async () => {
  stage = await openStage({ served: true });
  outside = outsideOf(stage);
});
afterEach(() => stage.close());

function diagnose(hostname: string, ...flags: readonly string[]) {
  return stage.edgectl('hostname', 'diagnose', hostname, '--target', target, ...flags);
}

/** Creates a hostname whose DNS points here, and waits until the hostname is active. */
async function inService(hostname = shop): Promise<void> {
  await stage.dns([hostname, 'CNAME', target]);
  await stage.edgectl('hostname', 'create', hostname);
  await stage.advance(600);
  await seenActive(hostname);
}

/** Expects the API, the edge over HTTP and TLS, DNS over UDP, and the doctor to show the hostname as active. */
async function seenActive(hostname = shop): Promise<void> {
  expect((await outside.listed(hostname)).result).toMatchObject({
    status: 'active',
    ssl: { status: 'active' },
  });
  expect(await outside.visit(hostname)).toMatchObject({
    status: 200,
    body: expect.stringContaining(`The origin ${origin} serves ${hostname}`),
  });
  expect(await outside.dns(hostname, 'CNAME')).toEqual({
    code: 'NOERROR',
    answers: [`${hostname} CNAME ${target}`],
  });
  expect((await outside.certificate(hostname)).subjectaltname).toContain(`DNS:${hostname}`);
  const healthy = await diagnose(hostname);
  expect(healthy.code).toBe(0);
  expect(healthy.out).not.toMatch(/^ *(?:critical|error|warn|progress) /m);
}

/** Expects the API and the edge to show the hostname as moved. */
async function seenMoved(): Promise<string> {
  const { result } = await outside.listed(shop);
  expect(result).toMatchObject({ status: 'moved' });
  expect(await outside.visit(shop)).toMatchObject({
    status: 530,
    body: expect.stringMatching(/error code: 1016\n.*has moved away/),
  });
  return result?.id ?? '';
}

describe('states', () => {
  test('a DNS change by the customer moves a hostname from any state; the named record and a refresh restore the state', async () => {
    await inService();
    await stage.dns(...away);
    await stage.advance(3 * 60 * 60);
    await seenMoved();
    expect(await outside.dns(shop, 'A')).toEqual({
      code: 'NOERROR',
      answers: [`${shop} CNAME ${elsewhere}`, `${elsewhere} A 198.51.100.7`],
    });
    const found = await diagnose(shop);
    expect(found.code).toBe(7);
    expect(found.out).toContain('A5: The hostname has the status Moved: its DNS no longer points here.');
    expect(found.out).toContain(`${shop}. CNAME ${target}.`);
    expect(found.out).toContain(`$ edgectl --sandbox hostname refresh ${shop}`);
    await stage.dns([shop, 'CNAME', target]);
    expect((await stage.edgectl('hostname', 'refresh', shop)).code).toBe(0);
    await stage.advance(600);
    await seenActive();
  });

  test('Moved changes to Active after a PATCH restarts validation, with --fix and by hand', async () => {
    await inService();
    for (const byHand of [false, true]) {
      await stage.dns(...away);
      await stage.advance(3 * 60 * 60);
      await stage.dns([shop, 'CNAME', target]);
      const id = await seenMoved();
      expect((await outside.dns(shop, 'CNAME')).answers).toEqual([`${shop} CNAME ${target}`]);
      const found = await diagnose(shop);
      expect(found.code).toBe(7);
      expect(found.out).toContain('A4: The hostname has the status Moved although DNS points here again.');
      const ssl = { method: 'http', type: 'dv' };
      if (byHand)
        expect(await outside.api('PATCH', `/custom_hostnames/${id}`, { ssl })).toMatchObject({ status: 200 });
      else expect((await diagnose(shop, '--fix', '--yes')).err).toContain(`restart validation of ${shop}`);
      await stage.advance(600);
      await seenActive();
    }
  });

  inSoak(() => {
    test('the platform deletes a hostname after 7 days in Moved, and not an hour before; --fix recreates it', async () => {
      await inService();
      await stage.dns(...away);
      await stage.advance(3 * 60 * 60);
      const id = await seenMoved();
      await diagnose(shop);
      await stage.advance(7 * day - 4 * 60 * 60);
      expect(await seenMoved()).toBe(id);
      expect((await diagnose(shop)).out).toMatch(/deleted in at most 0\.\d days/);
      await stage.advance(4 * 60 * 60);
      expect(await outside.api('GET', `/custom_hostnames/${id}`)).toMatchObject({
        status: 404,
        errors: [{ code: 1436 }],
      });
      expect((await outside.listed(shop)).list).toEqual([]);
      expect((await outside.visit(shop)).status).not.toBe(200);
      expect((await outside.dns(shop, 'CNAME')).answers).toEqual([`${shop} CNAME ${elsewhere}`]);
      await stage.dns([shop, 'CNAME', target]);
      const found = await diagnose(shop);
      expect(found.code).toBe(7);
      expect(found.out).toContain('A0: The hostname is not registered');
      expect((await diagnose(shop, '--fix', '--yes')).err).toContain(`create custom hostname ${shop}`);
      await stage.advance(600);
      await seenActive();
    });
  });

  test('a hold that includes subdomains is reported to the owner of the zone; the hostname becomes active after the release', async () => {
    await stage.api('POST', '/zones', { name: 'acme.com' });
    await stage.edgectl('zone', 'hold', 'set', '--zone', 'acme.com', '--include-subdomains');
    await stage.dns([shop, 'CNAME', target]);
    await stage.edgectl('hostname', 'create', shop);
    await stage.advance(600);
    const message = /held zone/;
    const { result } = await outside.listed(shop);
    expect(result).toMatchObject({
      status: 'blocked',
      verification_errors: [expect.stringMatching(message)],
    });
    expect(result?.verification_errors?.[0]).toContain('acme.com');
    expect(result?.ssl?.status).not.toBe('active');
    expect(await outside.visit(shop)).toMatchObject({ status: 403, body: expect.stringMatching(message) });
    expect((await outside.dns(shop, 'CNAME')).answers).toEqual([`${shop} CNAME ${target}`]);
    const found = await diagnose(shop);
    expect(found.code).toBe(7);
    expect(found.out).toContain("A8: The customer's zone is under a hold");
    const release = 'zone hold release --zone acme.com';
    expect(found.out).toContain(`$ edgectl ${release}`);
    await stage.edgectl('hostname', 'refresh', shop);
    await stage.advance(600);
    expect((await outside.listed(shop)).result?.status).toBe('blocked');
    expect((await stage.edgectl(...release.split(' '), '--yes')).code).toBe(0);
    expect((await stage.edgectl('hostname', 'refresh', shop)).code).toBe(0);
    await stage.advance(600);
    await seenActive();
  });

  test('a hold without "Also prevent subdomains" does not block a hostname', async () => {
    await stage.api('POST', '/zones', { name: 'acme.com' });
    await stage.edgectl('zone', 'hold', 'set', '--zone', 'acme.com');
    await inService();
  });
});

describe('caa_error', () => {
  test('names the forbidden authority and the owner of the CAA records; another authority issues the certificate', async () => {
    await refusedByCaa('letsencrypt.org');
    const found = await diagnose(shop);
    expect(found.out).toContain('E3: caa_error');
    expect(found.out).toContain('CAA at acme.com: 0 issue "letsencrypt.org"');
    expect(found.out).toContain(`$ edgectl --sandbox hostname edit ${shop} --ca default`);
    const fixed = await diagnose(shop, '--fix', '--yes');
    expect(fixed.err).toContain(`change ${shop}: authority default`);
    expect(fixed.code).toBe(0);
    const again = await diagnose(shop);
    expect(again.code).toBe(0);
    expect(again.out).toContain('progress F2: The certificate is being prepared');
    expect(again.out).not.toContain('F3: ');
    await stage.advance(600);
    await seenActive();
    expect((await outside.listed(shop)).result?.ssl?.certificate_authority).toBe('lets_encrypt');
  });

  inSoak(() => {
    test('names the record that the customer must add if CAA allows no authority', async () => {
      await refusedByCaa('other-ca.net');
      const found = await diagnose(shop);
      expect(found.out).toContain('E3: caa_error');
      expect(found.out).toContain('acme.com. CAA 0 issue "pki.goog"');
      expect(found.out).toContain(`$ edgectl --sandbox hostname refresh ${shop}`);
      await stage.dns(['acme.com', 'CAA', '0 issue "other-ca.net"', '0 issue "pki.goog"']);
      expect((await outside.dns('acme.com', 'CAA')).answers).toContain('acme.com CAA 0 issue "pki.goog"');
      expect((await stage.edgectl('hostname', 'refresh', shop)).code).toBe(0);
      await stage.advance(600);
      await seenActive();
    });
  });

  /** Creates a hostname with the authority google and CAA records that allow another issuer, and expects caa_error. */
  async function refusedByCaa(issuer: string): Promise<void> {
    await stage.dns([shop, 'CNAME', target], ['acme.com', 'CAA', `0 issue "${issuer}"`]);
    await stage.edgectl('hostname', 'create', shop, '--ca', 'google');
    await stage.advance(600);
    expect((await outside.listed(shop)).result).toMatchObject({
      status: 'caa_error',
      ssl: {
        validation_errors: expect.arrayContaining([
          { message: 'The CAA records at acme.com do not allow pki.goog.' },
        ]),
      },
    });
    expect(await outside.visit(shop)).toMatchObject({
      status: 526,
      body: expect.stringMatching(/No certificate could be issued: .*CAA records at acme\.com/),
    });
    expect((await outside.dns('acme.com', 'CAA')).answers).toEqual([`acme.com CAA 0 issue "${issuer}"`]);
    expect((await diagnose(shop)).code).toBe(7);
  }
});

describe('limits', () => {
  test('a Common Name of 64 characters is accepted; 65 (error 1469) need provider branding and an alternative name', async () => {
    const fits = `${'a'.repeat(55)}.acme.com`;
    const long = `${'a'.repeat(56)}.acme.com`;
    expect([fits.length, long.length]).toEqual([64, 65]);
    await inService(fits);
    expect((await outside.certificate(fits)).subject.CN).toBe(fits);
    const body = { hostname: long, ssl: { method: 'http', type: 'dv' } };
    const refused = await outside.api('POST', '/custom_hostnames', body);
    expect(refused).toMatchObject({ status: 400, errors: [{ code: 1469 }] });
    expect(refused.errors[0]?.message).toMatch(/branding is required/i);
    await stage.dns([long, 'CNAME', target]);
    expect((await outside.dns(long, 'CNAME')).answers).toEqual([`${long} CNAME ${target}`]);
    expect((await outside.visit(long)).status).not.toBe(200);
    const found = await diagnose(long);
    expect(found.code).toBe(7);
    expect(found.out).toContain('F20: ');
    expect(found.out).toContain(`$ edgectl --sandbox hostname create ${long} --branding`);
    expect((await diagnose(long, '--fix', '--yes')).err).toContain(`create custom hostname ${long}`);
    await stage.advance(600);
    await seenActive(long);
    const { subject, subjectaltname } = await outside.certificate(long);
    expect(subject.CN).not.toContain('acme.com');
    expect(subjectaltname).toContain(`DNS:${long}`);
  });

  inSoak(() => {
    test('after 15 successful POSTs in a minute, no certificate is issued for 30 seconds, and doctor reports the time left', async () => {
      await stage.dns([shop, 'CNAME', target]);
      const create = (hostname: string) =>
        outside.api('POST', '/custom_hostnames', { hostname, ssl: { method: 'http', type: 'dv' } });
      expect((await create(`${'a'.repeat(70)}.acme.com`)).status).toBe(400);
      for (let number = 1; number <= 15; number += 1) {
        expect((await create(`shop${number}.acme.com`)).status).toBe(200);
      }
      const refused = await create(shop);
      expect(refused).toMatchObject({ status: 429, retryAfter: '30' });
      expect(refused.errors[0]?.message).toMatch(/no new certificate is issued for 30 more seconds/);
      expect((await outside.listed(shop)).list).toEqual([]);
      expect((await outside.visit(shop)).status).not.toBe(200);
      expect((await outside.dns(shop, 'CNAME')).answers).toEqual([`${shop} CNAME ${target}`]);
      const found = await diagnose(shop);
      expect(found.code).toBe(7);
      expect(found.out).toContain('B8: ');
      expect(found.out).toContain('30 seconds');
      expect(found.out).toContain(`$ edgectl --sandbox hostname create ${shop}`);
      stage.clock.now += 29_000;
      expect(await create(shop)).toMatchObject({ status: 429, retryAfter: '1' });
      stage.clock.now += 1_000;
      expect((await diagnose(shop)).out).not.toContain('B8: ');
      expect((await diagnose(shop, '--fix', '--yes')).err).toContain(`create custom hostname ${shop}`);
      await stage.advance(600);
      await seenActive();
    });
  });
});
