import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, origin, type Stage, target } from './hostname-stage.ts';

const shop = 'shop.acme.com';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ served: true });
});
afterAll(() => stage.close());

/** What a visitor of the hostname gets from the edge. */
function visit(hostname: string): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((settle, reject) => {
    const port = Number(new URL(stage.ready?.edgeUrl ?? '').port);
    const call = request({ host: '127.0.0.1', port, headers: { host: hostname } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      response.on('end', () => settle({ status: response.statusCode ?? 0, body }));
    });
    call.once('error', reject).end();
  });
}

function diagnose(hostname: string, ...flags: readonly string[]) {
  return stage.edgectl('hostname', 'diagnose', hostname, ...flags);
}

test('first cause of 1016: seen at the edge, diagnosed over real DNS, cured by the record that was named', async () => {
  await stage.edgectl('hostname', 'create', shop);
  await stage.advance(60);
  expect(await visit(shop)).toMatchObject({ status: 530, body: expect.stringContaining('1016') });
  const found = await diagnose(shop, '--target', target);
  expect(found.code).toBe(7);
  expect(found.out).toContain('G1: Error 1016, first cause');
  expect(found.out).toContain(`http://${shop}/ at 127.0.0.1: 530, error 1016`);
  expect(found.out).toContain(`${shop}. CNAME ${target}.`);
  await stage.dns([shop, 'CNAME', target]);
  await stage.edgectl('hostname', 'refresh', shop);
  await stage.advance(600);
  expect(await visit(shop)).toMatchObject({ status: 200 });
  const healthy = await diagnose(shop);
  expect(healthy).toMatchObject({ code: 0 });
  expect(healthy.out).toContain('ok G5');
  expect(healthy.out).toContain(`DNS: ${shop} → ${target}`);
  expect(healthy.out).toContain(`https://${shop}/ at 127.0.0.1: 200`);
});

test('second cause of 1016: the fallback origin, cured by --fix', async () => {
  await stage.zone('DELETE', '/custom_hostnames/fallback_origin');
  expect(await visit(shop)).toMatchObject({ status: 530 });
  const found = await diagnose(shop, '--target', origin);
  expect(found.code).toBe(7);
  expect(found.out).toContain('G2: Error 1016, second cause');
  const fixed = await diagnose(shop, '--target', origin, '--fix', '--yes');
  expect(fixed.code).toBe(0);
  expect(await visit(shop)).toMatchObject({ status: 200 });
});

test('third cause of 1016: a zone of its own beats the wildcard, cured by the exact hostname', async () => {
  await stage.dns(['beta.com', 'CNAME', target], ['www.beta.com', 'CNAME', target]);
  await stage.edgectl('hostname', 'create', 'beta.com', '--wildcard');
  await stage.advance(60);
  const alias = (await stage.record('beta.com')).ssl?.dcv_delegation_records?.[0]?.cname_target ?? '';
  await stage.dns(['_acme-challenge.beta.com', 'CNAME', alias]);
  await stage.edgectl('hostname', 'refresh', 'beta.com');
  await stage.advance(3600);
  expect(await visit('www.beta.com')).toMatchObject({ status: 200 });
  await stage.api('POST', '/zones', { name: 'www.beta.com' });
  expect(await visit('www.beta.com')).toMatchObject({ status: 530 });
  const found = await diagnose('www.beta.com');
  expect(found.out).toContain('G3: Error 1016, third cause: www.beta.com is a zone of its own');
  await diagnose('www.beta.com', '--fix', '--yes');
  await stage.advance(600);
  expect(await visit('www.beta.com')).toMatchObject({ status: 200 });
  expect((await diagnose('www.beta.com')).code).toBe(0);
});

test('real resolver failures: SERVFAIL, silence, an unreadable CAA record and a server that is not there', async () => {
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

test('all of a zone at once: one line for each fault, and a summary by cause', async () => {
  const ran = await stage.edgectl('hostname', 'diagnose', '--all');
  expect(ran.code).toBe(7);
  expect(ran.out).toMatch(/^broken\.acme\.com: error E\d/);
  expect(ran.out.trim().split('\n')).toHaveLength(1);
  expect(ran.err).toContain('4 hostnames: 3 without fault, 1 faulty.');
  expect(ran.err).toContain('2  G5 Healthy');
  const none = await stage.edgectl('hostname', 'diagnose', '--status', 'moved');
  expect(none).toMatchObject({ code: 0, out: '' });
});
