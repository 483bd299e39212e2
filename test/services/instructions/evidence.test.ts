import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import { edgeAddresses } from '../../../src/sandbox/dns/names.ts';
import { inSoak } from '../../support/in-part.ts';
import type { ToldFinding } from '../diagnosis/carry-out.ts';
import { openStage, type Stage, target } from '../hostnames/stage.ts';

const day = 24 * 60 * 60;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ served: true });
});
afterAll(() => stage.close());

interface Instructed {
  readonly title: string;
  readonly state: string;
}

interface Foreseen {
  readonly hostname: string;
  readonly outcome: string;
  readonly who: string;
}

/** Runs one of the three commands, and parses its JSON output. */
async function said<T>(...words: readonly string[]): Promise<{ readonly code: number; readonly told: T }> {
  const { code, out } = await stage.edgectl('hostname', ...words, '--target', target, '--json');
  return { code, told: JSON.parse(out) as T };
}

/** Returns the results of the three commands for each hostname. */
async function allOpinions(hosts: readonly string[]) {
  const diagnosed = await said<{
    readonly diagnoses: readonly { readonly hostname: string; readonly findings: readonly ToldFinding[] }[];
  }>('diagnose', ...hosts);
  const foreseen = (await said<readonly Foreseen[]>('forecast')).told;
  const opinions = [];
  for (const host of hosts) {
    const { findings = [] } = diagnosed.told.diagnoses.find(({ hostname }) => hostname === host) ?? {};
    opinions.push({
      exit: diagnosed.code,
      first: findings[0],
      findings: findings.map(({ id, who }) => `${id} ${who}`),
      instructed: (await said<Instructed>('instructions', host)).told,
      foreseen: foreseen.find(({ hostname }) => hostname === host),
    });
  }
  return opinions;
}

async function opinions(host: string) {
  const [one] = await allOpinions([host]);
  if (one === undefined) throw new Error(`no message names ${host}`);
  return one;
}

async function inService(hostname: string): Promise<void> {
  await stage.dns([hostname, 'CNAME', target]);
  await stage.edgectl('hostname', 'create', hostname);
  await stage.advance(600);
  expect(await stage.record(hostname)).toMatchObject({ status: 'active', ssl: { status: 'active' } });
}

const before = (host: string, rule: object) =>
  stage.api('PUT', '/sandbox/edge-rules', { host, path: '/.well-known/', ...rule });

/**
 * TXT requires a token at `_acme-challenge` (RFC 8555, 8.4). HTTP is tried for every name that points here, unless the path of the token is
 * in use.
 */
test('asks for the TXT record of the new method if the HTTP path required a change of the method', async () => {
  const host = 'shop.method.com';
  await stage.dns([host, 'CNAME', target]);
  await before(host, { status: 200, body: '<html>Welcome' });
  await stage.edgectl('hostname', 'create', host);
  await stage.advance(60);
  const { first } = await opinions(host);
  expect(first).toMatchObject({
    id: 'F33',
    remedy: { command: expect.arrayContaining(['--method', 'txt']) },
  });
  await stage.edgectl('hostname', 'edit', host, '--method', 'txt');
  await stage.advance(60);
  const changed = await opinions(host);
  expect(changed).toMatchObject({
    exit: 7,
    first: { id: 'F10', who: 'customer' },
    instructed: { title: 'You must act' },
    foreseen: { outcome: 'fails', who: 'customer' },
  });
  const [token] = changed.first?.remedy.records ?? [];
  await stage.dns([token?.name ?? '', 'TXT', token?.value ?? '']);
  await stage.edgectl('hostname', 'refresh', host);
  await stage.advance(600);
  expect(await stage.record(host)).toMatchObject({ ssl: { status: 'active' } });
  expect(await opinions(host)).toMatchObject({
    exit: 0,
    first: { id: 'F33', severity: 'warn' },
    instructed: { title: 'You must act' },
    foreseen: { outcome: 'fails', who: 'customer' },
  });
  await stage.api('DELETE', `/sandbox/edge-rules?host=${host}`);
  expect(await opinions(host)).toMatchObject({
    exit: 0,
    instructed: { title: 'Nothing is left to do', state: expect.stringContaining('needed to renew') },
    foreseen: { outcome: 'renews', who: 'nobody' },
  });
});

inSoak(() => {
  test('forecasts an obstacle at the HTTP path of an active hostname, and reports the obstacle to the customer', async () => {
    const rules = [
      ['/.well-known/', { status: 403, body: 'Who are you?' }, 'F32'],
      ['/', { status: 403, body: 'Who are you?' }, 'F32'],
      ['/.well-known/', { status: 301, location: 'https://www.elsewhere.com/' }, 'F31'],
      ['/.well-known/', { status: 200, body: '<html>Welcome' }, 'F33'],
      ['/.well-known/', { status: 200, body: 'old', headers: { age: '7200' } }, 'F34'],
    ] as const;
    const hosts = rules.map((_, at) => `shop.path${at}.com`);
    for (const host of hosts) {
      await stage.dns([host, 'CNAME', target]);
      await stage.edgectl('hostname', 'create', host);
    }
    await stage.advance(600);
    for (const [at, [path, rule]] of rules.entries())
      await stage.api('PUT', '/sandbox/edge-rules', { host: hosts[at], path, ...rule });
    expect(await allOpinions(hosts)).toMatchObject(
      rules.map(([, , id]) => ({
        exit: 0,
        findings: expect.arrayContaining([`${id} customer`]),
        instructed: { title: 'You must act' },
        foreseen: { outcome: 'fails', who: 'customer' },
      })),
    );
    await stage.advance(91 * day);
    const found = await stage.zone<CustomHostname[]>('GET', '/custom_hostnames?hostname.contain=shop.path');
    expect(found.map(({ ssl }) => ssl?.status)).toEqual(hosts.map(() => 'expired'));
  });
});

inSoak(() => {
  /**
   * The edge answers tokens itself (Cloudflare for SaaS, HTTP validation), so an origin that refuses unknown paths does not
   * matter.
   */
  test('does not treat an origin that answers 403 at the path, or is down, as an obstacle to a renewal', async () => {
    const host = 'shop.origin.com';
    await inService(host);
    const server = createServer((_, response) => response.writeHead(403).end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const name = 'origin.saas.sandbox';
    for (const fault of [{ port }, { fault: 520 }]) {
      await stage.api('PUT', '/sandbox/origins', { name, ...fault });
      expect((await opinions(host)).foreseen).toMatchObject({ outcome: 'renews' });
    }
    server.close();
    await stage.api('DELETE', `/sandbox/origins?name=${name}`);
  });
});

/**
 * All A and AAAA records of an apex must contain our addresses (Apex proxying), because an authority, like a visitor, may use any of the
 * records.
 */
test('reports an apex with a correct and a foreign address in the same way in all three commands', async () => {
  const host = 'mixed.com';
  await stage.dns([host, 'A', edgeAddresses.own]);
  await stage.edgectl('hostname', 'create', host);
  const { value = '' } = (await stage.record(host)).ownership_verification ?? {};
  await stage.dns([`_cf-custom-hostname.${host}`, 'TXT', value]);
  await stage.edgectl('hostname', 'refresh', host);
  await stage.advance(600);
  expect(await stage.record(host)).toMatchObject({ status: 'active', ssl: { status: 'active' } });
  await stage.dns([host, 'A', edgeAddresses.own, '198.51.100.7']);
  expect(await opinions(host)).toMatchObject({
    first: { who: 'customer' },
    instructed: { title: 'You must act' },
    foreseen: { outcome: 'fails', who: 'customer' },
  });
});

inSoak(() => {
  /**
   * The edge's error page shows that the edge's own certificate expired; 526 refers to the origin's certificate only while the edge's
   * certificate is valid.
   */
  test('does not blame the origin for an expired certificate whose renewal the authority refuses', async () => {
    const host = 'shop.expired.com';
    await inService(host);
    const refusal = 'Internal error with Certificate Authority';
    await stage.api('PUT', '/sandbox/interventions', { hostname: host, refusal, authority: 'google' });
    await stage.advance(62 * day);
    expect((await opinions(host)).foreseen).toMatchObject({ outcome: 'fails', who: 'us' });
    await stage.advance(31 * day);
    const { exit, first, findings } = await opinions(host);
    expect(exit).toBe(7);
    expect(findings.join()).not.toContain('G11');
    expect(first?.remedy).toMatchObject({ command: expect.arrayContaining(['--ca', 'lets_encrypt']) });
    expect(`${first?.cause} ${first?.remedy.text}`).toContain('The authority has an internal error');
    await stage.edgectl(...(first?.remedy.command ?? []));
    await stage.advance(600);
    expect(await opinions(host)).toMatchObject({ exit: 0, foreseen: { outcome: 'renews' } });
  });
});
