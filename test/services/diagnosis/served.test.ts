import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Outside, outsideOf } from '../hostnames/seen-outside.ts';
import { openStage, origin, type Stage, target } from '../hostnames/stage.ts';

const shop = 'shop.acme.com';

let stage: Stage;
let outside: Outside;
beforeAll(async () => {
  stage = await openStage({ served: true });
  outside = outsideOf(stage);
});
afterAll(() => stage.close());

function diagnose(hostname: string, ...flags: readonly string[]) {
  return stage.edgectl('hostname', 'diagnose', hostname, ...flags);
}

/** Expects the API to show the hostname as active, and the edge to serve it to a visitor. */
async function seenActive(hostname: string): Promise<void> {
  expect((await outside.listed(hostname)).result).toMatchObject({
    status: 'active',
    ssl: { status: 'active' },
  });
  expect(await outside.visit(hostname)).toMatchObject({ status: 200 });
}

test('diagnoses error 1016 for a missing record over real DNS, and the named record fixes the error', async () => {
  await stage.edgectl('hostname', 'create', shop);
  await stage.advance(60);
  expect(await outside.visit(shop)).toMatchObject({ status: 530, body: expect.stringContaining('1016') });
  expect((await outside.listed(shop)).result).toMatchObject({
    status: 'pending',
    verification_errors: [expect.stringContaining('CNAME')],
  });
  expect(await outside.dns(shop, 'CNAME')).toEqual({ code: 'NXDOMAIN', answers: [] });
  const found = await diagnose(shop, '--target', target);
  expect(found.code).toBe(7);
  expect(found.out).toContain('G1: Error 1016, first cause');
  expect(found.out).toContain(`http://${shop}/ at 127.0.0.1: 530, error 1016`);
  expect(found.out).toContain(`${shop}. CNAME ${target}.`);
  await stage.dns([shop, 'CNAME', target]);
  await stage.edgectl('hostname', 'refresh', shop);
  await stage.advance(600);
  expect(await outside.visit(shop)).toMatchObject({ status: 200 });
  await seenActive(shop);
  const healthy = await diagnose(shop);
  expect(healthy).toMatchObject({ code: 0 });
  expect(healthy.out).toContain('ok G5');
  expect(healthy.out).toContain(`DNS: ${shop} → ${target}`);
  expect(healthy.out).toContain(`https://${shop}/ at 127.0.0.1: 200`);
});

test('--fix fixes error 1016 caused by the fallback origin', async () => {
  await stage.zone('DELETE', '/custom_hostnames/fallback_origin');
  expect(await outside.api('GET', '/custom_hostnames/fallback_origin')).toMatchObject({
    status: 404,
    errors: [{ code: 1551 }],
  });
  expect(await outside.visit(shop)).toMatchObject({
    status: 530,
    body: expect.stringMatching(/error code: 1016\n.*no fallback origin/),
  });
  expect((await outside.dns(shop, 'CNAME')).answers).toEqual([`${shop} CNAME ${target}`]);
  const found = await diagnose(shop, '--target', origin);
  expect(found.code).toBe(7);
  expect(found.out).toContain('G2: Error 1016, second cause');
  const fixed = await diagnose(shop, '--target', origin, '--fix', '--yes');
  expect(fixed.code).toBe(0);
  await stage.advance(600);
  await seenActive(shop);
});

test('recreating the deleted DNS record of the fallback origin fixes error 1016', async () => {
  const [record] = await stage.zone<{ id: string }[]>('GET', `/dns_records?name=${origin}`);
  await stage.zone('DELETE', `/dns_records/${record?.id}`);
  expect((await outside.api('GET', `/dns_records?name=${origin}`)).list).toEqual([]);
  expect(await outside.visit(shop)).toMatchObject({
    status: 530,
    body: expect.stringContaining(`origin ${origin} has no DNS record`),
  });
  expect(await outside.dns(origin, 'A')).toEqual({ code: 'NXDOMAIN', answers: [] });
  const found = await diagnose(shop, '--target', target);
  expect(found.code).toBe(7);
  expect(found.out).toContain('B4: The DNS record of the fallback origin is missing');
  expect(found.out).toContain('G2: Error 1016, second cause');
  expect(found.out).toContain(`${origin}. A <address of your origin>`);
  await stage.zone('POST', '/dns_records', { type: 'A', name: origin, content: '192.0.2.2', proxied: true });
  await stage.advance(600);
  await seenActive(shop);
});

test('adding the exact hostname fixes error 1016 caused by a separate zone that overrides the wildcard', async () => {
  await stage.dns(['beta.com', 'CNAME', target], ['www.beta.com', 'CNAME', target]);
  await stage.edgectl('hostname', 'create', 'beta.com', '--wildcard');
  await stage.advance(60);
  const alias = (await stage.record('beta.com')).ssl?.dcv_delegation_records?.[0]?.cname_target ?? '';
  await stage.dns(['_acme-challenge.beta.com', 'CNAME', alias]);
  await stage.edgectl('hostname', 'refresh', 'beta.com');
  await stage.advance(3600);
  expect(await outside.visit('www.beta.com')).toMatchObject({ status: 200 });
  await stage.api('POST', '/zones', { name: 'www.beta.com' });
  expect(await outside.visit('www.beta.com')).toMatchObject({
    status: 530,
    body: expect.stringMatching(/error code: 1016\n.*standalone zone www\.beta\.com/),
  });
  expect((await outside.listed('beta.com')).result).toMatchObject({ status: 'active' });
  expect((await outside.listed('www.beta.com')).list).toEqual([]);
  expect((await outside.dns('www.beta.com', 'CNAME')).answers).toEqual([`www.beta.com CNAME ${target}`]);
  const found = await diagnose('www.beta.com');
  expect(found.out).toContain('G3: Error 1016, third cause: www.beta.com is a separate zone');
  await diagnose('www.beta.com', '--fix', '--yes');
  await stage.advance(600);
  await seenActive('www.beta.com');
  expect((await diagnose('www.beta.com')).code).toBe(0);
});

test('reports real resolver failures: SERVFAIL, silence, an unreadable CAA record and a missing server', async () => {
  const name = 'broken.acme.com';
  await stage.edgectl('hostname', 'create', name);
  await stage.advance(60);
  await stage.dns([name, 'SERVFAIL']);
  const failed = await diagnose(name, '--no-probe');
  expect(failed.out).toContain('SERVFAIL from 127.0.0.1');
  expect(failed.out).not.toContain('C1:');
  await stage.forget(name);
  await stage.dns([name, 'CNAME', target], ['acme.com', 'CAA', '0 issue ""', '0 IssueWild "pki.goog"']);
  expect((await diagnose(name, '--no-probe')).out).toContain('CAA at acme.com: 0 issue ""');
  const unreachable = await diagnose(name, '--no-probe', '--resolver', '127.0.0.1:9', '--json');
  expect(unreachable.out).not.toContain('"C1"');
  expect(unreachable.out).toContain('cannot be reached');
});

test('reports all hostnames of a zone: one line per fault, and a summary by cause', async () => {
  const ran = await stage.edgectl('hostname', 'diagnose', '--all');
  expect(ran.code).toBe(7);
  expect(ran.out).toMatch(/^broken\.acme\.com: error E\d/);
  expect(ran.out.trim().split('\n')).toHaveLength(1);
  expect(ran.err).toContain('4 hostnames: 3 without faults, 1 faulty.');
  expect(ran.err).toContain('2  G5 Healthy');
  const none = await stage.edgectl('hostname', 'diagnose', '--status', 'moved');
  expect(none).toMatchObject({ code: 0, out: '' });
});

/** Statuses of a fallback origin: initializing, pending_deployment, active (API reference, Fallback Origin). */
test('requires no action while a first fallback origin or a new custom origin is being deployed', async () => {
  const fresh = await openStage({ prepared: false, served: true });
  const ask = async (...words: readonly string[]) => {
    const { code, out } = await fresh.edgectl('hostname', ...words, '--target', target);
    return `${code} ${/must act/.test(out) ? 'somebody acts' : 'nobody acts'}`;
  };
  const all = async () => [
    await ask('diagnose', shop),
    await ask('forecast'),
    await ask('instructions', shop),
  ];
  const nobody = Array(3).fill('0 nobody acts');
  try {
    for (const name of [target, origin]) {
      const record = { type: 'A', name, content: '192.0.2.1', proxied: true };
      await fresh.zone('POST', '/dns_records', record);
    }
    await fresh.dns([shop, 'CNAME', target]);
    await fresh.edgectl('hostname', 'fallback-origin', 'set', origin);
    await fresh.edgectl('hostname', 'create', shop);
    expect(await all()).toEqual(nobody);
    await fresh.advance(2);
    expect(await ask('diagnose', shop)).toBe('0 nobody acts');
    await fresh.advance(60);
    expect(await ask('diagnose', shop)).toBe('0 nobody acts');
    await fresh.advance(600);
    expect(await fresh.record(shop)).toMatchObject({ status: 'active' });
    await fresh.edgectl('hostname', 'edit', shop, '--origin', target);
    expect(await fresh.record(shop)).toMatchObject({ status: 'active_redeploying' });
    expect(await ask('diagnose', shop)).toBe('0 nobody acts');
  } finally {
    await fresh.close();
  }
});
