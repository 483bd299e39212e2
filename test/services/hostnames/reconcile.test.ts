import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const reconcile = ['hostname', 'reconcile'];

function wanted(...names: readonly string[]): string {
  writeFileSync(join(stage.cwd, 'wanted.csv'), ['hostname', ...names].join('\n'));
  return 'wanted.csv';
}

function shops(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `shop${at}.acme.com`);
}

async function create(...names: readonly string[]): Promise<void> {
  for (const hostname of names) {
    await stage.zone('POST', '/custom_hostnames', { hostname, ssl: { method: 'http', type: 'dv' } });
    await stage.advance(60);
  }
}

async function hostnames(): Promise<string[]> {
  const ran = await stage.edgectl('hostname', 'list', '--json');
  return (JSON.parse(ran.out) as { hostname: string }[]).map(({ hostname }) => hostname).sort();
}

function plans(): string[] {
  return readdirSync(join(stage.home, 'state', 'plans'));
}

async function planned(...flags: readonly string[]): Promise<string> {
  const ran = await stage.edgectl(...reconcile, '--file', 'wanted.csv', '--plan', '--json', ...flags);
  expect(ran.code).toBe(0);
  return (JSON.parse(ran.out) as { hash: string }).hash;
}

test('confirms deletes only if the user types their number', async () => {
  await create('a.acme.com', 'b.acme.com');
  const argv = [...reconcile, '--file', wanted('new.acme.com'), '--prune'];
  const no = await stage.edgectlWith({ answers: ['y'] }, ...argv);
  expect(no).toMatchObject({ code: 5, err: expect.stringContaining('To confirm, type 2:') });
  expect(await hostnames()).toEqual(['a.acme.com', 'b.acme.com']);
  const yes = await stage.edgectlWith({ answers: ['2'] }, ...argv);
  expect(yes).toMatchObject({
    code: 0,
    err: expect.stringContaining('1 created, 2 deleted. Total: 3 steps.'),
  });
  expect(await hostnames()).toEqual(['new.acme.com']);
});

test('keeps a saved plan for a day, without metadata, in a file that only its owner can read', async () => {
  writeFileSync(join(stage.cwd, 'wanted.csv'), 'hostname,metadata\na.acme.com,"{""token"":""hush-hush""}"\n');
  const hash = await planned();
  const path = join(stage.home, 'state', 'plans', `${hash}.json`);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).not.toContain('hush');
  expect(await planned()).toBe(hash);
  stage.clock.now += 24 * 60 * 60 * 1000;
  const late = await stage.edgectl(...reconcile, '--apply', hash, '--yes');
  expect(late).toMatchObject({ code: 2, err: expect.stringContaining('has expired') });
  wanted('other.acme.com');
  const other = await planned();
  expect(plans()).toEqual([`${other}.json`]);
});

test('refuses a saved plan if the zone, one of its records, or the file has changed', async () => {
  await create('a.acme.com');
  writeFileSync(join(stage.cwd, 'wanted.csv'), 'hostname,min_tls\na.acme.com,1.3\n');
  const hash = await planned();
  const { id } = await stage.record('a.acme.com');
  await stage.zone('PATCH', `/custom_hostnames/${id}`, {
    ssl: { method: 'http', type: 'dv', settings: { min_tls_version: '1.1' } },
  });
  const changed = await stage.edgectl(...reconcile, '--apply', hash, '--yes');
  expect(changed).toMatchObject({ code: 1, out: '', err: expect.stringContaining('("a.acme.com")') });
  const again = await planned();
  expect(again).not.toBe(hash);
  writeFileSync(join(stage.cwd, 'wanted.csv'), 'hostname,min_tls\na.acme.com,1.2\n');
  const other = await stage.edgectl(...reconcile, '--apply', again, '--yes');
  expect(other).toMatchObject({ code: 2, err: expect.stringContaining('has changed since the plan') });
  expect((await stage.record('a.acme.com')).ssl?.settings?.min_tls_version).toBe('1.1');
});

test('keeps a saved plan with the same steps if the platform refuses the command or the user declines', async () => {
  await create('old0.acme.com');
  wanted('a.acme.com');
  const hash = await planned('--prune', '--limit', '1');
  const before = plans();
  const again = [...reconcile, '--file', 'wanted.csv', '--prune'];
  expect(await stage.edgectl(...again, '--limit', '0', '--yes')).toMatchObject({ code: 5 });
  expect(await stage.edgectl(...again)).toMatchObject({ code: 5 });
  expect(plans()).toEqual(before);
  expect(await stage.edgectl(...reconcile, '--apply', hash, '--yes')).toMatchObject({ code: 0 });
});

test('completes the remaining steps of the same plan after an interruption at any point', async () => {
  await create('old0.acme.com', 'old1.acme.com');
  wanted(...shops(20));
  const hash = await planned('--prune', '--limit', '2');
  const stop = new AbortController();
  const apply = [...reconcile, '--apply', hash, '--yes'];
  const sent = stage.edgectlWith({ interrupted: stop.signal }, ...apply);
  while ((await hostnames()).length < 7) await new Promise((settle) => setImmediate(settle));
  stop.abort();
  const first = await sent;
  expect(first).toMatchObject({ code: 130, err: expect.stringContaining(`--apply ${hash.slice(0, 12)}`) });
  const before = (await hostnames()).length;
  expect(before).toBeLessThan(22);
  // A plan remains valid after a kill, and after someone has completed one of its steps by hand.
  await stage.edgectl('hostname', 'delete', 'old1.acme.com', '--yes');
  const second = await stage.edgectl(...apply, '--json');
  expect(second.code).toBe(0);
  expect(await hostnames()).toEqual(shops(20).sort());
  expect(second.out.trim().split('\n')).toHaveLength(22 - (before - 2) - 1);
  const third = await stage.edgectl(...apply);
  expect(third).toMatchObject({ code: 0, err: expect.stringContaining('was already applied') });
});

test('lets only one of two concurrent commands change hostnames; the other command names the first', async () => {
  wanted(...shops(20));
  const hash = await planned();
  const apply = [...reconcile, '--apply', hash, '--yes'];
  const first = stage.edgectl(...apply);
  while ((await hostnames()).length < 3) await new Promise((settle) => setImmediate(settle));
  const also = await stage.edgectl(...apply);
  expect(also).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining(`Another command (process ${process.pid}) is changing the custom hostnames`),
  });
  const other = await stage.edgectl(...reconcile, '--file', 'wanted.csv', '--prune', '--limit', '9', '--yes');
  expect(other).toMatchObject({ code: 1, out: '' });
  expect((await hostnames()).length).toBeLessThan(20);
  const done = await first;
  expect(done).toMatchObject({ code: 0, err: expect.stringContaining('20 created. Total: 20 steps.') });
  const late = await stage.edgectl(...apply);
  expect(late).toMatchObject({
    code: 0,
    out: '',
    err: expect.stringContaining(`Plan ${hash.slice(0, 12)} was already applied`),
  });
});

test('refuses a partly applied plan if someone has made other changes since', async () => {
  wanted(...shops(20));
  const hash = await planned('--prune');
  const stop = new AbortController();
  const sent = stage.edgectlWith(
    { interrupted: stop.signal },
    ...reconcile,
    '--apply',
    hash,
    '--yes',
    '--limit',
    '9',
  );
  while ((await hostnames()).length < 5) await new Promise((settle) => setImmediate(settle));
  stop.abort();
  await sent;
  await stage.advance(120);
  await create('stranger.acme.com');
  const second = await stage.edgectl(...reconcile, '--apply', hash, '--yes', '--limit', '9');
  expect(second).toMatchObject({ code: 1, err: expect.stringContaining('("stranger.acme.com")') });
  expect(await hostnames()).toContain('stranger.acme.com');
});

test('restarts validation of hostnames in Moved once a day, except hostnames that only the customer can fix', async () => {
  const hostname = 'shop.acme.com';
  await stage.dns([hostname, 'CNAME', 'customers.saas.sandbox']);
  await create(hostname);
  await stage.advance(3600);
  expect((await stage.record(hostname)).status).toBe('active');
  await stage.dns([hostname, 'CNAME', 'shop.elsewhere.com']);
  await stage.advance(24 * 3600);
  expect((await stage.record(hostname)).status).toBe('moved');
  const argv = [...reconcile, '--file', wanted(hostname), '--yes'];
  expect(await stage.edgectl(...argv)).toMatchObject({ code: 0, out: expect.stringContaining('refreshed') });
  await stage.advance(6 * 3600);
  expect((await stage.record(hostname)).status).toBe('moved');
  expect(await stage.edgectl(...argv)).toMatchObject({ code: 0, out: '' });
});

test('reports failed lines with the reason, completes the other lines, and retries the failed lines in a second run', async () => {
  await stage.api('PUT', '/sandbox/quota', { allocated: 1, hard_cap: 1 });
  const argv = [...reconcile, '--file', wanted('a.acme.com', 'b.acme.com'), '--yes'];
  const first = await stage.edgectl(...argv);
  expect(first).toMatchObject({
    code: 6,
    out: expect.stringContaining('failed     b.acme.com  Custom hostname quota'),
  });
  await stage.api('PUT', '/sandbox/quota', { allocated: 2, hard_cap: 2 });
  const second = await stage.edgectl(...argv);
  expect(second.out).toMatch(/^created {4}b\.acme\.com .*\n$/);
});
