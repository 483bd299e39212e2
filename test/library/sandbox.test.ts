import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Cloudflare from 'cloudflare';
import { startSandbox } from 'edgectl/sandbox';
import { expect, test } from 'vitest';
import { inSoak } from '../support/in-part.ts';
import { scratchFolder } from '../support/world.ts';

test('starts a sandbox that answers the SDK, and leaves no files', async () => {
  let folder = '';
  {
    await using sandbox = await startSandbox();
    folder = sandbox.folder;
    const { apiToken, accountId } = sandbox;
    const client = new Cloudflare({ apiToken, baseURL: sandbox.apiBaseUrl });
    const made = await client.kv.namespaces.create({ account_id: accountId, title: 'web' });
    await client.kv.namespaces.values.update('greeting', {
      account_id: accountId,
      namespace_id: made.id,
      value: 'hello',
    });
    expect(await sandbox.requests({ method: 'PUT' })).toMatchObject([
      { status: 200, path: expect.stringContaining('/values/greeting') },
    ]);
  }
  expect(existsSync(folder)).toBe(false);
});

inSoak(() => {
  test('shares no data between two sandboxes that run at the same time', async () => {
    await using one = await startSandbox();
    await using other = await startSandbox({ demo: true });
    const zones = async ({ apiBaseUrl, apiToken }: typeof one) => {
      const answer = await fetch(`${apiBaseUrl}/accounts`, {
        headers: { authorization: `Bearer ${apiToken}` },
      });
      return answer.status;
    };
    expect(one.apiBaseUrl).not.toBe(other.apiBaseUrl);
    expect(await Promise.all([zones(one), zones(other)])).toEqual([200, 200]);
    expect(await zones({ ...one, apiToken: other.apiToken })).toBe(403);
    expect(await one.requests()).toHaveLength(2);
  });
});

test('starts from a seed, as a value or a file, and exports the seed', async () => {
  const file = 'examples/tests/seed.yaml';
  await using sandbox = await startSandbox({ seed: file });
  const { apiToken, accountId, zoneId } = sandbox;
  const client = new Cloudflare({ apiToken, baseURL: sandbox.apiBaseUrl });
  const hostnames = await client.customHostnames.list({ zone_id: zoneId });
  expect(hostnames.result.map(({ hostname, status }) => [hostname, status])).toEqual([
    ['shop.tea-house.demo', 'active'],
    ['www.bluebird.demo', 'moved'],
  ]);
  const snapshot = await sandbox.snapshot();
  await using other = await startSandbox({ seed: snapshot });
  expect((await other.snapshot()).namespaces).toEqual(snapshot.namespaces);
  await other.load({ namespaces: [{ title: 'more' }] });
  const titles = (await client.kv.namespaces.list({ account_id: accountId })).result;
  expect(titles.map(({ title }) => title)).toEqual(['flags']);
  const wrong = { hostnames: [{ hostname: 'a.demo', zone: 'nowhere.demo' }] };
  await expect(startSandbox({ seed: wrong })).rejects.toThrow(
    'hostnames[0].zone: zone "nowhere.demo" not found',
  );
});

test('applies faults, clock and reset only to the sandbox on which they were set', async () => {
  await using sandbox = await startSandbox();
  await sandbox.addFault({ match: 'GET /user/**', status: 429, retryAfter: 1, times: 1 });
  const ask = () =>
    fetch(`${sandbox.apiBaseUrl}/user/tokens/verify`, {
      headers: { authorization: `Bearer ${sandbox.apiToken}` },
    });
  expect([(await ask()).status, (await ask()).status]).toEqual([429, 200]);
  expect(await sandbox.faults()).toMatchObject([{ met: 1 }]);
  expect(await sandbox.clearFaults()).toBe(1);
  await expect(sandbox.addFault({ match: 'x', status: 500 })).rejects.toThrow('it must be a method or *');
  await sandbox.advanceClock(3600);
  await sandbox.reset();
  await sandbox.clearRequests();
  expect(await sandbox.requests()).toEqual([]);
});

test('keeps a named folder with its data', async () => {
  const dir = join(scratchFolder('library'), 'kept');
  const first = await startSandbox({ dir });
  await first.close();
  await first.close();
  const again = await startSandbox({ dir });
  expect(again.accountId).toBe(first.accountId);
  await expect(startSandbox({ dir })).rejects.toThrow('serves');
  await again.close();
  expect(existsSync(dir)).toBe(true);
});

test('returns environment variables that direct programs to the sandbox', async () => {
  await using sandbox = await startSandbox({ demo: true, proxy: true });
  expect(sandbox.env).toMatchObject({
    HTTPS_PROXY: sandbox.proxyUrl,
    NODE_EXTRA_CA_CERTS: sandbox.caFile,
    SSL_CERT_FILE: sandbox.caBundleFile,
    CLOUDFLARE_BASE_URL: sandbox.apiBaseUrl,
    CLOUDFLARE_API_TOKEN: sandbox.apiToken,
    EDGECTL_ZONE_ID: sandbox.zoneId,
  });
});

test('the example for node:test runs', () => {
  const run = spawnSync(process.execPath, ['--test', 'examples/tests/with-node-test.test.mjs'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  expect(run.stdout).toMatch(/^. pass 2$/m);
});

test('rejects an unknown option at run time', async () => {
  const mistyped = JSON.parse('{ "stricts": true }');
  await expect(startSandbox(mistyped)).rejects.toThrow(
    'startSandbox has no option stricts. Did you mean strict?',
  );
  const strange = JSON.parse('{ "quiet": true }');
  await expect(startSandbox(strange)).rejects.toThrow('Valid options: dir, demo, seed, strict, proxy, port,');
});

test.each([
  ['null', 'startSandbox, options: null is not an object.'],
  ['[]', 'options:'],
  ['{ "strict": "yes" }', 'startSandbox, strict: "yes" is invalid: it must be true or false.'],
  ['{ "port": 99999 }', 'startSandbox, port: 99999 is invalid: it must be a whole number from 0 to 65535.'],
  ['{ "seed": "" }', 'startSandbox, seed: "" is invalid: it must be a seed, or the path of a seed file.'],
])('rejects the options %s before anything is started', async (options, words) => {
  await expect(startSandbox(JSON.parse(options))).rejects.toThrow(words);
});

test('rejects an unknown filter, and calls after the sandbox was closed', async () => {
  const sandbox = await startSandbox();
  await expect(sandbox.requests(JSON.parse('{ "methd": "PUT" }'))).rejects.toThrow(
    'methd is not a filter; valid filters are since, method, path, status, limit.',
  );
  await expect(sandbox.requests(JSON.parse('{ "status": 404 }'))).rejects.toThrow(', not 404.');
  await expect(sandbox.requests({ limit: 0 })).rejects.toThrow(
    'limit must be a whole number of at least 1, not 0.',
  );
  await sandbox.close();
  await expect(sandbox.requests()).rejects.toThrow('This sandbox is closed');
});

test.each(['edgectl/sandbox', 'edgectl/diagnosis'])(
  '%s names the required Node version if an older Node imports it',
  (name) => {
    // The library throws the same error as `edgectl` itself. `npm run test:nodes` tests a real old version of Node.
    const script = `Object.defineProperty(process.versions,'node',{value:'20.19.5'});require('${name}')`;
    const { stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
    expect(stderr).toContain('Error: edgectl needs Node 22.22 or newer; this is 20.19.5.');
  },
);
