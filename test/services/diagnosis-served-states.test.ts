import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStage, origin, type Stage, target } from './hostname-stage.ts';
import { type Outside, outsideOf } from './seen-outside.ts';

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

/** Creates a hostname whose DNS leads here, and sees it in service. */
async function inService(hostname = shop): Promise<void> {
  await stage.dns([hostname, 'CNAME', target]);
  await stage.edgectl('hostname', 'create', hostname);
  await stage.advance(600);
  await seenActive(hostname);
}

/** Active for the API, the edge over HTTP and TLS, DNS over UDP, and the doctor. */
async function seenActive(hostname = shop): Promise<void> {
  expect((await outside.listed(hostname)).result).toMatchObject({
    status: 'active',
    ssl: { status: 'active' },
  });
  expect(await outside.visit(hostname)).toMatchObject({
    status: 200,
    body: expect.stringContaining(`The origin ${origin} answers for ${hostname}`),
  });
  expect(await outside.dns(hostname, 'CNAME')).toEqual({
    code: 'NOERROR',
    answers: [`${hostname} CNAME ${target}`],
  });
  expect((await outside.certificate(hostname)).subjectaltname).toContain(`DNS:${hostname}`);
  const healthy = await diagnose(hostname);
  expect(healthy.out).toContain('ok G5');
  expect(healthy.code).toBe(0);
}

/** Moved for the API and the edge. */
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
  test('(any) to Moved: the customer changes DNS, and the record that is named and a refresh bring it back', async () => {
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
    expect(found.out).toContain('A5: The hostname is in Moved: its DNS no longer leads here.');
    expect(found.out).toContain(`${shop}. CNAME ${target}.`);
    expect(found.out).toContain(`$ edgectl hostname refresh ${shop}`);
    await stage.dns([shop, 'CNAME', target]);
    expect((await stage.edgectl('hostname', 'refresh', shop)).code).toBe(0);
    await stage.advance(600);
    await seenActive();
  });

  test('Moved to Active: PATCH restarts validation, by --fix and by hand', async () => {
    await inService();
    for (const byHand of [false, true]) {
      await stage.dns(...away);
      await stage.advance(3 * 60 * 60);
      await stage.dns([shop, 'CNAME', target]);
      const id = await seenMoved();
      expect((await outside.dns(shop, 'CNAME')).answers).toEqual([`${shop} CNAME ${target}`]);
      const found = await diagnose(shop);
      expect(found.code).toBe(7);
      expect(found.out).toContain('A4: The hostname is in Moved although DNS leads here again.');
      const ssl = { method: 'http', type: 'dv' };
      if (byHand)
        expect(await outside.api('PATCH', `/custom_hostnames/${id}`, { ssl })).toMatchObject({ status: 200 });
      else expect((await diagnose(shop, '--fix', '--yes')).err).toContain(`restart validation of ${shop}`);
      await stage.advance(600);
      await seenActive();
    }
  });

  test('Moved for 7 days: it is there to the last hour, then deleted, and created anew by --fix', async () => {
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
