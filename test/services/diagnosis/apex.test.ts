import { afterEach, beforeEach, expect, test } from 'vitest';
import { dnsProviders } from '../../../src/model/instructions/providers.ts';
import { openStage, type Stage, target } from '../hostnames/stage.ts';

// The platform reports "custom hostname does not CNAME to this zone" for a zone apex whose DNS provider answers with addresses; the
// ownership TXT record activates the hostname (provider's documentation: pre-validation, apex proxying; specification, Errors, 1016).

const apex = 'k1.com';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
  await stage.dns([apex, 'A', '127.0.0.1'], [apex, 'NS', 'ns1.dnsimple.com']);
  await stage.edgectl('hostname', 'create', apex);
  await stage.advance(3600);
});
afterEach(() => stage.close());

const ask = async (...argv: readonly string[]) => JSON.parse((await stage.edgectl(...argv, '--json')).out);

test('does not accept an address of the edge at the zone apex, and activates the hostname by the ownership TXT record', async () => {
  const { value = '' } = (await stage.record(apex)).ownership_verification ?? {};
  const txt = { name: `_cf-custom-hostname.${apex}`, type: 'TXT', value };
  const { diagnoses } = await ask('hostname', 'diagnose', apex, '--target', target);
  expect(diagnoses[0].findings[0]).toMatchObject({ id: 'D5', who: 'customer', remedy: { records: [txt] } });
  expect(diagnoses[0].verdict).toBe('faulty');
  const { turn, records } = await ask('hostname', 'instructions', apex, '--target', target);
  expect(turn).toBe('customer');
  expect(records).toContainEqual(
    expect.objectContaining({ fullName: txt.name, state: 'missing', optional: false }),
  );
  await stage.dns([txt.name, 'TXT', value]);
  await stage.edgectl('hostname', 'refresh', apex);
  await stage.advance(600);
  expect(await stage.record(apex)).toMatchObject({ status: 'active', ssl: { status: 'active' } });
});

test('advises a CNAME at the zone apex only if the DNS provider supports it', async () => {
  await stage.dns([apex, 'A', '203.0.113.9']);
  for (const { id, apexAlias } of dnsProviders) {
    const { records, notes } = await ask('hostname', 'instructions', apex, '--target', target, '--for', id);
    const here = (records as { type: string; fullName: string }[]).filter(
      ({ fullName }) => fullName === apex,
    );
    expect(
      here.map(({ type }) => type),
      id,
    ).toEqual(apexAlias === undefined ? [] : [apexAlias.type]);
    if (apexAlias === undefined) expect(notes.join(' '), id).toContain(`www.${apex}`);
  }
});

// Provider's documentation, "Apex proxying": customers point A records to addresses that are assigned to the account, on an Enterprise
// plan. https://developers.cloudflare.com/cloudflare-for-platforms/cloudflare-for-saas/start/advanced-settings/apex-proxying/
test('advises addresses of the account for the zone apex only if the plan, or the account, includes them', async () => {
  await stage.dns([apex, 'A', '203.0.113.9'], [apex, 'NS', 'ns01.domaincontrol.com']);
  const said = async () => {
    const { notes } = await ask('hostname', 'instructions', apex, '--target', target);
    const { diagnoses } = await ask('hostname', 'diagnose', apex, '--target', target, '--no-probe');
    return [notes.join(' '), diagnoses[0].findings[0].remedy.text];
  };
  expect(await said()).toEqual([
    expect.stringContaining('ask us whether we have fixed addresses'),
    expect.stringContaining('once your account has apex proxying (Enterprise)'),
  ]);
  await stage.api('PUT', '/sandbox/prefixes', { cidrs: ['198.18.7.0/24'] });
  for (const text of await said()) expect(text).toContain('198.18.7.0/24');
  await stage.api('PUT', '/sandbox/prefixes', { cidrs: [] });
  await stage.zone('PATCH', '', { plan: { id: 'free' } });
  for (const text of await said()) expect(text).not.toMatch(/apex proxying|fixed addresses/);
});
