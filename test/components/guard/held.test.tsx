import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { decide, guardPolicy } from '../../../src/model/guard/policy.ts';
import { listHeld, serveApprovals } from '../../../src/services/guard/approvals.ts';
import { type HeldQuestion, HeldRequests } from '../../../src/services/guard/held.ts';
import { readRequestFacts } from '../../../src/v4/request-facts.ts';
import { questionAbout } from '../../services/guard/question-about.ts';
import { startGuard } from '../../services/guard/start-guard.ts';
import { newPerson } from '../../support/run-command.ts';
import { openServed, type Served } from '../../support/served.ts';
import { foldersIn, testWorld } from '../../support/world.ts';
import { type ConsoleOptions, openConsole } from '../open-console.tsx';

let served: Served;
let values: string;

beforeAll(async () => {
  served = await openServed();
  const namespace = await served.createNamespace();
  values = `/accounts/${served.person.env['EDGECTL_ACCOUNT_ID']}/storage/kv/namespaces/${namespace}/values`;
});
afterAll(() => served.close());

/** Sleeps of up to a second, such as the pauses between readings of the guards, take at most 20 ms; longer sleeps never end. */
const sleep = (milliseconds: number, signal?: AbortSignal) =>
  setTimeout(milliseconds > 1000 ? 2 ** 30 : Math.min(20, milliseconds), undefined, { signal });

/** Opens the console of a person with a running guard. */
async function openWithGuard(options: ConsoleOptions = {}, rules = '') {
  const person = newPerson(served.person.env);
  const policy = join(person.cwd, 'rules.toml');
  writeFileSync(policy, rules);
  const guard = await startGuard(person, rules === '' ? [] : ['--policy', policy]);
  onTestFinished(async () => void (await guard.stop()));
  const app = openConsole({
    columns: 140,
    rows: 30,
    opens: { pane: 'home' },
    folders: foldersIn(person.home),
    sleep,
    now: Date.now,
    ...options,
  });
  await app.screen.waitFor('Go to');
  // From this call on, the guard holds requests, even if this machine is slow.
  await listHeld({ folders: foldersIn(person.home) }, 'console');
  const put = (key: string, body: string) => guard.call('PUT', `${values}/${key}`, { body });
  const remove = (key: string) => guard.call('DELETE', `${values}/${key}`);
  return { app, put, remove, guard };
}

test('shows a held request and what it deletes, and sends the request after approval', async () => {
  const { app, put, remove } = await openWithGuard();
  await put('a', 'first line\nsecond line');
  const removed = remove('a');
  await app.screen.waitFor('1 request pending approval (Ctrl-G)');
  await app.screen.waitFor('Requests that need approval');
  await app.go(['ctrl+g'], '1 waiting');
  await app.screen.waitFor('- second line');
  expect(app.screen.text()).toContain('DELETE /accounts/');
  expect(app.screen.text()).toMatch(/PROGRAM.*\n.*guard/);
  await app.screen.waitFor((screen) => /Undo +can restore what/.test(screen.text()));
  await app.go(['ctrl+y'], 'Yes: approve it');
  expect(app.screen.text()).not.toContain('PERMANENT');
  await app.go(['y'], 'Approved request');
  expect((await removed).status).toBe(200);
  await app.screen.waitFor('No held requests');
  expect(app.screen.text()).not.toContain('request pending');
});

const asksAboutProd = `
[[rule]]
name = "prod"
decision = "ask"
effect = "change"
names = "prod:*"
`;

test('shows a change after the first 16 KiB of a value, and never calls values equal if it shows only their beginning', async () => {
  const { app, put } = await openWithGuard({}, asksAboutProd);
  const long = (lines: number) => Array.from({ length: lines }, (_, at) => `line ${at}`).join('\n');
  const write = async (key: string, before: string, after: string) => {
    const first = put(key, before);
    await app.screen.waitFor('1 request pending approval');
    await app.go(['ctrl+g'], '1 waiting');
    await app.go(['ctrl+y'], 'Yes: approve it');
    await app.go(['y'], 'No held requests');
    expect((await first).status).toBe(200);
    const second = put(key, after);
    await app.screen.waitFor('1 waiting');
    await app.go(['enter'], 'Before and after');
    return second;
  };
  const short = long(3000);
  const refused = write('prod:1', `${short}\nTAIL`, `${short}\nOTHER TAIL`);
  await app.screen.waitFor('+ OTHER TAIL');
  await app.go(['ctrl+n'], 'Refused request');
  await app.go(['esc'], 'No held requests');
  await app.go(['esc'], (screen) => !screen.text().includes('Held requests'));
  expect((await refused).status).toBe(403);
  const longer = long(30_000);
  expect(longer.length).toBeGreaterThan(256 * 1024);
  const cut = write('prod:2', `${longer}\nTAIL`, `${longer}\nOTHER`);
  await app.screen.waitFor('The shown parts are equal. The rest was not compared, and may differ.');
  expect(app.screen.text()).not.toContain('No difference');
  expect(app.screen.text()).toContain(
    `Only the first 262,144 of ${(longer.length + 6).toLocaleString('en')} bytes of the body are shown.`,
  );
  expect(app.screen.text()).toContain(
    `Only the first 262,144 of ${(longer.length + 5).toLocaleString('en')} bytes of the current state are shown.`,
  );
  await app.go(['ctrl+n'], 'Refused request');
  expect((await cut).status).toBe(403);
});

test('marks a held request as permanent if undo does not save the deleted data, and shows that the program has disconnected', async () => {
  const { app, guard } = await openWithGuard();
  await app.go(['ctrl+g'], 'No held requests');
  const leaving = new AbortController();
  const namespace = values.replace(/\/values$/, '');
  const removed = guard.call('DELETE', namespace, { signal: leaving.signal }).catch(() => undefined);
  await app.screen.waitFor('1 waiting');
  await app.screen.waitFor((screen) => /Undo +does not save the data/.test(screen.text()));
  await app.go(['ctrl+y'], 'PERMANENT: cannot be undone');
  await app.go(['n'], (screen) => !screen.text().includes('PERMANENT'));
  leaving.abort();
  await removed;
  await app.screen.waitFor('disconnected');
  await app.go(['ctrl+y'], 'has closed the connection: the request was dropped');
  expect(app.screen.text()).not.toContain('Yes: approve it');
});

test('refuses a held request, and approves equal requests until the guard ends', async () => {
  const { app, put, remove } = await openWithGuard();
  await put('a', 'x');
  await put('b', 'x');
  await put('c', 'x');
  await app.go(['ctrl+g'], 'No held requests');
  const refused = remove('a');
  await app.screen.waitFor('1 waiting');
  await app.go(['ctrl+n'], 'Refused request');
  expect((await refused).status).toBe(403);
  await app.screen.waitFor('No held requests');
  const approved = remove('b');
  await app.screen.waitFor('1 waiting');
  await app.go(['ctrl+r'], 'any name, in the same namespace, until the guard stops.');
  await app.go(['y'], 'and matching requests until the guard stops.');
  expect((await approved).status).toBe(200);
  expect((await remove('c')).status).toBe(200);
});

test('selects a waiting request after an answer, not an old request', async () => {
  const folders = foldersIn(newPerson(served.person.env).home);
  let before = 10_000;
  const held = new HeldRequests({
    name: '417',
    place: 'acme',
    waitMs: 20_000,
    world: {
      now: () => Date.now() - before,
      sleep: (_, signal) => setTimeout(2 ** 30, undefined, { signal }),
    },
    lock: undefined,
  });
  before = 0;
  const { signal } = new AbortController();
  expect(await held.ask(questionAbout('old'), signal)).toMatchObject({ refusal: 'nobody' });
  const world = { ...testWorld({ now: Date.now, folders }), sleep };
  onTestFinished(await serveApprovals(world, { held, name: '417', describe: async () => undefined }));
  const app = openConsole({ columns: 140, opens: { pane: 'home' }, folders, sleep, now: Date.now });
  held.noticeConsole();
  const asked = ['a', 'b'].map((key) => held.ask(questionAbout(key), signal));
  await app.screen.waitFor('2 requests pending approval');
  await app.go(['ctrl+g'], '2 waiting');
  await app.go(['down'], (screen) => screen.text().includes('Request 417-3'));
  await app.go(['ctrl+n'], 'Refused request 417-3.');
  await app.screen.waitFor((screen) => screen.text().includes('Request 417-2'));
  await app.go(['ctrl+n'], 'Refused request 417-2.');
  expect(await Promise.all(asked)).toMatchObject([{ refusal: 'refused' }, { refusal: 'refused' }]);
});

const euros = '€'.repeat(340);

/** Returns a question about copying an object to a long key, with all parts of a request that can determine the effect. */
function longCopy(): HeldQuestion {
  const path = `/assets/${encodeURIComponent(euros)}`;
  const headers = { 'x-amz-copy-source': `/private/${encodeURIComponent('ä'.repeat(60))}/secret.txt` };
  const facts = {
    ...readRequestFacts(
      { method: 'PUT', path, headers, api: 's3' },
      { target: 'production', client: 'test' },
    ),
    jurisdiction: 'eu',
  };
  const rule = { name: 'production copies', decision: 'ask' } as const;
  const policies = { deciding: [{ source: 'user', path: '/home/ann/policy.toml', rules: [rule] }] } as const;
  const lost = `Undo can save objects of up to 25 MiB, and "${euros}" has 31 MiB.`;
  return { ...questionAbout('any'), facts, decided: decide(policies, facts), path, headers, lost };
}

/** Returns a question about a write to a route that is not in the table of routes; the query changes the effect of the write. */
function longQuery(): HeldQuestion {
  const query = `?force=true&${'filler=1&'.repeat(12)}cascade=true`;
  const path = `/accounts/a1/${'unknown/'.repeat(120)}`;
  const facts = readRequestFacts(
    { method: 'POST', path: path + query },
    { target: 'production', client: 'test' },
  );
  const decided = decide({ deciding: [guardPolicy] }, facts);
  return { ...questionAbout('any'), facts, decided, path: path + query };
}

/** Opens the list of held requests with one request, on a screen of this size. */
async function openHeld(question: HeldQuestion, size: { columns: number; rows: number }, isLocked: boolean) {
  const folders = foldersIn(newPerson(served.person.env).home);
  const lock = { profile: 'acme', auth: () => ({ token: 't' }), check: async () => true };
  const held = new HeldRequests({
    name: '417',
    place: 'acme',
    waitMs: 20_000,
    world: { now: Date.now, sleep: (_, signal) => setTimeout(2 ** 30, undefined, { signal }) },
    lock: isLocked ? lock : undefined,
  });
  const world = { ...testWorld({ now: Date.now, folders }), sleep };
  onTestFinished(await serveApprovals(world, { held, name: '417', describe: async () => undefined }));
  const app = openConsole({ ...size, opens: { pane: 'home' }, folders, sleep, now: Date.now });
  held.noticeConsole();
  const gone = new AbortController();
  const verdict = held.ask(question, gone.signal);
  onTestFinished(async () => {
    gone.abort();
    await verdict;
  });
  await app.screen.waitFor('1 request');
  await app.go(['ctrl+g'], '1 waiting');
  return app;
}

describe.each([
  [60, 15, false],
  [60, 16, false],
  [80, 24, false],
  [100, 30, false],
  [140, 40, false],
  [60, 15, true],
  [80, 24, true],
  [100, 30, true],
])('on a screen of %i columns and %i rows (locked: %s)', (columns, rows, isLocked) => {
  const answers = isLocked ? ['Of profile acme'] : ['Yes: approve it', 'Yes: approve all matching'];
  /** Returns the screen without borders and spaces, because words and names are wrapped. */
  const flatten = (text: string) => text.replace(/[│\s]+/g, '');

  test.each(['ctrl+y', 'ctrl+r'])(
    'the question of %s shows all that determines the effect of a copy',
    async (press) => {
      const app = await openHeld(longCopy(), { columns, rows }, isLocked);
      await app.go([press], (screen) => answers.some((one) => screen.text().includes(one)));
      const text = flatten(app.screen.text());
      expect(text).toMatch(/PUTs3:\/ass\S*%82%AC,copiedfrom"\/priv\S*secret\.txt",jurisdiction"eu"/);
      expect(text).toMatch(/Undocansaveobjectsofupto25MiB,and"€\S*€"has31MiB\./);
      const same =
        /Matchingrequests:waitingandlaterrequestsunderrule"productioncopies":PUTs3:CopyObject,withanyname,inthesamebucketofjurisdiction"eu",copiedfrom"\/p\S*secret\.txt",untiltheguardstops\./;
      const others = [/Affects"€/, /Askedbyrule"productioncopies"/, /Bytest,onacme/];
      const missing = (press === 'ctrl+r' ? [same, ...others] : others).filter((one) => !one.test(text));
      if (rows > 16) expect(missing).toEqual([]);
      else if (missing.length > 0) expect(text).toMatch(/\dmorelines?(?:is|are)hidden\.Enlargetheterminal\./);
    },
  );

  test('the question shows the whole query of a request with a long path', async () => {
    const app = await openHeld(longQuery(), { columns, rows }, isLocked);
    await app.go(['ctrl+r'], (screen) => answers.some((one) => screen.text().includes(one)));
    const text = flatten(app.screen.text());
    expect(text).toContain(`?force=true&${'filler=1&'.repeat(12)}cascade=true`);
    expect(text).toContain('unknown:POST/account');
    const same = /Matchingrequests:waitingandlaterrequestsunder.*withthesamebody,untiltheguardstops\./;
    if (rows > 16) expect(text).toMatch(same);
    else if (!same.test(text)) expect(text).toMatch(/\dmorelinesarehidden/);
  });
});

test('shows a held request on a narrow screen, and approves the request there', async () => {
  const { app, put, remove } = await openWithGuard({ columns: 80, rows: 24 });
  await put('a', 'the value');
  const removed = remove('a');
  await app.screen.waitFor('1 request pending approval');
  await app.go(['ctrl+g', 'enter'], '- the value');
  expect(app.screen.text()).toContain('the program waits another');
  // Ctrl-G returns to the list of held requests instead of opening a second list above the request.
  await app.go(['ctrl+g'], (screen) => /^Home › Held requests · 1 waiting$/m.test(screen.text()));
  await app.go(['enter'], '- the value');
  await app.go(['ctrl+y'], 'Yes: approve it');
  await app.go(['y'], 'no longer held');
  expect((await removed).status).toBe(200);
});

test('draws nothing while no held request arrives', async () => {
  const { app, put } = await openWithGuard();
  await put('a', 'x');
  await app.go(['ctrl+g'], 'No held requests');
  const written = vi.spyOn(app.stdout, 'write');
  await setTimeout(200);
  expect(written).not.toHaveBeenCalled();
});

test('refuses held requests in a read-only session, but does not approve any', async () => {
  const { app, put, remove } = await openWithGuard({ label: { readOnly: true } });
  await put('a', 'x');
  const refused = remove('a');
  await app.screen.waitFor('1 request pending approval');
  await app.go(['ctrl+g'], '1 waiting');
  await app.go(['ctrl+y'], 'This session is read-only');
  await app.go(['ctrl+n'], 'Refused request');
  expect((await refused).status).toBe(403);
});

test('asks for the passphrase of a locked profile until the passphrase is correct, and does not show the input', async () => {
  const person = newPerson(served.person.env);
  const folders = foldersIn(person.home);
  const world = { ...testWorld({ now: Date.now, folders }), sleep };
  const held = new HeldRequests({
    name: '417',
    place: 'acme',
    waitMs: 1000,
    world: { now: Date.now, sleep: (_, signal) => setTimeout(2 ** 30, undefined, { signal }) },
    lock: {
      profile: 'acme',
      auth: () => ({ token: 't' }),
      check: async (passphrase) => passphrase === 'open sesame',
    },
  });
  const stop = await serveApprovals(world, { held, name: '417', describe: async () => undefined });
  onTestFinished(stop);
  const app = openConsole({ opens: { pane: 'home' }, folders, sleep, now: Date.now });
  await app.screen.waitFor('Go to');
  held.noticeConsole();
  const verdict = held.ask(questionAbout('a'), new AbortController().signal);
  await app.screen.waitFor('1 request pending approval');
  await app.go(['ctrl+g'], '1 waiting');
  await app.go(['ctrl+y'], 'Of profile acme');
  await app.go([...'wrong', 'enter'], 'must type the passphrase');
  expect(app.screen.text()).not.toContain('wrong');
  await app.go(['ctrl+u', ...'open sesame', 'enter'], 'Approved request 417-1.');
  expect(await verdict).toMatchObject({ number: '417-1', approver: expect.any(String) });
});
