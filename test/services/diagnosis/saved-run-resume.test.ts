import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/run.ts';
import { diagnose } from '../../../src/model/diagnosis/diagnose.ts';
import { noFacts } from '../../../src/model/diagnosis/facts.ts';
import { serve } from '../../../src/sandbox/http/serve.ts';
import { readRecords } from '../../../src/services/diagnosis/many.ts';
import type { SavedRun } from '../../../src/services/diagnosis/saved-run.ts';
import { SavedRunFile } from '../../../src/services/diagnosis/saved-run-file.ts';
import type { Send } from '../../../src/v4/send.ts';
import { cases } from '../../model/diagnosis/cases.ts';
import { inSoak } from '../../support/in-part.ts';
import { foldersIn, scratchFolder, testWorld } from '../../support/world.ts';
import { stubPlatform } from '../hostnames/platform.ts';
import { openStage, type Ran, type Stage } from '../hostnames/stage.ts';

let stage: Stage;
let server: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  stage = await openStage();
  server = await serve({ ...stage.sandbox, send: gated }, { port: 0, token: 'the-token-of-a-lease' });
  await seed();
});
afterAll(async () => {
  await server.close();
  await stage.close();
});

const names = Array.from({ length: 4 }, (_, at) => `shop${String(at).padStart(3, '0')}.acme.com`);
const oldest = 'shop000.acme.com';
const last = 'shop003.acme.com';
const minute = 60_000;

const nothingKept: SavedRun = {
  earlier: 0,
  since: undefined,
  first: [],
  findFacts: async () => undefined,
  keep: async () => undefined,
  passing: 0,
  fault: undefined,
  end: async () => undefined,
};

function outcomes(out: string): string[] {
  const found = JSON.parse(out) as { hostname: string; outcome: string }[];
  return found.sort((a, b) => (a.hostname < b.hostname ? -1 : 1)).map(({ outcome }) => outcome);
}

async function seed(): Promise<void> {
  const hostnames = names.map((hostname) => ({
    hostname,
    status: 'active',
    created_at: '-41d',
    ssl: { status: 'active' },
    custom_metadata: { token: 'hush-hush' },
  }));
  await stage.api('PUT', '/sandbox/seed', { hostnames });
}

const views = (): string => join(stage.home, 'state', 'looks');

function files(): string[] {
  return existsSync(views()) ? readdirSync(views()).filter((name) => name.endsWith('.ndjson')) : [];
}

function saved(): string {
  return files()
    .map((name) => readFileSync(join(views(), name), 'utf8'))
    .join('');
}

/** The DNS name whose query blocks the next run until the run is interrupted. */
let slow: string | undefined;
const asked: string[] = [];

/** Sends a request to the platform. All requests over the socket go through this function. */
const gated: Send = async (call) => {
  asked.push(call.path);
  if (slow !== undefined && call.path.includes(`answer?name=${slow}`)) await new Promise(() => undefined);
  return stage.sandbox.send(call);
};

async function edgectl(argv: readonly string[], interrupted?: AbortSignal): Promise<Ran> {
  const { accountId, apiToken } = stage.sandbox.access();
  const env = {
    EDGECTL_API_BASE_URL: `http://127.0.0.1:${server.port}/client/v4`,
    EDGECTL_ACCOUNT_ID: accountId,
    EDGECTL_API_TOKEN: apiToken,
  };
  const options = { argv, env, folders: foldersIn(stage.home), now: () => stage.clock.now };
  const world = testWorld({ ...options, ...(interrupted && { interrupted }) });
  const code = await runCommandLine(world, async () => 1);
  return { code, out: world.outText(), err: world.errText() };
}

/** Runs a command until this number of hostnames is diagnosed and saved, then presses Ctrl-C. The query for the last hostname blocks. */
async function interrupted(looked: number, ...argv: readonly string[]): Promise<Ran> {
  const stop = new AbortController();
  slow = last;
  const run = edgectl(argv, stop.signal);
  while (saved().split('"facts"').length <= looked) await new Promise((settle) => setTimeout(settle, 5));
  stop.abort();
  slow = undefined;
  return run;
}

const forecast = ['hostname', 'forecast', '--json', '--days', '400'];

inSoak(() => {
  test('gathers facts again that were gathered while DNS and the edge were unreachable', async () => {
    await stage.dns([oldest, 'TIMEOUT']);
    const first = await interrupted(3, ...forecast);
    expect(first.err).toContain('Diagnosed 3 of 4 hostnames, 1 of them to recheck');
    await stage.api('DELETE', `/sandbox/dns?name=${oldest}&type=TIMEOUT`);
    asked.splice(0);
    const second = await edgectl([...forecast, '--resume']);
    expect(second.err).toContain('2 hostnames diagnosed before');
    expect(outcomes(second.out)).toEqual(names.map(() => 'renews'));
    expect(asked.join('\n')).toContain(`answer?name=${oldest}`);
    expect(asked.join('\n')).not.toContain(`answer?name=${names[2]}`);
  });
});

test('resumes a forecast after Ctrl-C, and reports all hostnames', async () => {
  const first = await interrupted(3, ...forecast);
  const line = `edgectl ${forecast.join(' ')} --resume`;
  expect(first).toMatchObject({
    code: 130,
    out: '',
    err: expect.stringContaining(`Diagnosed 3 of 4 hostnames; saved for 60 minutes. To resume: ${line}"`),
  });
  const [name = ''] = files();
  expect(statSync(join(views(), name)).mode & 0o777).toBe(0o600);
  expect(saved()).not.toContain('hush-hush');
  // Hostnames diagnosed before the interruption have the saved facts; the others have the current facts.
  await stage.dns([oldest, 'CNAME', 'elsewhere.com'], [last, 'CNAME', 'elsewhere.com']);
  stage.clock.now += 10 * minute;
  asked.splice(0);
  const second = await edgectl([...forecast, '--resume']);
  expect(second.err).toContain(
    `Reusing the diagnoses of 3 hostnames, made up to 10m ago; diagnosing the others.`,
  );
  expect(outcomes(second.out)).toEqual([...names.slice(1).map(() => 'renews'), 'gone']);
  expect(asked.join('\n')).not.toContain(`answer?name=${oldest}`);
  expect(asked.join('\n')).toContain(`answer?name=${last}`);
  expect(files()).toEqual([]);
  await stage.forget(oldest);
  await stage.forget(last);
});

inSoak(() => {
  test('ignores saved facts that are too old, truncated or from another run, and omits deleted hostnames', async () => {
    const view = ['hostname', 'diagnose', '--all', '--no-probe', '--json'];
    const first = await interrupted(3, ...view);
    expect(first.code).toBe(130);
    const [name = ''] = files();
    const path = join(views(), name);
    truncateSync(path, statSync(path).size - 100);
    const forecasted = await edgectl([...forecast, '--resume']);
    expect(forecasted.err).toContain('No run from the last hour is saved');
    await edgectl(['hostname', 'delete', oldest, '--yes']);
    const whole = await edgectl([...view, '--resume']);
    const { diagnoses } = JSON.parse(whole.out) as { diagnoses: { hostname: string; verdict: string }[] };
    expect(diagnoses.map(({ hostname }) => hostname).sort()).toEqual(names.slice(1));
    expect(whole.err).toMatch(/2 hostnames diagnosed before/);
    await interrupted(2, ...view);
    stage.clock.now += 61 * minute;
    const late = await edgectl([...view, '--resume']);
    expect(late.err).toContain('No run from the last hour is saved');
  });
});

test('requests a fully diagnosed page again only if the page has changed', async () => {
  const all = Array.from({ length: 170 }, (_, at) => ({ id: `id${at}`, hostname: `h${at}.acme.com` }));
  const listed = async (first: typeof all) => {
    const { session, calls } = stubPlatform(({ query }) => {
      const page = Number(query.get('page'));
      const result = all.slice((page - 1) * 50, page * 50);
      return { status: 200, json: { success: true, result, result_info: { page, total_pages: 4 } } };
    });
    const found: string[] = [];
    const view = { ...nothingKept, first };
    for await (const { hostname } of readRecords(session, 'z', () => undefined, { savedRun: view }))
      found.push(hostname);
    return { found, pages: calls.map((call) => /page=(\d+)$/.exec(call)?.[1]) };
  };
  const hostnames = all.map(({ hostname }) => hostname);
  expect(await listed(all.slice(0, 130))).toEqual({ found: hostnames, pages: ['2', '3', '4'] });
  expect(await listed(all.slice(0, 49))).toEqual({ found: hostnames, pages: ['1', '2', '3', '4'] });
  const others = [{ id: 'gone', hostname: 'gone.acme.com' }, ...all];
  expect(await listed(others)).toMatchObject({ found: hostnames, pages: ['3', '1', '2', '3', '4'] });
});

test('saves facts unchanged, regardless of the findings', async () => {
  const path = join(scratchFolder('looks'), 'look.ndjson');
  const file = new SavedRunFile(path);
  const facts = cases.map((one, at) => ({ ...one.given, hostname: `h${at}.acme.com` }));
  for (const [place, one] of facts.entries()) expect(await file.add(place, one)).toBe(true);
  await file.close();
  const again = new SavedRunFile(path);
  const saved = [...(await again.read()).values()];
  for (const [at, one] of saved.entries()) {
    const expected = facts[at];
    expect(diagnose((await again.readFacts(one)) ?? noFacts('', 0))).toEqual(expected && diagnose(expected));
  }
  expect(saved).toHaveLength(facts.length);
  await again.close();
});

test('diagnoses even if nothing can be saved, and refuses only to resume', async () => {
  rmSync(views(), { recursive: true, force: true });
  writeFileSync(views(), '');
  expect(outcomes((await edgectl(forecast)).out).length).toBeGreaterThan(0);
  expect(await edgectl([...forecast, '--resume'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('Cannot create the folder'),
  });
  rmSync(views());
});

test('creates no file for facts that are gathered after the end of a run', async () => {
  const path = join(scratchFolder('looks'), 'look.ndjson');
  const file = new SavedRunFile(path);
  await file.add(0, noFacts('a.acme.com', 0));
  await file.clear({ now: () => 0 });
  await file.close();
  await file.add(1, noFacts('b.acme.com', 0));
  await file.move('a.acme.com', 2);
  expect(existsSync(path)).toBe(false);
});

test('refuses to resume a run that could not be saved', async () => {
  for (const argv of [
    ['hostname', 'forecast', '--file', 'world.ndjson', '--resume'],
    ['hostname', 'diagnose', '--all', '--fix', '--resume'],
    ['hostname', 'diagnose', last, '--resume'],
  ])
    expect(await edgectl(argv)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('omit --resume'),
    });
});
