import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const names = Array.from({ length: 12 }, (_, at) => `shop${at}.acme.com`);

async function createAll(): Promise<void> {
  writeFileSync(join(stage.cwd, 'all.csv'), ['hostname', ...names].join('\n'));
  expect((await stage.edgectl('hostname', 'create', '--file', 'all.csv')).code).toBe(0);
}

/** Returns the folder of checkpoints; a checkpoint is written after the first completed step. */
function checkpoints(): string {
  return join(stage.home, 'state', 'checkpoints');
}

/** Returns the hostnames in the result lines. */
function report(out: string): string[] {
  return out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { hostname: string }).hostname);
}

test('resumes an interrupted file with --resume, and restarts the validation of no hostname twice', async () => {
  await createAll();
  // Deletes the checkpoint that the creation has written.
  rmSync(checkpoints(), { recursive: true });
  const stop = new AbortController();
  const argv = ['hostname', 'refresh', '--file', 'all.csv', '--yes', '--json'];
  const sent = stage.edgectlWith({ interrupted: stop.signal }, ...argv);
  while (!existsSync(checkpoints())) await new Promise((settle) => setImmediate(settle));
  stop.abort();
  const first = await sent;
  expect(first).toMatchObject({ code: 130, err: expect.stringContaining('--resume') });
  const second = await stage.edgectl(...argv, '--resume');
  expect(second.code).toBe(0);
  expect([...report(first.out), ...report(second.out)]).toEqual(names);
});

test('asks for the number of deletes even for named hostnames, and does not accept "yes"', async () => {
  await createAll();
  const argv = ['hostname', 'delete', '--status', 'pending'];
  const no = await stage.edgectlWith({ answers: ['yes'] }, ...argv);
  expect(no).toMatchObject({
    code: 5,
    err: expect.stringContaining('shop0.acme.com, shop1.acme.com, shop10'),
  });
  const yes = await stage.edgectlWith({ answers: ['12'] }, ...argv);
  expect(yes).toMatchObject({ code: 0, err: expect.stringContaining('12 deleted. Total: 12 steps.') });
  expect(await stage.zone('GET', '/custom_hostnames')).toEqual([]);
});

test('selects hostnames by age with the clock of the platform', async () => {
  await createAll();
  await stage.advance(3 * 24 * 3600);
  await stage.zone('POST', '/custom_hostnames', {
    hostname: 'new.acme.com',
    ssl: { method: 'http', type: 'dv' },
  });
  const ran = await stage.edgectl(
    'hostname',
    'delete',
    '--older-than',
    '2d',
    '--yes',
    '--limit',
    '12',
    '--json',
  );
  expect(report(ran.out)).toEqual([...names].sort());
  expect((await stage.record('new.acme.com')).hostname).toBe('new.acme.com');
});

test('refuses a second command that changes several hostnames of a zone, and names the running command', async () => {
  await createAll();
  writeFileSync(join(stage.cwd, 'wanted.csv'), 'hostname,min_tls\nshop0.acme.com,1.3\n');
  const { promise: answer, resolve: say } = Promise.withResolvers<string>();
  const first = stage.edgectlWith({ answers: [answer] }, 'hostname', 'delete', '--status', 'pending');
  // The command waits for confirmation, and keeps the zone locked while it waits.
  while (!isHeld()) await new Promise((settle) => setImmediate(settle));
  const others = [
    ['hostname', 'delete', '--file', 'all.csv', '--yes', '--limit', '12'],
    ['hostname', 'edit', '--file', 'wanted.csv', '--yes'],
    ['hostname', 'refresh', '--status', 'pending', '--yes'],
    ['hostname', 'refresh', 'shop0.acme.com', 'shop1.acme.com'],
    ['hostname', 'reconcile', '--file', 'wanted.csv', '--yes'],
    ['hostname', 'diagnose', 'shop0.acme.com', '--fix', '--yes', '--no-probe'],
  ];
  for (const argv of others) {
    const err = expect.stringContaining(
      `Another command (process ${process.pid}) is changing the custom hostnames of this zone, so this command changed nothing.`,
    );
    expect(await stage.edgectl(...argv), argv.join(' ')).toMatchObject({ code: 1, out: '', err });
  }
  say('no');
  expect(await first).toMatchObject({ code: 5, out: '' });
  expect(isHeld()).toBe(false);
  expect((await stage.edgectl('hostname', 'edit', '--file', 'wanted.csv', '--yes')).code).toBe(0);
});

function isHeld(): boolean {
  const folder = join(stage.home, 'state', 'fleets');
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.held'));
}
