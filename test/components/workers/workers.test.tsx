import { beforeAll, expect, test } from 'vitest';
import { Problem } from '../../../src/model/problem.ts';
import { type WorkerService, workerService } from '../../../src/services/console/workers.ts';
import { uploadNewWorker, uploadVersion } from '../../../src/services/workers/deploy.ts';
import { listDeployments } from '../../../src/services/workers/deployments.ts';
import { listSecrets, putSecret } from '../../../src/services/workers/secrets.ts';
import { listWorkers } from '../../../src/services/workers/workers.ts';
import { measureCharacter } from '../../../src/text/width.ts';
import { type ConsoleOptions, type OpenConsole, openConsole } from '../open-console.tsx';
import { type ObjectPlatform, openPlatform } from '../open-objects.tsx';

const text = 'correct-horse-battery-staple';

interface OpenWorkers extends OpenConsole {
  readonly platform: ObjectPlatform;
  readonly sent: string[];
  secrets(): Promise<string[]>;
}

/** Creates two workers; `site` has two deployments, three bindings and a secret. */
async function stock(): Promise<string> {
  const { session, createBucket, data }: ObjectPlatform = await openPlatform();
  const content = Buffer.from('export default { fetch: () => new Response("hello") }');
  const code = {
    format: 'modules',
    entry: 'index.js',
    modules: [{ name: 'index.js', kind: 'esm', content }],
  } as const;
  const plain = { code, compatibilityDate: '2026-11-01', compatibilityFlags: [] };
  await createBucket('assets');
  const bindings = [
    { type: 'plain_text', name: 'COLOUR', text: 'blue\u001b]0;owned\u0007' },
    { type: 'r2_bucket', name: 'ASSETS', bucket_name: 'assets' },
    { type: 'json', name: 'SHAPE', json: { sides: 3 } },
  ] as const;
  await uploadNewWorker(session, { ...plain, name: 'site', bindings });
  await uploadVersion(session, { ...plain, name: 'site', bindings });
  await uploadNewWorker(session, { ...plain, name: 'batch', bindings: [] });
  await putSecret(session, 'site', 'AUTH_KEY_SECRET', 'first');
  await session.close();
  return data;
}

/** Each upload starts the runtime, so every test starts with a copy of the same data. */
let stocked: string;
beforeAll(async () => {
  stocked = await stock();
});

/** Opens the console on the worker `site`. */
async function openSite(
  options: ConsoleOptions & { change?(real: WorkerService): Partial<WorkerService> } = {},
): Promise<OpenWorkers> {
  const platform = await openPlatform(stocked);
  const real = workerService(platform.session);
  const sent: string[] = [];
  const workers: WorkerService = {
    ...real,
    async putSecret(worker, name, value, signal) {
      sent.push(`${name}=${value}`);
      await real.putSecret(worker, name, value, signal);
    },
    ...options.change?.(real),
  };
  const app = openConsole({ ...options, services: { workers } });
  await app.screen.waitFor('4');
  await app.go(['4'], (screen) => screen.selected()?.includes('batch') ?? false);
  await app.go(['down'], (screen) => screen.selected()?.includes('site') ?? false);
  await app.go(
    ['enter'],
    (screen) => screen.text().includes('Versions 3') || screen.text().includes('error'),
  );
  const secrets = async () => (await listSecrets(platform.session, 'site')).map(({ name }) => name);
  return { ...app, platform, sent, secrets };
}

test('lists workers, and shows the deployments, bindings and secret names of a worker', async () => {
  const app = await openSite();
  await app.screen.waitFor('Workers › site · compatibility 2026-11-01');
  const text = app.screen.text();
  expect(text).toMatch(/^Secrets 1\nAUTH_KEY_SECRET +secret/m);
  expect(text).toMatch(/^Bindings 3$/m);
  expect(text).toMatch(/^ASSETS +bucket +assets$/m);
  expect(text).toMatch(/^SHAPE +JSON +\{"sides":3\}$/m);
  expect(text).toMatch(/^Versions 3\n[0-9a-f]{8} +running .* 0s\n[0-9a-f]{8} +earlier .* 0s$/m);
  await app.go(['esc'], '2 workers');
  await app.go(['/', ...'bat'], '1 of 2 loaded');
});

test('does not repeat the list in the preview of a row, and names the version to roll back to', async () => {
  const app = await openSite({ columns: 120, rows: 40 });
  await app.screen.waitFor('running version');
  const text = app.screen.text();
  expect(text).toMatch(/Press B to roll back to [0-9a-f]{8}\./);
  expect(text).not.toMatch(/│ (?:bindings|secrets|deployments) +\d/);
});

test('names the area on the smallest screen', async () => {
  const app = await openSite({ columns: 40, rows: 12 });
  await app.screen.waitFor((screen) => screen.lines()[1]?.startsWith('Workers › site') ?? false);
});

test('shows the content of a binding with control characters marked', async () => {
  const app = await openSite({ columns: 99 });
  expect(app.screen.text()).toMatch(/^COLOUR +text +blue␛]0;owned␇/m);
  expect(app.screen.titles).toEqual([]);
});

test('sets a secret that is never shown, and deploys it', async () => {
  const app = await openSite();
  await app.go(['n'], 'New secret for the worker site');
  app.press(...'TOKEN', 'tab');
  app.send(`\u001b[200~${text}\u001b[201~`);
  await app.go([...'!x', 'backspace'], '*'.repeat(text.length + 1));
  await app.go(['enter'], 'Set the secret TOKEN.');
  expect(app.sent).toEqual([`TOKEN=${text}!`]);
  expect(await app.secrets()).toEqual(['AUTH_KEY_SECRET', 'TOKEN']);
  await app.screen.waitFor('Secrets 2');
  expect(app.screen.raw).not.toContain('correct');
});

test('reports an invalid secret at the fields, and sends nothing', async () => {
  const app = await openSite();
  await app.go(['n', ...'not-a-name', 'enter'], 'Invalid name:');
  await app.screen.waitFor('The value must not be empty.');
  expect(app.sent).toEqual([]);
});

test('asks before it replaces an existing secret; No returns to the form', async () => {
  const app = await openSite();
  await app.go(
    ['n', ...'AUTH_KEY_SECRET', 'tab', ...'second', 'enter'],
    'already exists. Overwrite its value?',
  );
  await app.go(['enter'], 'New secret');
  expect(app.sent).toEqual([]);
  await app.go(['enter'], 'already exists');
  await app.go(['down', 'enter'], 'Set the secret AUTH_KEY_SECRET.');
  expect(app.sent).toEqual(['AUTH_KEY_SECRET=second']);
});

test('changes the value of a secret', async () => {
  const app = await openSite();
  await app.go(['G'], (screen) => screen.selected()?.includes('AUTH_KEY_SECRET') ?? false);
  await app.go(['e'], 'New value of the secret AUTH_KEY_SECRET');
  await app.go([...'new', 'enter'], 'Set the secret AUTH_KEY_SECRET.');
  expect(app.sent).toEqual(['AUTH_KEY_SECRET=new']);
});

test('deletes only the selected secret, and only after Yes is selected, which is not the default', async () => {
  const app = await openSite();
  await app.go(['G'], (screen) => screen.selected()?.includes('AUTH_KEY_SECRET') ?? false);
  await app.go(['d'], 'Delete the secret AUTH_KEY_SECRET from the worker site?');
  await app.go(['enter'], 'n new secret');
  expect(await app.secrets()).toEqual(['AUTH_KEY_SECRET']);
  await app.go(['d'], 'Delete the secret');
  await app.go(['down', 'enter'], 'Deleted the secret AUTH_KEY_SECRET.');
  expect(await app.secrets()).toEqual([]);
  await app.go(['d'], 'Only secrets can be changed here');
});

test('rolls back to the previous or the selected version only after Yes, and reports that no such version exists', async () => {
  const app = await openSite();
  const deployed = async () =>
    (await listDeployments(app.platform.session, 'site')).map(({ versions }) => versions[0]?.id ?? '');
  const [running = '', before = '', first = ''] = await deployed();
  const short = (id: string) => id.slice(0, 8);
  await app.go(['B'], `Roll the worker site back to version ${before}?`);
  expect(app.screen.text()).toContain(`Version ${running} stops immediately`);
  await app.go(['enter'], 'B roll back');
  expect(await deployed()).toHaveLength(3);
  await app.go(['B'], 'Roll the worker');
  await app.go(['down', 'enter'], 'These secrets get an older value, or are deleted: AUTH_KEY_SECRET.');
  expect(await deployed()).toHaveLength(3);
  await app.go(['down', 'enter'], `Rolled back to version ${before}.`);
  await app.screen.waitFor((screen) =>
    new RegExp(`^${short(before)} +running .*edgectl.* 0s`, 'm').test(screen.text()),
  );
  expect((await deployed())[0]).toBe(before);
  await app.go(['g', 'down', 'down', 'down'], (screen) => screen.selected()?.includes(short(first)) ?? false);
  await app.go(['B'], `Roll the worker site back to version ${first}?`);
  await app.go(['esc', 'up'], (screen) => screen.selected()?.includes(short(before)) ?? false);
  await app.go(['B'], 'This version is already running.');
});

test('deletes a worker only after a confirmation that lists what will be lost', async () => {
  const app = await openSite();
  await app.go(['esc'], '2 workers');
  await app.go(['d'], 'Delete the worker site with 3 deployed versions and 1 secret (AUTH_KEY_SECRET)?');
  await app.go(['enter'], 'd delete');
  await app.go(['d'], 'Delete the worker site');
  await app.go(['down', 'enter'], 'Deleted the worker site.');
  await app.screen.waitFor('1 worker');
  expect((await listWorkers(app.platform.session)).map(({ name }) => name)).toEqual(['batch']);
});

test('keeps the form and the hidden value when the platform rejects the secret', async () => {
  const refuse = new Problem('not-permitted', 'No permission.');
  const app = await openSite({ change: () => ({ putSecret: () => Promise.reject(refuse) }) });
  await app.go(['n', ...'TOKEN', 'tab', ...'hidden-text', 'enter'], 'error: No permission.');
  expect(app.screen.text()).toContain('*'.repeat('hidden-text'.length));
  expect(app.screen.raw).not.toContain('hidden-text');
});

test('changes nothing in a read-only session', async () => {
  const app = await openSite({ label: { readOnly: true } });
  for (const press of ['n', 'e', 'd', 'B']) {
    await app.go([press], 'This session is read-only.');
    await app.go(['down', 'up'], 'C logs');
  }
  expect(app.sent).toEqual([]);
});

test('rereads a worker and keeps the selection, even if someone else has set a secret', async () => {
  let gate = Promise.resolve();
  const app = await openSite({
    change: (real) => ({
      async read(name, signal) {
        await gate;
        return real.read(name, signal);
      },
    }),
  });
  await app.go(['down', 'down', 'down'], (screen) => screen.selected()?.includes('COLOUR') ?? false);
  await putSecret(app.platform.session, 'site', 'AAA', 'theirs');
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  await app.go(['r'], 'site · loading… · compatibility 2026-11-01');
  resolve();
  await app.go([], 'Secrets 2');
  expect(app.screen.selected()).toContain('COLOUR');
  await putSecret(app.platform.session, 'site', 'BBB', 'theirs');
  await app.go(
    ['n', ...'BBB', 'tab', ...'mine', 'enter'],
    'The secret BBB already exists. Overwrite its value?',
  );
  expect(app.sent).toEqual([]);
});

test('shows why a worker cannot be read, and rereads it on request', async () => {
  let broken = true;
  const app = await openSite({
    change: (real) => ({
      read: (name, signal) =>
        broken ? Promise.reject(new Problem('unreachable', 'No answer.')) : real.read(name, signal),
    }),
  });
  expect(app.screen.text()).toContain('error: No answer.');
  broken = false;
  await app.go(['r'], 'AUTH_KEY_SECRET');
});

test.each([
  [120, 40],
  [80, 24],
  [40, 12],
])('draws workers, a worker and the form of a secret on %ix%i', async (columns, rows) => {
  const app = await openSite({ columns, rows });
  const whole = () => {
    const lines = app.screen.lines();
    expect(lines.at(-1)).toMatch(/\? more$/);
    expect(lines.every((line) => measureCharacter(line) <= columns)).toBe(true);
  };
  whole();
  await app.go(['n'], '> Name');
  expect(app.screen.lines()).toHaveLength(rows);
  await app.go(['esc'], 'C logs');
  await app.go(['esc'], 'batch');
  whole();
});
