import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { program, type ServedSandbox, startSandbox, userEnvironment } from '../support/program.ts';
import { closePtys, openPty, type Pty } from '../support/pty.ts';
import { newPerson } from '../support/run-command.ts';

/** The first minutes of a user who has read nothing; each task starts where the previous one ended. */
describe.each([
  { columns: 120, rows: 40 },
  { columns: 80, rows: 24 },
])('on a terminal of $columns x $rows', (size) => {
  const { cwd } = newPerson();
  let served: ServedSandbox;
  let pty: Pty;

  beforeAll(async () => {
    served = await startSandbox(['--demo']);
    const { apiBaseUrl, apiToken, accountId } = served.ready;
    const env = {
      ...userEnvironment(cwd),
      EDGECTL_API_BASE_URL: apiBaseUrl,
      EDGECTL_API_TOKEN: apiToken,
      EDGECTL_ACCOUNT_ID: accountId,
    };
    pty = openPty(process.execPath, [program], { ...size, cwd, env });
    await pty.screen.waitFor('Needs attention');
  });
  afterAll(async () => {
    pty.press('q');
    expect((await pty.ended).code).toBe(0);
    closePtys();
    await served.stop();
  });

  /** Sends a request to the platform, and returns the response. */
  async function asked(path: string): Promise<Response> {
    const { apiBaseUrl, apiToken } = served.ready;
    return fetch(`${apiBaseUrl}${path}`, { headers: { authorization: `Bearer ${apiToken}` } });
  }
  async function rows<Row>(path: string): Promise<readonly Row[]> {
    const { result } = (await (await asked(path)).json()) as { readonly result: readonly Row[] };
    return result;
  }
  const inAccount = (path: string) => `/accounts/${served.ready.accountId}${path}`;
  async function idOf(title: string): Promise<string | undefined> {
    const all = await rows<{ id: string; title: string }>(inAccount('/storage/kv/namespaces?per_page=100'));
    return all.find((namespace) => namespace.title === title)?.id;
  }
  async function go(presses: readonly string[], wanted: string): Promise<void> {
    pty.press(...presses);
    await pty.screen.waitFor(wanted);
  }

  test('a newcomer creates a namespace', { timeout: 60_000 }, async () => {
    await go(['1'], 'shop-CATALOGUE');
    await go(['n'], '> Title');
    await go([...'my-first', 'enter'], 'Created my-first.');
    expect(await idOf('my-first')).toMatch(/^[0-9a-f]{32}$/);
  });

  test('a newcomer writes expiring keys, after an invalid time and with a pasted value', {
    timeout: 60_000,
  }, async () => {
    const keys = inAccount(`/storage/kv/namespaces/${await idOf('my-first')}`);
    await go(['enter'], 'No keys yet');
    await go(['n'], '> Key');
    await go([...'user:1', 'enter'], '> Value');
    await go([...'hello', 'tab'], '> TTL');
    await go([...'tomorrow', 'enter'], 'Not a time.');
    await go(['ctrl+u', ...'1h', 'enter'], 'Stored user:1.');
    const [entry] = await rows<{ name: string; expiration: number }>(`${keys}/keys`);
    expect(entry?.name).toBe('user:1');
    expect(Math.abs((entry?.expiration ?? 0) - 3600 - Date.now() / 1000)).toBeLessThan(60);
    await go(['n'], '> Key');
    await go([...'config', 'enter'], '> Value');
    pty.send('\u001b[200~{\r  "plan": "pro"\r}\u001b[201~');
    await go([], '3 lines');
    await go(['tab', ...'2099-12-24 18:00', 'enter'], 'Stored config.');
    expect(await (await asked(`${keys}/values/config`)).text()).toBe('{\n  "plan": "pro"\n}');
    const expirations = (await rows<{ expiration: number }>(`${keys}/keys`)).map(
      ({ expiration }) => expiration,
    );
    expect(expirations).toContain(Date.UTC(2099, 11, 24, 18) / 1000);
  });

  test('a newcomer finds the cause of a failing hostname', { timeout: 60_000 }, async () => {
    await go(['3'], 'slow-panel.demo');
    await go(['/', ...'slow-panel', 'enter'], 'filter: slow-panel');
    await go(['D'], 'edgectl hostname refresh forms.slow-panel.demo');
    expect(pty.screen.text()).toContain('forms.slow-panel.demo: 1 error');
  });

  test('a newcomer fixes the hostname, and sees that it works without another key press', {
    timeout: 60_000,
  }, async () => {
    await go(['f'], 'Apply this step');
    await go(['y'], 'Done: restart validation of forms.slow-panel.demo.');
    await pty.screen.waitFor(
      (screen) => /slow-panel\.demo: no fault\s/.test(screen.text()) && !/progress:/.test(screen.text()),
      55_000,
    );
    const [hostname] = await rows<{ status: string; ssl: { status: string } }>(
      `/zones/${served.ready.zoneId}/custom_hostnames?hostname=forms.slow-panel.demo`,
    );
    expect([hostname?.status, hostname?.ssl.status]).toEqual(['active', 'active']);
  });

  test('a newcomer downloads a folder from a bucket', { timeout: 60_000 }, async () => {
    await go(['2'], 'shop-assets');
    await go(['enter'], 'css/');
    await go(['w'], 'Download css/');
    await go(['enter'], 'Downloaded 2 objects');
    const files = readdirSync(join(cwd, 'shop-assets', 'css'));
    expect(files).toHaveLength(2);
    for (const name of files) {
      const object = await asked(inAccount(`/r2/buckets/shop-assets/objects/css/${name}`));
      expect(readFileSync(join(cwd, 'shop-assets', 'css', name), 'utf8')).toBe(await object.text());
    }
  });
});
