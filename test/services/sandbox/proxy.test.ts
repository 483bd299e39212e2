import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openProxyAccess } from '../../../src/services/sandbox/proxy.ts';
import { scratchFolder } from '../../support/world.ts';

const authority = '-----BEGIN CERTIFICATE-----\nthe proxy\n-----END CERTIFICATE-----\n';

/** Opens the sandbox's access with an environment, in a working directory with these files. */
async function openUnder(
  env: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
) {
  const folder = scratchFolder('access');
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const warned: string[] = [];
  const warn = (message: string) => void warned.push(message);
  const facts = { url: 'http://127.0.0.1:9', authority, host: 'api.cloudflare.com', warn };
  const access = await openProxyAccess({ env, cwd: folder, random: randomBytes }, folder, facts);
  return { folder, warned, ...access };
}

test("makes programs trust the certificate of the proxy in addition to this machine's certificates", async () => {
  const { ready, variables, remove, warned } = await openUnder({});
  expect(readFileSync(ready.caFile, 'utf8')).toBe(authority);
  const bundle = readFileSync(ready.caBundleFile, 'utf8');
  expect(bundle.match(/-----BEGIN/g)?.length).toBeGreaterThan(20);
  expect(bundle.endsWith(`-----END CERTIFICATE-----\n${authority}`)).toBe(true);
  expect(variables).toMatchObject({
    HTTPS_PROXY: 'http://127.0.0.1:9',
    https_proxy: 'http://127.0.0.1:9',
    NODE_USE_ENV_PROXY: '1',
    NODE_EXTRA_CA_CERTS: ready.caFile,
    SSL_CERT_FILE: ready.caBundleFile,
    CURL_CA_BUNDLE: ready.caBundleFile,
    REQUESTS_CA_BUNDLE: ready.caBundleFile,
  });
  await remove();
  expect([existsSync(dirname(ready.caBundleFile)), warned]).toEqual([false, []]);
});

test('trusts the certificates that the environment names instead of those of the machine', async () => {
  const corporate = '-----BEGIN CERTIFICATE-----\ncorporate\n-----END CERTIFICATE-----\n';
  const env = { SSL_CERT_FILE: 'corporate.pem', CURL_CA_BUNDLE: 'none.pem' };
  const { ready, variables, warned } = await openUnder(env, { 'corporate.pem': corporate });
  expect(readFileSync(variables['SSL_CERT_FILE'] ?? '', 'utf8')).toBe(corporate + authority);
  expect(variables['CURL_CA_BUNDLE']).toBe(ready.caBundleFile);
  expect(warned).toEqual([expect.stringContaining('Cannot read none.pem in CURL_CA_BUNDLE')]);
});

test("adds the proxy's certificate to the authorities of the AWS tools and of rclone, if the user has set them", async () => {
  const corporate = '-----BEGIN CERTIFICATE-----\ncorporate\n-----END CERTIFICATE-----\n';
  const env = { AWS_CA_BUNDLE: 'corporate.pem', RCLONE_CA_CERT: 'corporate.pem' };
  const { variables } = await openUnder(env, { 'corporate.pem': corporate });
  for (const name of ['AWS_CA_BUNDLE', 'RCLONE_CA_CERT'])
    expect(readFileSync(variables[name] ?? '', 'utf8')).toBe(corporate + authority);
  expect(Object.keys((await openUnder({})).variables)).not.toContain('AWS_CA_BUNDLE');
});

test.each([
  ['db.internal,10.0.0.0/8', 'db.internal,10.0.0.0/8', 0],
  ['*', '', 1],
  ['registry.npmjs.org, .cloudflare.com', 'registry.npmjs.org', 1],
  ['cloudflare.com api.cloudflare.com:443 *.cloudflare.com. com .api.cloudflare.com', '', 1],
])('bypasses the proxy with NO_PROXY=%s, in upper or lower case, for %j', async (named, saved, warnings) => {
  const { variables, warned } = await openUnder({ NO_PROXY: named });
  expect((await openUnder({ no_proxy: named })).variables).toMatchObject({ NO_PROXY: variables['NO_PROXY'] });
  const usual = 'localhost,127.0.0.1,::1,.localhost';
  expect(variables['NO_PROXY']).toBe(saved === '' ? usual : `${usual},${saved}`);
  expect(variables['no_proxy']).toBe(variables['NO_PROXY']);
  expect(warned).toHaveLength(warnings);
});
