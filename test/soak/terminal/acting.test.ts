import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, expect, test } from 'vitest';
import { program, startSandbox, userEnvironment } from '../../support/program.ts';
import { closePtys, openPty, type Pty } from '../../support/pty.ts';
import { newPerson } from '../../support/run-command.ts';

afterEach(closePtys);

/**
 * Opens the console for a person who has three profiles: one for a platform that responds, one for a platform that rejects the credentials,
 * and one for a platform that no longer exists.
 */
async function openWithProfiles(): Promise<{ readonly pty: Pty; stop(): Promise<void> }> {
  const { cwd } = newPerson();
  const { ready, stop } = await startSandbox(['--demo']);
  const folder = join(cwd, '.config', 'edgectl', 'profiles');
  mkdirSync(folder, { recursive: true });
  const add = (name: string, apiBaseUrl: string, token: string) =>
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ apiBaseUrl, auth: { token } }));
  add('acme', ready.apiBaseUrl, ready.apiToken);
  add('wrong', ready.apiBaseUrl, 'x'.repeat(40));
  add('gone', 'http://127.0.0.1:9/client/v4', 'x'.repeat(40));
  const options = { cwd, env: userEnvironment(cwd), columns: 100, rows: 30 };
  return { pty: openPty(process.execPath, [program, 'console', 'kv', '--sandbox'], options), stop };
}

test('switches to another profile, and keeps the current profile if the other profile cannot be opened', async () => {
  const { pty, stop } = await openWithProfiles();
  const { screen, press, ended } = pty;
  await screen.waitFor('No namespaces');
  for (const [name, reason] of [
    ['gone', 'the connection was refused'],
    ['wrong', 'error:'],
  ] as const) {
    press('Z');
    await screen.waitFor(`  ${name}  `);
    press(...name, 'enter');
    await screen.waitFor(reason);
    press('esc');
    await screen.waitFor('No namespaces');
    expect(screen.lines()[0]).toMatch(/^SANDBOX +sandbox/);
  }
  press('Z');
  await screen.waitFor('  acme  ');
  press(...'acme', 'enter');
  await screen.waitFor('shop-CATALOGUE');
  expect(screen.lines()[0]).toMatch(/^PRODUCTION +acme · /);
  press('Z');
  await screen.waitFor('you are here');
  press(...'sandbox', 'enter');
  await screen.waitFor('No namespaces');
  expect(screen.lines()[0]).toMatch(/^SANDBOX +sandbox/);
  press('q');
  expect((await ended).code).toBe(0);
  await stop();
});
