import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Facts } from '../../../src/model/diagnosis/facts.ts';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import { seedHostnames } from '../../../src/sandbox/hostnames/demo.ts';
import { openDiagnoser } from '../../../src/services/diagnosis/diagnosis.ts';
import { diagnoseMany } from '../../../src/services/diagnosis/many.ts';
import { diagnosisResolver } from '../../../src/services/diagnosis/resolver.ts';
import { collectForecasts } from '../../../src/services/forecast/forecast.ts';
import { instructHostname } from '../../../src/services/instructions/instructions.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { readPlatformInfo } from '../../../src/services/session/platform-info.ts';
import { plainChoice, type Session } from '../../../src/services/session/session.ts';
import { readBody } from '../../../src/v4/send.ts';
import { inSoak } from '../../support/in-part.ts';
import { foldersIn, testWorld } from '../../support/world.ts';
import { openStage, type Stage, target } from '../hostnames/stage.ts';

const day = 24 * 60 * 60;
const shop = 'shop.acme.com';

let stage: Stage;
afterEach(() => stage.close());

interface Row {
  readonly hostname: string;
  readonly outcome: string;
  readonly at: string;
  readonly who: string;
  readonly method?: string;
  readonly authority?: string;
  readonly reason: string;
}

async function forecast(...flags: readonly string[]) {
  const ran = await stage.edgectl('hostname', 'forecast', '--json', ...flags);
  return { code: ran.code, rows: JSON.parse(ran.out) as readonly Row[], err: ran.err };
}

/** Returns all records by hostname. */
async function records(): Promise<ReadonlyMap<string, CustomHostname>> {
  const found = await stage.zone<CustomHostname[]>('GET', '/custom_hostnames?per_page=50');
  return new Map(found.map((record) => [record.hostname, record]));
}

/** Returns true if a hostname is active, with a certificate that was renewed in time and is valid for at least 25 days. */
function isWell(record: CustomHostname | undefined, now: number): boolean {
  const left = Date.parse(record?.ssl?.expires_on ?? '') - now;
  return record?.status === 'active' && record.ssl?.status === 'active' && left > 25 * day * 1000;
}

test('forecasts every hostname of the demo fleet correctly for 90 days', async () => {
  stage = await openStage({ prepared: false });
  await seedHostnames(stage.sandbox.platform);
  const { code, rows } = await forecast('--days', '100', '--target', target);
  expect(code).toBe(7);
  expect(rows.map(({ at }) => at)).toEqual(rows.map(({ at }) => at).toSorted());
  const before = await records();
  const withCertificate = [...before.values()].filter(({ ssl }) => ssl !== undefined);
  expect(rows.map(({ hostname }) => hostname).toSorted()).toEqual(
    withCertificate.map(({ hostname }) => hostname).toSorted(),
  );
  await stage.advance(90 * day);
  const after = await records();
  const now = stage.clock.now + 90 * day * 1000;
  const came = rows.map(({ hostname }) => [hostname, isWell(after.get(hostname), now)]);
  expect(came).toEqual(rows.map(({ hostname, outcome }) => [hostname, outcome === 'renews']));
  for (const { hostname, outcome } of rows) if (outcome === 'gone') expect(after.has(hostname)).toBe(false);
  expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['renews', 'fails', 'gone']));
});

inSoak(() => {
  test('forecasts every hostname of the demo fleet correctly from an export, in another sandbox', async () => {
    stage = await openStage({ prepared: false });
    await seedHostnames(stage.sandbox.platform);
    const file = join(stage.cwd, 'world.ndjson');
    await stage.edgectl('hostname', 'export-world', file, '--target', target);
    const { rows } = await forecast('--file', file, '--days', '100');
    const before = await records();
    await stage.close();
    stage = await openStage({ prepared: false });
    const loaded = await stage.edgectl('hostname', 'import-world', file);
    expect(loaded).toMatchObject({
      code: 0,
      out: 'Imported 25 hostnames of saas.sandbox into the sandbox.\n',
    });
    const taken = await records();
    for (const [hostname, { status, ssl, created_at }] of before)
      expect(taken.get(hostname)).toMatchObject({
        status,
        created_at,
        ...(ssl && { ssl: { status: ssl.status } }),
      });
    const there = await forecast('--days', '100', '--target', target);
    expect(there.rows.map(getOutcome)).toEqual(rows.map(getOutcome));
    await stage.advance(90 * day);
    const after = await records();
    const now = stage.clock.now + 90 * day * 1000;
    const came = rows.map(({ hostname }) => [hostname, isWell(after.get(hostname), now)]);
    expect(came).toEqual(rows.map(({ hostname, outcome }) => [hostname, outcome === 'renews']));
    for (const { hostname, outcome } of rows) expect(after.has(hostname), hostname).toBe(outcome !== 'gone');
  });
});

function getOutcome({ hostname, outcome, at, who }: Row): readonly string[] {
  return [hostname, outcome, at.slice(0, 10), who];
}

test('refuses an invalid world with the reason, and does not load a world into a real platform', async () => {
  stage = await openStage({ prepared: false });
  const file = join(stage.cwd, 'world.ndjson');
  writeFileSync(file, '{"hostname":"a.b"}\n');
  const refused = await stage.edgectl('hostname', 'import-world', file);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('entry 1: "now" is missing') });
  writeFileSync(file, '[{"hostname": "a.b",\n "now" 5}]\n');
  expect(await stage.edgectl('hostname', 'import-world', file)).toMatchObject({
    code: 2,
    err: expect.stringContaining('entry 1: it is not JSON: colon expected at line 2, column 8'),
  });
});

test('makes the same forecast from a file, without network; refuses an invalid file with the number of the invalid line', async () => {
  stage = await openStage({ prepared: false });
  await seedHostnames(stage.sandbox.platform);
  const { rows, code } = await forecast();
  const file = join(stage.cwd, 'world.ndjson.gz');
  expect((await stage.edgectl('hostname', 'export-world', file)).out).toContain('Exported 25 hostnames');
  expect(existsSync(file)).toBe(true);
  const offline = await forecast('--file', file);
  expect(offline).toMatchObject({ code, rows });
  const wrong = join(stage.cwd, 'wrong.ndjson');
  writeFileSync(wrong, '{"hostname":"a.b"}\n');
  const refused = await stage.edgectl('hostname', 'forecast', '--file', wrong);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('entry 1: "now" is missing') });
  writeFileSync(file, '[{"hostname": "a.b",\n "now" 5}]\n');
  expect(await stage.edgectl('hostname', 'import-world', file)).toMatchObject({
    code: 2,
    err: expect.stringContaining('entry 1: it is not JSON: colon expected at line 2, column 8'),
  });
});

test('lists a hostname whose forecast requires an unknown fact, with the reason', async () => {
  stage = await openStage();
  await stage.edgectl('hostname', 'create', shop);
  await stage.edgectl('hostname', 'create', 'www.acme.com');
  const ran = await stage.edgectl('hostname', 'forecast', '--resolver', '127.0.0.1:1');
  expect(ran.err).toContain(`A required fact is unknown for 2 hostnames: ${shop} (DNS: `);
  expect(ran.err).toContain('www.acme.com (DNS: ');
});

test('limits the output to --days, and exits with 0 if no hostname has a fault', async () => {
  stage = await openStage();
  await stage.dns([shop, 'CNAME', target]);
  await stage.edgectl('hostname', 'create', shop);
  await stage.advance(600);
  expect((await forecast('--days', '30')).rows).toEqual([]);
  const { code, rows, err } = await forecast();
  expect(code).toBe(0);
  expect(rows).toMatchObject([{ hostname: shop, outcome: 'renews', method: 'http', authority: 'google' }]);
  expect(rows[0]?.at.slice(0, 10)).toBe('2027-01-20');
  expect(err).toContain('1 certificate in 90 days: 1 renews.');
  const table = await stage.edgectl('hostname', 'forecast');
  expect(table.out).toMatch(/2027-01-20 {2}shop\.acme\.com {2}renews {2}http, google {2}2027-02-19/);
  expect(await stage.edgectl('hostname', 'forecast', '--days', '0')).toMatchObject({ code: 2 });
});

/** Each row: a DNS change of an active hostname, the forecast, and the actual result. */
const changes: readonly (readonly [
  what: string,
  dns: (stage: Stage) => Promise<void>,
  expected: Partial<Row>,
])[] = [
  [
    'CAA names one authority that is not that of the certificate',
    (at) => at.dns(['acme.com', 'CAA', '0 issue "letsencrypt.org"']),
    { outcome: 'unclear', who: 'us' },
  ],
  [
    'CAA allows no authority of the platform',
    (at) => at.dns(['acme.com', 'CAA', '0 issue "digicert.com"']),
    { outcome: 'fails', who: 'customer' },
  ],
  ['CAA cannot be read', (at) => at.dns([shop, 'SERVFAIL', 'CAA']), { outcome: 'fails', who: 'customer' }],
  ['the name servers fail', (at) => at.dns([shop, 'SERVFAIL']), { outcome: 'fails', who: 'customer' }],
  [
    'DNS points elsewhere',
    (at) => at.dns([shop, 'CNAME', 'x.elsewhere.com']),
    { outcome: 'gone', who: 'customer' },
  ],
];

test.each(changes)('forecasts the result if %s', async (_what, change, expected) => {
  stage = await openStage();
  await stage.dns([shop, 'CNAME', target]);
  await stage.edgectl('hostname', 'create', shop);
  await stage.advance(600);
  await change(stage);
  await stage.advance(600);
  const { rows } = await forecast('--target', target);
  expect(rows).toMatchObject([{ hostname: shop, ...expected }]);
  await stage.advance(95 * day);
  const well = isWell((await records()).get(shop), stage.clock.now + 95 * day * 1000);
  expect(well).toBe(expected.outcome === 'unclear');
});

/** Provider's reference, renew certificates: renewal starts 30 days before expiry, for every authority. */
test('renews or expires a certificate from a seed with a few days left like a certificate that has reached that age', async () => {
  stage = await openStage();
  const seeded = (hostname: string) => ({ hostname, status: 'active', ssl: { expires_on: '+9d' } });
  await stage.api('PUT', '/sandbox/seed', {
    hostnames: [seeded('free.demo.com'), seeded('caa.demo2.com')],
    dns: [{ name: 'demo2.com', type: 'CAA', contents: ['0 issue ";"'] }],
  });
  const { rows } = await forecast('--target', target);
  expect(rows.map(({ hostname, outcome }) => [hostname, outcome]).toSorted()).toEqual([
    ['caa.demo2.com', 'fails'],
    ['free.demo.com', 'renews'],
  ]);
  await stage.advance(20 * day);
  const found = await records();
  const now = stage.clock.now + 20 * day * 1000;
  expect(isWell(found.get('free.demo.com'), now)).toBe(true);
  expect(isWell(found.get('caa.demo2.com'), now)).toBe(false);
});

/** Opens a server that accepts connections and never responds, like a network that drops packets to the edge. */
async function openSilentServer() {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://localhost:${port}`, count: () => connections };
}

/** Creates a hostname, and a session to diagnose it. */
async function openLook() {
  stage = await openStage();
  const { home, clock, zoneId } = stage;
  await stage.dns([shop, 'CNAME', target]);
  await stage.edgectl('hostname', 'create', shop);
  await stage.advance(3600);
  const world = testWorld({ now: () => clock.now, folders: foldersIn(home) });
  const session = await openSession(world, { ...plainChoice, profile: 'sandbox' }, { note: () => undefined });
  onTestFinished(() => session.close());
  return { session, zoneId };
}

/** Returns a function that diagnoses a hostname of the stage through an edge other than the sandbox's own. */
async function diagnoserOver(edgeUrl: string) {
  const { session, zoneId } = await openLook();
  const info = { ...(await readPlatformInfo(session)), edgeUrl, edgeTlsUrl: edgeUrl };
  const resolver = diagnosisResolver(session, info, []);
  return openDiagnoser(session, zoneId, { resolver, info, probe: true, probeTimeout: 200 });
}

// The edge answers the token of an order itself, and forwards any other path to the origin (provider's documentation,
// HTTP DCV).
test('does not count the edge as silent if the origin does not answer at the path of the tokens', async () => {
  const server = createHttpServer(({ url }, response) => {
    if (url?.startsWith('/.well-known/') !== true) response.end('a shop');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const diagnoser = await diagnoserOver(`http://localhost:${port}`);
  const { facts, isPassing } = await diagnoser.diagnose(shop);
  expect(facts.http).toMatchObject({ known: { status: 200 } });
  expect(facts.token).toMatchObject({ unknown: expect.stringContaining('no response within') });
  expect(facts.edgeSilence).toBeUndefined();
  expect(isPassing).toBe(false);
  const { forecasts, incomplete } = await collectForecasts([facts]);
  expect(incomplete).toEqual([]);
  expect(forecasts).toMatchObject([
    { outcome: 'unclear', reason: expect.stringMatching(/token could not be checked: .*no response within/) },
  ]);
});

inSoak(() => {
  // Issue "One truth", item 5: the forecast checks the path that the renewal will use, and reports if the check is not possible.
  test('stops querying an edge that does not answer, and reports renewals over HTTP as unknown', async () => {
    const edge = await openSilentServer();
    const diagnoser = await diagnoserOver(edge.url);
    const count = 300;
    const hostnames = Array.from({ length: count }, () => ({ hostname: shop }));
    const nobody = { progress: () => undefined, warn: () => undefined };
    const found: Facts[] = [];
    for await (const { facts } of diagnoseMany(diagnoser, hostnames, nobody)) found.push(facts);
    // The probes in progress at that point, 32 at a time, have each sent up to three requests to the edge: over HTTP, over TLS, and for the
    // token.
    expect(edge.count()).toBeLessThanOrEqual(3 * (32 + 5));
    const { forecasts, incomplete } = await collectForecasts(found);
    expect(incomplete).toHaveLength(count);
    expect(forecasts.map(({ outcome }) => outcome)).toEqual(hostnames.map(() => 'unclear'));
    expect(forecasts.at(-1)?.reason).toBe(
      'The path of the HTTP token could not be checked: the edge was not probed, because it did not respond in time for 5 consecutive hostnames.',
    );
    expect(incomplete.at(-1)?.reason).toMatch(
      /^the edge was not probed, because it did not respond in time for 5/,
    );
  });
});

test('reports that the edge does not answer for one hostname, unless the edge was excluded', async () => {
  const { session, zoneId } = await openLook();
  const { url } = await openSilentServer();
  const through: Session = {
    ...session,
    async send(call) {
      const answer = await session.send(call);
      if (call.path !== '/sandbox/info') return answer;
      const json = JSON.parse(Buffer.from(await readBody(answer.body)).toString());
      const result = { ...json.result, edgeUrl: url, edgeTlsUrl: url };
      return { ...answer, body: Buffer.from(JSON.stringify({ ...json, result })) };
    },
  };
  const record = await stage.record(shop);
  const asked = async (probe: boolean) =>
    (await instructHostname(through, zoneId, record, { servers: [], target, probe })).edgeSilence;
  expect(await asked(false)).toBeUndefined();
  // Fake timers make the ten seconds of a probe pass immediately.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  let silence: string | undefined;
  const done = asked(true).then((reason) => {
    silence = reason ?? 'none';
  });
  while (silence === undefined) {
    vi.advanceTimersByTime(500);
    await new Promise((settle) => setImmediate(settle));
  }
  await done;
  expect(silence).toBe('the edge did not respond in time');
});
