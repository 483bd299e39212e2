import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FleetStep, WantedHostname } from '../../../src/model/hostnames/fleet/plan.ts';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import type { HostnameLine } from '../../../src/model/hostnames/lines.ts';
import type { Progress } from '../../../src/model/progress.ts';
import { aloneInZone } from '../../../src/services/hostnames/fleet/alone.ts';
import { openPlanFiles, type SavedPlan } from '../../../src/services/hostnames/fleet/plan-files.ts';
import { type FleetPlan, planCost, planZone } from '../../../src/services/hostnames/fleet/planning.ts';
import {
  beginPlan,
  endPlan,
  keepPlan,
  planAgain,
  refuseOtherFile,
  refuseOtherZone,
  remainingSteps,
} from '../../../src/services/hostnames/fleet/reconcile.ts';
import { readWantedFile, type WantedFile, wrongFile } from '../../../src/services/hostnames/fleet/wanted.ts';
import type { Session } from '../../../src/services/session/session.ts';
import { testWorld } from '../../support/world.ts';
import { result, stubPlatform } from './platform.ts';

const zone = 'a1'.repeat(16);
const otherZone = 'b2'.repeat(16);
const again = { remedy: { kind: 'plan-again' } };

function createRecord(name: string, more: Partial<CustomHostname> = {}): CustomHostname {
  const ssl = { status: 'active', method: 'http', type: 'dv' };
  return { id: `id-${name}`, hostname: `${name}.acme.com`, status: 'active', ssl, ...more };
}

/** Creates the lines of a file for the given names below acme.com. */
function createFile(lines: Readonly<Record<string, Omit<HostnameLine, 'hostname'>>>): WantedFile {
  const wanted = new Map<string, WantedHostname>();
  for (const [name, asked] of Object.entries(lines)) {
    const hostname = `${name}.acme.com`;
    wanted.set(hostname, { line: wanted.size + 2, asked: { ...asked, hostname } });
  }
  return { name: 'wanted.csv', path: '/work/wanted.csv', fingerprint: 'f1', wanted, wrong: [] };
}

/** Creates a zone with these hostnames, at a time that the test sets. */
function zoneWith(...records: readonly CustomHostname[]) {
  const clock = { now: Date.UTC(2026, 10, 21) };
  const listed = [...records];
  const { session: real, calls } = stubPlatform(({ path }) => {
    const info = { page: 1, per_page: 50, count: listed.length, total_pages: 1, total_count: listed.length };
    return path.endsWith('/custom_hostnames') ? result(listed, info) : undefined;
  });
  const session: Session = { ...real, world: { ...real.world, now: () => clock.now } };
  const messages: Progress[] = [];
  const reporter = { progress: (one: Progress) => messages.push(one), warn: () => undefined };
  const plan = (file: WantedFile, { prune = true, zoneId = zone } = {}) =>
    planZone(session, { zoneId, wanted: file.wanted, prune, reporter });
  return { session, calls, clock, listed, told: messages, reporter, plan };
}

const asWanted = createRecord('same');
const pruned = createRecord('old');
const inputs = { same: {}, new: { metadata: { token: 'hush-hush' } } };

describe('the hash of a plan', () => {
  test('is equal for plans with equal changes, regardless of unchanged hostnames', async () => {
    const { plan, listed, told: messages } = zoneWith(asWanted, pruned);
    const first = await plan(createFile(inputs));
    expect(first.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(first.steps.map(({ does, hostname }) => `${does} ${hostname}`)).toEqual([
      'create new.acme.com',
      'delete old.acme.com',
      'leave same.acme.com',
    ]);
    listed.shift();
    listed.push(createRecord('more'));
    const { same: _, ...others } = inputs;
    expect((await plan(createFile({ ...others, more: {} }))).hash).toBe(first.hash);
    expect(messages[0]).toEqual({
      phase: 'comparing',
      unit: 'hostnames',
      done: 2,
      total: 2,
      retries: 0,
      failed: 0,
    });
  });

  test('differs for another zone, platform, record or attribute', async () => {
    const { session, plan, listed, reporter } = zoneWith(asWanted, pruned);
    const { hash } = await plan(createFile(inputs));
    const seen = new Set([hash]);
    seen.add((await plan(createFile(inputs), { zoneId: otherZone })).hash);
    seen.add((await plan(createFile(inputs), { prune: false })).hash);
    seen.add((await plan(createFile({ ...inputs, new: {} }))).hash);
    seen.add((await plan(createFile({ ...inputs, same: { method: 'txt' } }))).hash);
    seen.add((await plan(createFile({ ...inputs, same: { origin: 'eu.saas.com' } }))).hash);
    listed[0] = { ...asWanted, custom_origin_server: 'us.saas.com' };
    // The file is unchanged, but an existing hostname differs.
    seen.add((await plan(createFile({ ...inputs, same: { origin: 'eu.saas.com' } }))).hash);
    listed[0] = { ...asWanted, status: 'moved' };
    seen.add((await plan(createFile(inputs))).hash);
    listed[0] = asWanted;
    listed[1] = { ...pruned, id: 'id-made-again' };
    seen.add((await plan(createFile(inputs))).hash);
    listed[1] = pruned;
    const where = { kind: 'remote', profile: 'p', baseUrl: 'https://other.invalid/client/v4' } as const;
    const elsewhere = { ...session, where };
    const { wanted } = createFile(inputs);
    seen.add((await planZone(elsewhere, { zoneId: zone, wanted, prune: true, reporter })).hash);
    expect(seen.size).toBe(10);
    expect((await plan(createFile(inputs))).hash).toBe(hash);
  });
});

test("a plan lists the lines of the file that this zone would refuse, with the platform's code", async () => {
  const long = `${'a'.repeat(50)}.${'b'.repeat(20)}`;
  const { plan } = zoneWith(
    asWanted,
    createRecord(long),
    createRecord('wild', { ssl: { method: 'http', type: 'dv' } }),
  );
  const file = createFile({
    same: { wildcard: true },
    [`x${long}`]: {},
    [long]: {},
    wild: { method: 'txt' },
  });
  const { wrong } = await plan(file);
  expect(wrong).toEqual([
    { line: 2, hostname: 'same.acme.com', reason: expect.stringContaining('cannot be validated over HTTP') },
    {
      line: 3,
      hostname: `x${long}.acme.com`,
      reason: expect.stringMatching(/check your input and try again \(1469\)$/),
    },
  ]);
});

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns the given number of steps of one kind. */
function stepsOf(does: 'create' | 'delete' | 'leave', count: number): FleetStep[] {
  return Array.from({ length: count }, (_, at): FleetStep => {
    const hostname = `s${at}.acme.com`;
    if (does !== 'create') return { does, hostname, record: { id: `id-${at}` }, reason: '' };
    return { does, hostname, line: at, asked: { hostname }, reason: '' };
  });
}

test.each([
  [stepsOf('leave', 9), 15, { requests: 0, minutes: 0 }],
  [stepsOf('create', 15), 15, { requests: 15, minutes: 0 }],
  // The sixteenth certificate must wait for the rate limit.
  [[...stepsOf('create', 16), ...stepsOf('leave', 5)], 15, { requests: 16, minutes: 0.1 }],
  [stepsOf('create', 45), 15, { requests: 45, minutes: 2 }],
  [stepsOf('create', 45), 5, { requests: 45, minutes: 8 }],
  // Deletes cost only requests: 300 immediately, then 900 in five minutes.
  [stepsOf('delete', 300), 15, { requests: 300, minutes: 0 }],
  [stepsOf('delete', 1200), 15, { requests: 1200, minutes: 5 }],
  [[...stepsOf('delete', 1140), ...stepsOf('create', 60)], 15, { requests: 1200, minutes: 5 }],
])('estimates the longer of the times for requests and for certificates (%#)', (steps, rate, expected) => {
  expect(planCost(steps, rate)).toEqual(expected);
});

const hash = 'abcdef01'.repeat(8);
const saved: SavedPlan = {
  version: 1,
  hash,
  target: 'https://api.platform.invalid/client/v4',
  zoneId: zone,
  path: '/work/wanted.csv',
  fingerprint: 'f1',
  prune: true,
  limit: 3,
  expires: 1000,
  begun: false,
  steps: [['a.acme.com', 'k1']],
};

describe('saved plans', () => {
  const store = () => {
    const clock = { now: 0 };
    const world = testWorld({ now: () => clock.now });
    return { clock, plans: openPlanFiles(world), folder: join(world.folders.state, 'plans') };
  };

  test('are found by their hash or its first eight digits, in any letter case, until they expire', async () => {
    const { clock, plans } = store();
    await expect(plans.find(hash)).rejects.toMatchObject({ code: 'invalid-input', ...again });
    await plans.write(saved);
    for (const typed of [hash, hash.slice(0, 8), hash.toUpperCase().slice(0, 20)])
      expect(await plans.find(typed)).toEqual(saved);
    clock.now = 999;
    expect(await plans.find(hash)).toEqual(saved);
    clock.now = 1000;
    await expect(plans.find(hash)).rejects.toMatchObject({
      message: expect.stringMatching(/expired/),
      ...again,
    });
  });

  test.each([hash.slice(0, 7), `${hash}0`, 'abcdefg0', '../abcdef01', ''])(
    'are refused for the invalid hash %j',
    async (typed) => {
      const { plans } = store();
      await plans.write(saved);
      await expect(plans.find(typed)).rejects.toMatchObject({
        code: 'invalid-input',
        message: expect.stringContaining('is not the hash of a plan'),
      });
    },
  );

  test('are refused for an ambiguous prefix of a hash, and accepted for each complete hash', async () => {
    const { plans, folder } = store();
    const other = { ...saved, hash: `${hash.slice(0, 63)}e` };
    await plans.write(saved);
    await plans.write(other);
    await expect(plans.find(hash.slice(0, 63))).rejects.toThrow('Several plans have a hash that starts with');
    expect(await plans.find(other.hash)).toEqual(other);
    await plans.remove(hash);
    writeFileSync(join(folder, `${hash}.json.bak`), '', { mode: 0o600 });
    expect(await plans.find(hash.slice(0, 8))).toEqual(other);
    await plans.remove(hash);
  });

  test('expired and unreadable plans are deleted when a plan is saved, and no others', async () => {
    const { clock, plans, folder } = store();
    const named = (digit: string) => digit.repeat(64);
    await plans.write({ ...saved, hash: named('1'), expires: 500 });
    await plans.write({ ...saved, hash: named('2'), expires: 501 });
    writeFileSync(join(folder, `${named('3')}.json`), '{', { mode: 0o600 });
    writeFileSync(join(folder, 'notes.txt'), 'mine', { mode: 0o600 });
    clock.now = 500;
    await plans.write(saved);
    expect(readdirSync(folder).sort()).toEqual([`${named('2')}.json`, `${hash}.json`, 'notes.txt']);
  });

  test.each<[string, object]>([
    ['of no known version', { version: 0 }],
    ['under another hash', { hash: '0'.repeat(64) }],
    ['with a hash of other letters', { hash: 'z'.repeat(64) }],
    ['without a target', { target: undefined }],
    ['without a zone', { zoneId: 7 }],
    ['with a path that is not a string', { path: 7 }],
    ['without the hash of its file', { fingerprint: undefined }],
    ['with a prune field that is not a boolean', { prune: 'yes' }],
    ['with a limit below 0', { limit: -1 }],
    ['with a fractional limit', { limit: 1.5 }],
    ['with an expiry that is not a number', { expires: '1000' }],
    ['without a record of whether it was begun', { begun: undefined }],
    ['with an end that is not a timestamp', { finished: 'yes' }],
    ['with a step that is not a pair', { steps: [['a.acme.com']] }],
    ['without steps', { steps: undefined }],
  ])('ignores a saved plan %s', async (_what, wrong) => {
    const { plans, folder } = store();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, `${hash}.json`), JSON.stringify({ ...saved, ...wrong }), { mode: 0o600 });
    await expect(plans.find(hash)).rejects.toMatchObject({
      message: expect.stringMatching(/^Plan .* not found/),
      ...again,
    });
  });
});

describe('a plan that is saved and applied later', () => {
  async function planned(wish: Parameters<typeof createFile>[0] = inputs, limit?: number) {
    const stage = zoneWith(asWanted, pruned);
    const file = createFile(wish);
    const plan = await stage.plan(file);
    const first = await keepPlan(stage.session, plan, file, { prune: true, limit });
    const find = () => openPlanFiles(stage.session.world).find(plan.hash);
    const replan = async () => remainingSteps(await find(), await stage.plan(file));
    return { ...stage, file, first, find, replan };
  }

  test('contains its identity, and the steps that change something, without their values, and is valid for a day', async () => {
    const { session, clock, first, find } = await planned(inputs, 0);
    expect(await find()).toEqual(first);
    expect(first).toMatchObject({ zoneId: zone, target: saved.target, prune: true, limit: 0, begun: false });
    expect(first).toMatchObject({ path: '/work/wanted.csv', fingerprint: 'f1' });
    expect(first.expires).toBe(clock.now + 24 * 3600 * 1000);
    // The plan has the format of earlier versions, whose plans remain valid.
    const wished = '["create",{"hostname":"new.acme.com","metadata":{"token":"hush-hush"}}]';
    expect(first.steps).toEqual([
      ['new.acme.com', sha256(wished)],
      ['old.acme.com', sha256('["delete","old.acme.com","id-old"]')],
    ]);
    const path = join(session.world.folders.state, 'plans', `${first.hash}.json`);
    expect(readFileSync(path, 'utf8')).not.toContain('hush');
    const fromInput = { path: undefined, fingerprint: 'f2' };
    const plan: FleetPlan = { ...saved, steps: [], wrong: [] };
    const second = await keepPlan(session, plan, fromInput, { prune: false, limit: undefined });
    expect(second).toMatchObject({ prune: false, steps: [] });
    expect(Object.keys(second)).not.toContain('path');
    expect(Object.keys(second)).not.toContain('limit');
  });

  test('records its start and its end', async () => {
    const { session, clock, first, find } = await planned();
    await beginPlan(session, first);
    expect(await find()).toEqual({ ...first, begun: true });
    clock.now += 1000;
    await endPlan(session, first);
    expect(await find()).toEqual({ ...first, begun: true, finished: clock.now });
  });

  test('is applied before its start only if all steps are still needed', async () => {
    const { replan, listed } = await planned();
    expect((await replan()).map(({ does }) => does)).toEqual(['create', 'delete']);
    listed.pop();
    await expect(replan()).rejects.toMatchObject({
      code: 'refused',
      message: 'The zone has changed since the plan was created ("old.acme.com"); nothing was changed.',
      ...again,
    });
  });

  test('continues after its start with the remaining steps, and does nothing else', async () => {
    const { session, first, replan, listed } = await planned();
    await beginPlan(session, first);
    listed.pop();
    expect((await replan()).map(({ hostname }) => hostname)).toEqual(['new.acme.com']);
    // A hostname that was deleted and created again has another id, and counts as a different hostname.
    listed.push({ ...pruned, id: 'id-again' });
    await expect(replan()).rejects.toThrow('("old.acme.com"); nothing was changed');
  });

  test('names the first three of several differences by hostname when it is refused', async () => {
    const { replan, listed } = await planned();
    listed.push(createRecord('d'), createRecord('c'));
    await expect(replan()).rejects.toThrow('created ("c.acme.com", "d.acme.com"); nothing');
    listed.push(createRecord('e'));
    await expect(replan()).rejects.toThrow('created ("c.acme.com", "d.acme.com", "e.acme.com"); nothing');
    listed.push(createRecord('b'), createRecord('a'));
    await expect(replan()).rejects.toThrow(
      'created ("a.acme.com", "b.acme.com", "c.acme.com" and 2 more); nothing',
    );
  });

  test('names steps that are no longer needed, together with new steps, when it is refused', async () => {
    const { replan, listed } = await planned();
    listed.pop();
    listed.push(createRecord('z'));
    await expect(replan()).rejects.toThrow('created ("old.acme.com", "z.acme.com"); nothing');
  });

  test('names a hostname once if the action of its step differs, when it is refused', async () => {
    const { replan, listed } = await planned({ same: { origin: 'eu.saas.com' } });
    listed[0] = { ...asWanted, custom_origin_server: 'us.saas.com' };
    await expect(replan()).rejects.toThrow('created ("same.acme.com"); nothing');
  });

  test('is refused with another file, in another zone, or on another platform', async () => {
    const { session, first, file, calls, reporter } = await planned();
    calls.length = 0;
    const other = { ...file, fingerprint: 'f2' };
    const options = { zoneId: zone, file, reporter };
    await expect(planAgain(session, first, { ...options, file: other })).rejects.toMatchObject({
      code: 'invalid-input',
      message: 'wanted.csv has changed since the plan was created.',
      ...again,
    });
    await expect(planAgain(session, first, { ...options, zoneId: otherZone })).rejects.toMatchObject({
      code: 'invalid-input',
      ...again,
    });
    expect(calls).toEqual([]);
    expect(() => refuseOtherFile(first, file)).not.toThrow();
    expect(() => refuseOtherZone(first, session, zone)).not.toThrow();
    const elsewhere = { ...first, target: 'sandbox' };
    expect(() => refuseOtherZone(elsewhere, session, zone)).toThrow('another zone');
    const { steps, plan } = await planAgain(session, first, options);
    expect(steps.map(({ does }) => does)).toEqual(['create', 'delete']);
    expect(plan.hash).toBe(first.hash);
  });

  test('is refused if the file has an invalid line, before or after the zone is read', async () => {
    const { session, first, file, calls, reporter } = await planned();
    calls.length = 0;
    const line = { line: 3, hostname: 'x', reason: 'it has no dot' };
    const options = { zoneId: zone, reporter };
    await expect(
      planAgain(session, first, { ...options, file: { ...file, wrong: [line] } }),
    ).rejects.toMatchObject({
      code: 'invalid-input',
      message: 'wanted.csv has 1 invalid line; nothing was changed:\n  line 3, "x": it has no dot',
      hint: 'Correct the invalid lines, then plan again.',
    });
    expect(calls).toEqual([]);
    const wild = { ...file, wanted: createFile({ same: { wildcard: true } }).wanted };
    await expect(planAgain(session, first, { ...options, file: wild })).rejects.toThrow(
      /line 2, "same.acme.com"/,
    );
  });
});

describe('a file of wanted hostnames', () => {
  async function read(content: string) {
    const world = testWorld();
    writeFileSync(join(world.cwd, 'wanted.csv'), content);
    return readWantedFile(world, 'wanted.csv');
  }

  test('is sorted by hostname in wire form, and every invalid line is listed with its reason', async () => {
    const { name, path, fingerprint, wanted, wrong } = await read(
      [
        'hostname,origin,method,wildcard,ca',
        'Shop.ACME.com.,EU.SaaS.com.,txt,true,',
        'bücher.acme.com,,,,',
        'shop.acme.com,,,,',
        'http,,http,yes,',
        'a.acme.com,,http,true,',
        'b.acme.com,,,,verisign',
        'c.example,,,,',
      ].join('\n'),
    );
    expect([...wanted]).toEqual([
      [
        'shop.acme.com',
        {
          line: 2,
          asked: { hostname: 'shop.acme.com', origin: 'eu.saas.com', method: 'txt', wildcard: true },
        },
      ],
      ['xn--bcher-kva.acme.com', { line: 3, asked: { hostname: 'xn--bcher-kva.acme.com' } }],
    ]);
    expect(wrong).toEqual([
      { line: 4, hostname: 'shop.acme.com', reason: 'already on line 2' },
      { line: 5, hostname: 'http', reason: expect.stringMatching(/[^.] \(14\d\d\)$/) },
      {
        line: 6,
        hostname: 'a.acme.com',
        reason: 'A wildcard certificate cannot be validated over HTTP: validate it by TXT',
      },
      { line: 7, hostname: 'b.acme.com', reason: expect.stringContaining('the authority must be one of') },
      { line: 8, hostname: 'c.example', reason: expect.stringMatching(/[^.] \(14\d\d\)$/) },
    ]);
    expect({ name, path }).toEqual({
      name: 'wanted.csv',
      path: expect.stringMatching(/^\/.*\/wanted\.csv$/),
    });
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });

  test('stops being read on an interruption', async () => {
    const stop = new AbortController();
    const world = testWorld({ interrupted: stop.signal });
    writeFileSync(join(world.cwd, 'wanted.csv'), 'a.acme.com\n');
    stop.abort();
    await expect(readWantedFile(world, 'wanted.csv')).rejects.toMatchObject({ code: 'interrupted' });
  });
});

describe('the rejection of a file', () => {
  const wrongLines = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ line: at + 1, reason: 'no' }));
  const words = { nothing: 'nothing was sent', hint: 'Correct them.' };

  test('names twenty lines, and the number of further lines', () => {
    const { message, hint } = wrongFile('f.csv', wrongLines(20), words);
    expect(message.split('\n')).toEqual([
      'f.csv has 20 invalid lines; nothing was sent:',
      ...wrongLines(20).map(({ line }) => `  line ${line}: no`),
    ]);
    expect(hint).toBe('Correct them.');
    const more = wrongFile('f.csv', wrongLines(1234), words).message.split('\n');
    expect(more).toHaveLength(22);
    expect(more[0]).toContain('1,234 invalid lines');
    expect(more[21]).toBe('  … and 1214 more');
    expect(wrongFile('The request', [{ hostname: 'a', reason: 'no' }], words).message).toBe(
      'The request has 1 invalid line; nothing was sent:\n  "a": no',
    );
  });

  test('lists up to ten thousand lines for programs', () => {
    const lines = [{ line: 1, hostname: 'a', reason: 'no' }, ...wrongLines(10_000)];
    const { wrong = [] } = wrongFile('f.csv', lines, words);
    expect(wrong[0]).toEqual({ line: 1, hostname: 'a', reason: 'no' });
    expect(wrong).toHaveLength(10_000);
  });
});

test('allows one command at a time to change several hostnames of a zone, and other commands in another zone or platform', async () => {
  const { session } = zoneWith();
  const where = { kind: 'remote', profile: 'p', baseUrl: 'https://other.invalid/client/v4' } as const;
  const folder = join(session.world.folders.state, 'fleets');
  let lock = '';
  const outcome = await aloneInZone(session, zone, async () => {
    lock = join(folder, readdirSync(folder)[0] ?? '');
    await expect(aloneInZone(session, zone, async () => 'both')).rejects.toMatchObject({
      code: 'store-busy',
      message: `Another command (process ${session.world.pid}) is changing the custom hostnames of this zone, so this command changed nothing.`,
      hint: expect.stringContaining('Wait until that command has finished'),
    });
    return [
      await aloneInZone(session, otherZone, async () => 'zone'),
      await aloneInZone({ ...session, where }, zone, async () => 'platform'),
    ];
  });
  expect(outcome).toEqual(['zone', 'platform']);
  expect(await aloneInZone(session, zone, async () => 'later')).toBe('later');
  symlinkSync('a lock of another kind', lock);
  await expect(aloneInZone(session, zone, async () => 'both')).rejects.toThrow(
    'Another command is changing the custom hostnames of this zone, so this command changed nothing.',
  );
});
