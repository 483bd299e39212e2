import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStage, type Stage, target } from '../hostnames/stage.ts';
import { carryOut, type ToldFinding } from './carry-out.ts';

const day = 24 * 60 * 60;
const shop = 'shop.acme.com';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

/** Returns the ids of one hostname's findings, and the exit code. */
async function diagnose(hostname = shop, ...flags: readonly string[]) {
  const ran = await stage.edgectl('hostname', 'diagnose', hostname, '--json', ...flags);
  const answer = JSON.parse(ran.out) as {
    readonly diagnoses: readonly {
      readonly verdict: string;
      readonly findings: readonly {
        readonly id: string;
        readonly severity: string;
        readonly evidence: readonly string[];
      }[];
      readonly missing: readonly { readonly fact: string }[];
    }[];
  };
  const [diagnosis] = answer.diagnoses;
  if (diagnosis === undefined) throw new Error(ran.out);
  return { code: ran.code, ids: diagnosis.findings.map(({ id }) => id), ...diagnosis };
}

async function create(hostname = shop, ...flags: readonly string[]) {
  const ran = await stage.edgectl('hostname', 'create', hostname, ...flags);
  expect(ran.err).toContain('Created');
}

async function active(hostname = shop): Promise<void> {
  await stage.dns([hostname, 'CNAME', target]);
  await create(hostname);
  await stage.advance(600);
  expect(await stage.record(hostname)).toMatchObject({ status: 'active', ssl: { status: 'active' } });
}

async function seenActive(hostname = shop): Promise<void> {
  await stage.advance(600);
  expect(await stage.record(hostname)).toMatchObject({ status: 'active', ssl: { status: 'active' } });
  expect((await diagnose(hostname)).code).toBe(0);
}

test('reports an active hostname as healthy', async () => {
  await active();
  const found = await diagnose();
  expect(found).toMatchObject({ code: 0, verdict: 'well', missing: [] });
  expect(found.ids).toContain('G5');
});

/** "Pre-activation: pending" (States and transitions): the hostname is a few minutes old, and its DNS records are all set. */
test('reports a hostname in its first minutes as pending, and never as healthy', async () => {
  await stage.dns([shop, 'CNAME', target]);
  await create();
  expect(await diagnose()).toMatchObject({ code: 0, verdict: 'pending' });
  const { out } = await stage.edgectl('hostname', 'diagnose', shop);
  expect(out).toContain(`${shop}: pending, no action needed`);
  const all = await stage.edgectl('hostname', 'diagnose', '--all', '--json');
  expect(JSON.parse(all.out)).toMatchObject({ hostnames: 1, well: 0, pending: 1, faulty: 0, undecided: 0 });
  const asked = await stage.edgectl('hostname', 'diagnose', shop, shop.replace('shop', 'none'));
  expect(asked.err).toContain('2 hostnames: 0 without faults, 1 pending, 1 faulty.');
  await seenActive();
  expect(await diagnose()).toMatchObject({ code: 0, verdict: 'well' });
});

test('asks the customer for the DNS record that makes a hostname active', async () => {
  await create();
  await stage.advance(60);
  const found = await stage.edgectl('hostname', 'diagnose', shop, '--target', target);
  expect(found.code).toBe(7);
  expect(found.out).toContain(`${shop}. CNAME ${target}.`);
  await stage.dns([shop, 'CNAME', target]);
  expect((await stage.edgectl('hostname', 'refresh', shop)).code).toBe(0);
  await seenActive();
});

test('refreshes a hostname in Moved whose DNS points here again, which then becomes active', async () => {
  await active();
  await stage.dns([shop, 'CNAME', 'shop.elsewhere.com'], ['shop.elsewhere.com', 'A', '198.51.100.7']);
  await stage.advance(3 * 60 * 60);
  expect((await stage.record(shop)).status).toBe('moved');
  expect(await diagnose()).toMatchObject({ code: 7, ids: expect.arrayContaining(['A5', 'C4']) });
  await stage.advance(2 * day);
  const late = await diagnose();
  expect(late.findings[0]?.evidence[0]).toBe('deleted in at most 5 days; first seen in Moved on 2026-11-21');
  await stage.dns([shop, 'CNAME', target]);
  const fixed = await stage.edgectl('hostname', 'diagnose', shop, '--fix', '--yes');
  expect(fixed.code).toBe(0);
  await seenActive();
});

test('restarts the days in Moved after the hostname was active, or was seen while it was becoming active', async () => {
  const days = async () => (await stage.edgectl('hostname', 'list')).out;
  await active();
  for (const round of [1, 2]) {
    await stage.dns([shop, 'CNAME', 'shop.elsewhere.com']);
    await stage.advance(60);
    expect(await days(), `round ${round}`).toContain('at most 7 days');
    await stage.advance(6 * day);
    expect(await days(), `round ${round}`).toContain('at most 1 day');
    await stage.dns([shop, 'CNAME', target]);
    expect((await stage.edgectl('hostname', 'refresh', shop)).code).toBe(0);
    await stage.advance(600);
  }
});

/**
 * Specification, States and transitions: after 7 days in Moved, the hostname is deleted. A PATCH restarts validation, but not these 7 days.
 */
test('continues the days in Moved through failed refreshes, until the hostname is deleted', async () => {
  await active();
  await stage.dns([shop, 'CNAME', 'shop.elsewhere.com']);
  await stage.advance(60);
  const messages: string[] = [];
  for (let at = 0; at < 7; at += 1) {
    const { out } = await stage.edgectl('hostname', 'list');
    messages.push(/at most [\d.]+ days?/.exec(out)?.[0] ?? out);
    expect((await stage.edgectl('hostname', 'refresh', shop)).code).toBe(0);
    await stage.edgectl('hostname', 'list');
    await stage.advance(day);
  }
  expect(messages).toEqual(
    [7, 6, 5, 4, 3, 2, 1].map((days) => `at most ${days} day${days === 1 ? '' : 's'}`),
  );
  expect((await stage.edgectl('hostname', 'list')).out).toBe('');
});

test('restarts the days in Moved for a hostname that exists longer than 7 days because of a refresh', async () => {
  await create();
  await stage.advance(8 * day);
  const days = async () => /at most [\d.]+ days?/.exec((await stage.edgectl('hostname', 'list')).out)?.[0];
  expect(await days()).toBe('at most 7 days');
  expect((await stage.edgectl('hostname', 'refresh', shop)).code).toBe(0);
  await stage.advance(7.5 * day);
  expect(await days()).toBe('at most 7 days');
});

test('recreates a hostname that was deleted after 7 days in Moved', async () => {
  await active();
  await stage.forget(shop);
  await stage.advance(8 * day);
  expect((await diagnose()).ids).toContain('A0');
  await stage.dns([shop, 'CNAME', target]);
  const fixed = await stage.edgectl('hostname', 'diagnose', shop, '--fix', '--yes');
  expect(fixed.err).toContain(`create custom hostname ${shop}`);
  expect(fixed.code).toBe(0);
  await seenActive();
});

test('reports a hold to the owner of the zone; the hostname becomes active after release and refresh', async () => {
  const { id } = await stage.api<{ id: string }>('POST', '/zones', { name: 'acme.com' });
  expect((await stage.edgectl('zone', 'hold', 'set', '--zone', 'acme.com', '--include-subdomains')).out).toBe(
    'held, including subdomains\n',
  );
  await stage.dns([shop, 'CNAME', target]);
  await create();
  await stage.advance(60);
  expect(await stage.record(shop)).toMatchObject({ status: 'blocked' });
  const found = await stage.edgectl('hostname', 'diagnose', shop);
  expect(found).toMatchObject({ code: 7 });
  expect(found.out).toContain('$ edgectl zone hold release --zone acme.com');
  const released = await stage.edgectl(
    'zone',
    'hold',
    'release',
    '--zone-id',
    id,
    '--subdomains-only',
    '--yes',
  );
  expect(released.out).toBe('held, not including subdomains\n');
  await stage.edgectl('hostname', 'diagnose', shop, '--fix', '--yes');
  await seenActive();
});

test('names the owner of CAA records that do not allow the authority; a change to another authority activates the hostname', async () => {
  await stage.dns([shop, 'CNAME', target], ['acme.com', 'CAA', '0 issue "letsencrypt.org"']);
  await create(shop, '--ca', 'google');
  await stage.advance(600);
  expect((await stage.record(shop)).status).toBe('caa_error');
  const found = await diagnose();
  expect(found).toMatchObject({ code: 7 });
  expect(JSON.stringify(found.findings)).toContain('CAA at acme.com: 0 issue \\"letsencrypt.org\\"');
  const fixed = await stage.edgectl('hostname', 'diagnose', shop, '--fix', '--yes');
  expect(fixed.err).toContain(`change ${shop}: authority default`);
  await seenActive();
});

// The delegation that F10 offers in addition to the tokens also covers the next order (Delegated DCV), so another authority needs no new
// tokens.
test("asks once for the tokens, then for another authority, for a wildcard at Google under CAA for Let's Encrypt", async () => {
  await stage.dns([shop, 'CNAME', target], ['acme.com', 'CAA', '0 issue "letsencrypt.org"']);
  await create(shop, '--wildcard', '--method', 'txt', '--ca', 'google');
  const advised: string[] = [];
  for (let step = 0; step < 5 && (await stage.record(shop)).ssl?.status !== 'active'; step += 1) {
    await stage.advance(600);
    const [first] = (await diagnose(shop, '--target', target, '--no-probe'))
      .findings as readonly ToldFinding[];
    if (first === undefined || first.who === 'nobody') continue;
    advised.push(first.id);
    await carryOut(stage, first);
  }
  expect(advised).toEqual(['F10', 'E3']);
  expect((await stage.record(shop)).ssl?.status).toBe('active');
});

describe('the three causes of error 1016', () => {
  test('no fallback origin: sets and deploys an origin, and restarts validation', async () => {
    await stage.zone('DELETE', '/custom_hostnames/fallback_origin');
    await stage.dns([shop, 'CNAME', target]);
    await create();
    await stage.advance(600);
    expect((await diagnose()).ids).toContain('B1');
    const fixed = await stage.edgectl('hostname', 'diagnose', shop, '--fix', '--yes');
    expect(fixed.err).toContain(`set the fallback origin to ${target}`);
    await seenActive();
  });

  test('a fallback origin without a DNS record: names the record that the operator must create', async () => {
    await active();
    const [record] = await stage.zone<{ id: string }[]>('GET', '/dns_records?name=origin.saas.sandbox');
    await stage.zone('DELETE', `/dns_records/${record?.id}`);
    expect(await diagnose()).toMatchObject({ code: 7, ids: expect.arrayContaining(['B4']) });
    await stage.zone('POST', '/dns_records', {
      type: 'A',
      name: 'origin',
      content: '192.0.2.2',
      proxied: true,
    });
    await seenActive();
  });

  test('a wildcard that a separate zone overrides: adds the exact hostname', async () => {
    await stage.dns(
      ['acme.com', 'CNAME', target],
      ['_acme-challenge.acme.com', 'CNAME', 'to-be-set.example'],
    );
    await create('acme.com', '--wildcard');
    await stage.advance(60);
    const alias = (await stage.record('acme.com')).ssl?.dcv_delegation_records?.[0]?.cname_target ?? '';
    await stage.dns(['_acme-challenge.acme.com', 'CNAME', alias]);
    await stage.edgectl('hostname', 'refresh', 'acme.com');
    await stage.advance(3600);
    expect(await stage.record('acme.com')).toMatchObject({ status: 'active', ssl: { status: 'active' } });
    await stage.api('POST', '/zones', { name: 'www.acme.com' });
    expect((await diagnose('www.acme.com')).ids).toContain('G3');
    await stage.dns(['www.acme.com', 'CNAME', target]);
    const fixed = await stage.edgectl('hostname', 'diagnose', 'www.acme.com', '--fix', '--yes');
    expect(fixed.err).toContain('create custom hostname www.acme.com');
    await seenActive('www.acme.com');
  });
});

test('refuses a hostname of more than 64 characters without branding, and creates it with branding', async () => {
  const long = `${'a'.repeat(60)}.acme.com`;
  const refused = await stage.edgectl('hostname', 'create', long);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.err).toContain('1469');
  expect(refused.err).toContain('--branding');
  await stage.dns([long, 'CNAME', target]);
  expect((await diagnose(long)).ids).toContain('F20');
  await stage.edgectl('hostname', 'diagnose', long, '--fix', '--yes');
  await seenActive(long);
});

test('asks for both TXT tokens of a wildcard hostname, which becomes active when both exist', async () => {
  await stage.dns([shop, 'CNAME', target]);
  await create(shop, '--wildcard', '--method', 'txt');
  await stage.advance(60);
  const found = await stage.edgectl('hostname', 'diagnose', shop);
  const tokens =
    (await stage.record(shop)).ssl?.validation_records?.flatMap((one) => one.txt_value ?? []) ?? [];
  expect(tokens).toHaveLength(2);
  for (const token of tokens) expect(found.out).toContain(`_acme-challenge.${shop}. TXT "${token}"`);
  await stage.dns([`_acme-challenge.${shop}`, 'TXT', ...tokens]);
  await seenActive();
});

test('reports a changed certificate chain of the authority as advice, not as a fault', async () => {
  await stage.dns([shop, 'CNAME', target]);
  await create(shop, '--ca', 'lets-encrypt');
  await stage.advance(600);
  expect(await diagnose()).toMatchObject({ code: 0, ids: expect.arrayContaining(['F28', 'G5']) });
  const message = await stage.edgectl('hostname', 'diagnose', shop);
  expect(message.out).toContain(`$ edgectl --sandbox hostname edit ${shop} --ca default`);
  expect((await stage.edgectl('hostname', 'edit', shop, '--ca', 'default')).code).toBe(0);
  await stage.advance(600);
  expect((await diagnose()).ids).not.toContain('F28');
});

test('reports that validation of a hostname will end soon, and later that the hostname is in Moved', async () => {
  await create();
  await stage.advance(6 * day);
  expect((await diagnose()).ids).toContain('D7');
  await stage.advance(2 * day);
  expect((await diagnose()).ids).toContain('A7');
  await stage.dns([shop, 'CNAME', target]);
  await stage.edgectl('hostname', 'diagnose', shop, '--fix', '--yes');
  await seenActive();
});

test('reports the issuance limit while it blocks creations', async () => {
  for (let number = 1; number <= 15; number += 1) await create(`shop${number}.acme.com`);
  const refused = await stage.edgectl('hostname', 'create', shop);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.err).toContain('Wait 30 seconds');
  expect((await diagnose('shop1.acme.com')).ids).toContain('B8');
  stage.clock.now += 31_000;
  expect((await diagnose('shop1.acme.com')).ids).not.toContain('B8');
  await create();
});

test('reports an exhausted quota, and the hostnames that the operator can delete', async () => {
  await create();
  await stage.api('PUT', '/sandbox/quota', { allocated: 1, hard_cap: 1 });
  expect((await stage.edgectl('hostname', 'create', 'more.acme.com')).err).toContain('quota');
  expect((await diagnose()).ids).toContain('B7');
});

type Entries = readonly (readonly [string, string, ...string[]])[];
const alias: Entries = [[shop, 'CNAME', 'shop.elsewhere.com']];
const made: readonly (readonly [finding: string, what: string, Entries])[] = [
  ['C2', 'a name with other records only', [[shop, 'TXT', 'hello']]],
  ['C4', 'a CNAME to another target', [...alias, ['shop.elsewhere.com', 'A', '198.51.100.7']]],
  ['C5', 'the zone appended to the target', [[shop, 'CNAME', `${target}.acme.com`]]],
  ['C6', 'a target that does not resolve', [[shop, 'CNAME', 'gone.saas.sandbox']]],
  ['C7', 'a loop', [...alias, ['shop.elsewhere.com', 'CNAME', shop]]],
  ['C10', "a third party's address", [[shop, 'A', '198.51.100.7']]],
  ['D4', 'another ownership token', [[`_cf-custom-hostname.${shop}`, 'TXT', 'stale']]],
  ['E5', 'CAA that allows no authority', [['acme.com', 'CAA', '0 issue ";"']]],
  [
    'E9',
    'CAA that cannot be read',
    [
      [shop, 'CNAME', target],
      [shop, 'SERVFAIL', 'CAA'],
    ],
  ],
];

test.each(made)('diagnoses %s: %s', async (finding, _what, entries) => {
  await stage.dns(...entries);
  await create();
  await stage.advance(60);
  const found = await diagnose(shop, '--target', target);
  expect(found).toMatchObject({ code: 7, ids: expect.arrayContaining([finding]) });
});

test('finds TXT tokens that are missing or wrong, and delegations to another target', async () => {
  await create(shop, '--method', 'txt');
  await stage.advance(60);
  expect((await diagnose()).ids).toContain('F10');
  await stage.dns([`_acme-challenge.${shop}`, 'TXT', 'foreign']);
  expect((await diagnose()).ids).toContain('F9');
  await stage.forget(`_acme-challenge.${shop}`);
  await stage.dns([`_acme-challenge.${shop}`, 'CNAME', `${shop}.other.dcv.cloudflare.com`]);
  expect((await diagnose()).ids).toContain('F12');
});

test('reports failed DNS queries as unknown, never as "no record"', async () => {
  await create();
  await stage.advance(60);
  await stage.dns([shop, 'SERVFAIL']);
  const found = await diagnose();
  expect(found.ids).not.toContain('C1');
  expect(found.ids).not.toContain('D5');
  expect(found.missing.map(({ fact }) => fact)).toContain('DNS');
  await stage.forget(shop);
  await stage.dns([shop, 'TIMEOUT']);
  expect((await diagnose()).ids).not.toContain('C1');
});

test('changes nothing without confirmation', async () => {
  await active();
  await stage.forget(shop);
  await stage.advance(3 * 60 * 60);
  await stage.dns([shop, 'CNAME', target]);
  const asked = await stage.edgectl('hostname', 'diagnose', shop, '--fix');
  expect(asked).toMatchObject({ code: 5 });
  expect(asked.err).toContain(`restart validation of ${shop}`);
  expect((await stage.record(shop)).status).toBe('moved');
  const answered = await stage.edgectlWith({ answers: ['y'] }, 'hostname', 'diagnose', shop, '--fix');
  expect(answered.code).toBe(0);
  await seenActive();
});
