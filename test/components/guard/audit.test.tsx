import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startGuard } from '../../services/guard/start-guard.ts';
import { newPerson } from '../../support/run-command.ts';
import { openServed, type Served } from '../../support/served.ts';
import { foldersIn } from '../../support/world.ts';
import { openConsole } from '../open-console.tsx';

let served: Served;
let values: string;

beforeAll(async () => {
  served = await openServed();
  const namespace = await served.createNamespace();
  values = `/accounts/${served.person.env['EDGECTL_ACCOUNT_ID']}/storage/kv/namespaces/${namespace}/values`;
});
afterAll(() => served.close());

test('lists the requests of a guard, newest first, filters them by outcome, and shows all facts about one request', async () => {
  const person = newPerson(served.person.env);
  const guard = await startGuard(person, ['--wait', '0']);
  onTestFinished(async () => void (await guard.stop()));
  await guard.call('PUT', `${values}/first`, { body: 'secret value' });
  expect((await guard.call('DELETE', `${values}/second`)).status).toBe(403);
  const app = openConsole({ columns: 120, rows: 30, folders: foldersIn(person.home), now: Date.now });
  await app.screen.waitFor('Namespaces');
  await app.go(['ctrl+a'], '2 records');
  expect(app.screen.text()).toMatch(/DELETE .*refused(?:.|\n)*PUT .*200/);
  await app.screen.waitFor('decision     ask');
  await app.go(['/', ...'deletes', 'enter'], '1 of 2');
  expect(app.screen.text()).not.toContain('PUT ');
  await app.go(['enter'], 'refusal');
  await guard.call('PUT', `${values}/third`, { body: 'secret value' });
  await app.go(['esc'], '1 of');
  await app.go(['esc'], 'PUT ');
  await app.go(['r'], '3 records');
  expect(app.screen.text()).not.toContain('secret value');
});

test('rereads the audit log while it is on the screen, keeps the selection, and combines the filters by outcome and program', async () => {
  const person = newPerson(served.person.env);
  const guard = await startGuard(person, ['--wait', '0', '--client', 'terraform']);
  onTestFinished(async () => void (await guard.stop()));
  await guard.call('PUT', `${values}/first`, { body: 'x' });
  const asleep = new Map<number, () => void>();
  const app = openConsole({
    columns: 120,
    rows: 30,
    folders: foldersIn(person.home),
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        if (milliseconds < 1000) return resolve();
        asleep.set(milliseconds, resolve);
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
  });
  await app.screen.waitFor('Namespaces');
  await app.go(['ctrl+a'], '1 record');
  expect((await guard.call('DELETE', `${values}/second`)).status).toBe(403);
  await expect.poll(() => [...asleep.keys()]).toContain(5000);
  asleep.get(5000)?.();
  await app.screen.waitFor('2 records');
  expect(app.screen.selected()).toContain('PUT');
  await app.go(['s'], 'Show only');
  expect(app.screen.text()).toMatch(/outcome +refused +1(?:.|\n)*answered +1(?:.|\n)*program +terraform +2/);
  await app.go([...'refused', 'enter'], '1 of 2');
  expect(app.screen.text()).not.toContain('PUT /');
  await app.go(['s', ...'terraform', 'enter'], 'terraform');
  await app.screen.waitFor('1 of 2');
  await app.go(['s', ...'all', 'enter'], '2 records');
  expect(app.screen.text()).toContain('PUT /');
});

test('explains which requests will be recorded if the log is empty', async () => {
  const app = openConsole();
  await app.screen.waitFor('Namespaces');
  await app.go(['ctrl+a'], 'No records.');
});
