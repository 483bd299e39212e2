import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createServices } from '../../../components/app/connection.ts';
import { listAudit } from '../../../src/services/guard/read-audit.ts';
import type { AskWrite } from '../../../src/services/guard/recorded-writes.ts';
import { listKeys, removeKey, writeValue } from '../../../src/services/kv/kv.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice, type Session } from '../../../src/services/session/session.ts';
import { openJournal } from '../../../src/services/undo/journal.ts';
import { newPerson } from '../../support/run-command.ts';
import { openServed, type Served } from '../../support/served.ts';
import { foldersIn, testWorld } from '../../support/world.ts';
import { type ConsoleOptions, openConsole } from '../open-console.tsx';

let served: Served;

beforeAll(async () => {
  served = await openServed();
});
afterAll(() => served.close());

const policy = `
[[rule]]
name = "deletes of flags"
decision = "ask"
effect = "destroy"
noun = "key"

[[rule]]
name = "long keys"
decision = "ask"
names = "€€€*"
`;

/** Sleeps of up to a second, such as the pauses between readings of the guards, take at most 20 ms; longer sleeps never end. */
const sleep = (milliseconds: number, signal?: AbortSignal) =>
  setTimeout(milliseconds > 1000 ? 2 ** 30 : Math.min(20, milliseconds), undefined, { signal });

/** Opens the keys of a namespace with three keys, for a person whose policy asks about deletes. */
async function openKeys(options: ConsoleOptions = {}) {
  const person = newPerson(served.person.env);
  const folders = foldersIn(person.home);
  mkdirSync(folders.config, { recursive: true });
  writeFileSync(join(folders.config, 'policy.toml'), policy, { mode: 0o600 });
  const title = `flags-${person.home.slice(-6).toLowerCase()}`;
  const id = await served.createNamespace(title);
  const { cwd, env } = person;
  const world = { ...testWorld({ cwd, env, folders, now: Date.now }), sleep };
  const open = (askWrite: AskWrite) =>
    openSession(world, plainChoice, { note: () => undefined, askWrite, command: 'console' });
  let session: Session | undefined;
  const app = openConsole({
    columns: 120,
    rows: 40,
    folders,
    now: Date.now,
    sleep,
    label: { target: 'production' },
    opens: `kv/${title}`,
    async openServices(askWrite) {
      session = await open(askWrite);
      for (const key of ['a', 'b', 'c'])
        await writeValue(session, id, key, { value: Buffer.from(`value of ${key}`) });
      return createServices(session);
    },
    openSession: (_, askWrite) => open(askWrite),
    ...options,
  });
  onTestFinished(() => session?.close());
  await app.screen.waitFor('3 keys');
  const remove = (key: string) => {
    if (session === undefined) throw new Error('no session');
    return removeKey(session, id, key);
  };
  const write = (key: string, ttl: number) => {
    if (session === undefined) throw new Error('no session');
    return writeValue(session, id, key, { value: Buffer.from('new'), ttl });
  };
  return {
    app,
    world,
    id,
    remove,
    write,
    async keys() {
      if (session === undefined) throw new Error('no session');
      const found: string[] = [];
      for await (const page of listKeys(session, id)) found.push(...page.map(({ name }) => name));
      return found;
    },
    audit: async () => (await listAudit(world)).filter(({ effect }) => effect === 'destroy'),
  };
}

test('asks about a write if a rule requires approval, and sends the write after approval', async () => {
  const { app, keys, audit, world, id } = await openKeys();
  await app.go(['d'], 'Delete the key a?');
  await app.go(['y'], 'Rule "deletes of flags" requires approval.');
  const text = app.screen.text();
  expect(text).toContain('Effect: destroy key a. Undo can restore the data.');
  expect(text).toContain('By console, on the environment');
  expect(text).toContain(`Policy: ${join(world.folders.config, 'policy.toml')}`);
  expect(text.replaceAll(/\s/g, '')).toContain(`namespaces/${id}/values/a`);
  expect(text).toContain('> Refuse');
  expect(await keys()).toEqual(['a', 'b', 'c']);
  await app.go(['ctrl+y'], 'Deleted a.');
  expect(await keys()).toEqual(['b', 'c']);
  expect(await audit()).toMatchObject([
    {
      client: 'console',
      decision: 'ask',
      rule: 'deletes of flags',
      name: 'a',
      approver: expect.any(String),
      status: 200,
    },
  ]);
  // An approval is valid for one request only.
  await app.go(['d'], 'Delete the key b?');
  await app.go(['y'], 'requires approval.');
});

test('shows that undo cannot restore a write whose old state was not saved', async () => {
  const { app, remove } = await openKeys();
  const removed = remove('a');
  await app.screen.waitFor('Effect: destroy key a. Undo cannot restore the data.');
  await app.go(['ctrl+y'], (screen) => !screen.text().includes('Refuse'));
  await removed;
});

test.each([['esc'], ['ctrl+n'], ['enter']])(
  'sends nothing and leaves nothing to undo after a refusal by %s',
  async (press) => {
    const { app, keys, audit, world } = await openKeys();
    await app.go(['d'], 'Delete the key a?');
    await app.go(['y'], 'requires approval.');
    // A letter never approves: the question can appear while the user types.
    await app.go(['y', press], 'and you refused it');
    expect(await keys()).toEqual(['a', 'b', 'c']);
    expect(await audit()).toMatchObject([
      { outcome: 'refused', refusal: 'refused', rule: 'deletes of flags' },
    ]);
    expect(await openJournal(world).list()).toMatchObject({ entries: [] });
  },
);

test('queues the questions about several writes; one approval can cover equal writes, including later ones', async () => {
  const { app, keys, remove } = await openKeys();
  const removed = [remove('a'), remove('b')];
  await app.screen.waitFor('1 of 2');
  await app.go(['ctrl+r'], (screen) => !screen.text().includes('Refuse'));
  await Promise.all(removed);
  await remove('c');
  expect(await keys()).toEqual([]);
});

test('shows that a task needs approval without blocking a pane, and keeps the question of the task in the list', async () => {
  const { app, keys } = await openKeys();
  await app.go([' ', ' '], '2 marked');
  await app.go(['d'], 'Delete');
  await app.go(['y'], '1 request pending approval (Ctrl-G)');
  expect(app.screen.text()).not.toContain('> Refuse');
  await app.go(['5'], 'needs answer');
  await app.screen.waitFor('A policy requires your approval');
  await app.go(['ctrl+g'], 'Delete 2 keys from');
  expect(await keys()).toHaveLength(3);
  await app.go(['ctrl+y'], 'Yes: approve it');
  await app.go(['y'], 'No held requests');
  await app.go(['5'], 'Deleted 2 keys');
  expect(await keys()).toEqual(['c']);
});

test('asks about a write on a small screen', async () => {
  const { app, keys } = await openKeys({ columns: 40, rows: 12 });
  await app.go(['d'], 'Delete the key a?');
  await app.go(['y'], '> Refuse');
  expect(app.screen.text()).toContain('Rule "deletes of flags"');
  expect(app.screen.text()).toContain('Effect: destroy key a.');
  await app.go(['ctrl+y'], 'Deleted a.');
  expect(await keys()).toEqual(['b', 'c']);
});

test.each([
  [60, 15],
  [80, 24],
  [100, 30],
])(
  'shows the query and the end of a long key on a screen of %i columns and %i rows',
  async (columns, rows) => {
    const { app, write, audit } = await openKeys({ columns, rows });
    const refused = write(`${'€'.repeat(165)}:prod`, 86_400).catch((error: unknown) => error);
    await app.screen.waitFor('> Refuse');
    const text = app.screen.text().replace(/[│\s]+/g, '');
    expect(text).toContain('Rule"longkeys"requiresapproval.');
    expect(text).toMatch(/Effect:changekey€+…?€*:prod\./);
    expect(text).toMatch(/PUT\/accounts\/\S*prod\?expiration_ttl=86400\(bodyof3B\)/);
    const isWhole =
      /waitingandlaterrequestsunder.*untiltheconsolecloses\./.test(text) && text.includes('Policy:');
    if (!isWhole) expect(text).toMatch(/\dmorelines?(?:is|are)hidden/);
    if (rows > 16) expect(isWhole).toBe(true);
    await app.go(['ctrl+n'], (screen) => !screen.text().includes('> Refuse'));
    expect(await refused).toMatchObject({ code: 'not-permitted' });
    expect(await audit()).toEqual([]);
  },
);

test('drops a question and sends nothing when the user leaves the console', async () => {
  const { app, remove, audit, keys } = await openKeys();
  const removed = remove('a').catch((error: unknown) => error);
  await app.screen.waitFor('requires approval.');
  app.press('ctrl+c');
  expect(await app.ended).toBe(130);
  expect(await removed).toMatchObject({ code: 'interrupted' });
  expect(await audit()).toMatchObject([{ outcome: 'refused' }]);
  expect(await keys()).toEqual(['a', 'b', 'c']);
});
