import type Cloudflare from 'cloudflare';
import { toFile } from 'cloudflare';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LoggedRequest } from '../../src/model/sandbox/logged-request.ts';
import { openWorkerSandbox, type WorkerSandbox } from '../sandbox/workers/test-sandbox.ts';
import { listAll, sdkClient, sdkFailure } from './sdk-client.ts';

let place: WorkerSandbox;
let client: Cloudflare;
let account_id: string;

beforeAll(async () => {
  place = await openWorkerSandbox('over a socket');
  account_id = place.sandbox.access().accountId;
  client = sdkClient(place);
});
afterAll(() => place.close());

/**
 * The SDK sends every upload, including forms, with the content type of JavaScript. If that header is removed, fetch sets the content type
 * of the form.
 */
const asForm = { headers: { 'content-type': null } };

const source = `export default { fetch(request, env) {
  return Response.json({ word: env.WORD, count: env.LIST?.length, secret: env.TOKEN, other: env.OTHER });
} }`;
const seen = async () => JSON.parse((await place.visit('sdk', '/')).text);
const file = (content: string, name = 'index.js') =>
  toFile(Buffer.from(content), name, { type: 'application/javascript+module' });

describe('the official SDK', () => {
  test('the SDK uploads a worker with its metadata as form fields, and enables its route', async () => {
    const metadata = {
      main_module: 'index.js',
      compatibility_date: '2026-11-01',
      bindings: [
        { type: 'plain_text' as const, name: 'WORD', text: 'spread' },
        { type: 'secret_text' as const, name: 'TOKEN', text: 'uploaded' },
      ],
    };
    const files = [await file(source)];
    const uploaded = await client.workers.scripts.update('sdk', { account_id, metadata, files }, asForm);
    expect(uploaded).toMatchObject({ id: 'sdk', compatibility_date: '2026-11-01', has_modules: true });
    expect((await place.visit('sdk', '/')).status).toBe(530);
    const subdomain = await client.workers.scripts.subdomain.create('sdk', { account_id, enabled: true });
    expect(subdomain).toMatchObject({ enabled: true });
    expect(await seen()).toEqual({ word: 'spread', secret: 'uploaded' });
  });

  test('the SDK lists scripts and reads code and settings, without the value of a secret', async () => {
    const scripts = await listAll(client.workers.scripts.list({ account_id }));
    expect(scripts.map(({ id }) => id)).toEqual(['sdk']);
    const content = await client.workers.scripts.content.get('sdk', { account_id });
    const form = await content.formData();
    expect(content.headers.get('cf-entrypoint')).toBe('index.js');
    expect(await (form.get('index.js') as File).text()).toBe(source);
    const settings = await client.workers.scripts.scriptAndVersionSettings.get('sdk', { account_id });
    expect(settings.bindings).toEqual([
      { type: 'plain_text', name: 'WORD', text: 'spread' },
      { type: 'secret_text', name: 'TOKEN' },
    ]);
  });

  test('the SDK sets, lists, reads and deletes secrets, one by one and in bulk', async () => {
    const { secrets } = client.workers.scripts;
    const set = await secrets.update('sdk', { account_id, name: 'OTHER', text: 'set', type: 'secret_text' });
    expect(set).toEqual({ name: 'OTHER', type: 'secret_text' });
    expect(await seen()).toMatchObject({ other: 'set', secret: 'uploaded' });
    const list = await listAll(secrets.list('sdk', { account_id }));
    expect(list.map(({ name }) => name).sort()).toEqual(['OTHER', 'TOKEN']);
    expect(await secrets.get('OTHER', { account_id, script_name: 'sdk' })).toEqual(set);
    await secrets.delete('OTHER', { account_id, script_name: 'sdk' });
    expect(Object.keys(await seen())).toEqual(['word', 'secret']);
    await secrets.bulkUpdate('sdk', {
      account_id,
      secrets: { TOKEN: null, OTHER: { name: 'OTHER', text: 'bulk', type: 'secret_text' } },
    });
    expect(await seen()).toEqual({ word: 'spread', other: 'bulk' });
    expect(await sdkFailure(secrets.get('TOKEN', { account_id, script_name: 'sdk' }))).toMatchObject({
      codes: [10056],
    });
  });

  test('the SDK replaces only the code, and only the settings', async () => {
    const other = source.replace('env.WORD', "env.WORD + '!'");
    await client.workers.scripts.content.update('sdk', {
      account_id,
      metadata: { main_module: 'index.js' },
      files: [await file(other)],
    });
    expect(await seen()).toEqual({ word: 'spread!', other: 'bulk' });
    await client.workers.scripts.scriptAndVersionSettings.edit('sdk', {
      account_id,
      settings: {
        bindings: [
          { type: 'plain_text', name: 'WORD', text: 'edited' },
          { type: 'inherit', name: 'OTHER' },
        ],
      },
    });
    expect(await seen()).toEqual({ word: 'edited!', other: 'bulk' });
  });

  test('the SDK creates a version, deploys it and reads versions and deployments', async () => {
    const { versions, deployments } = client.workers.scripts;
    const version = await versions.create('sdk', {
      account_id,
      metadata: { main_module: 'index.js', keep_bindings: ['secret_text'] },
      files: [await file(source.replace('env.WORD', "'version'"))],
    });
    expect(await seen()).toMatchObject({ word: 'edited!' });
    const id = version.id ?? '';
    await deployments.create('sdk', {
      account_id,
      strategy: 'percentage',
      versions: [{ version_id: id, percentage: 100 }],
    });
    expect(await seen()).toEqual({ word: 'version', other: 'bulk' });
    const found = await versions.get(id, { account_id, script_name: 'sdk' });
    expect(found).toMatchObject({ id, number: version.number });
    const listed = await listAll(versions.list('sdk', { account_id, per_page: 2 }));
    expect(listed.map(({ number }) => number)).toEqual(
      Array.from({ length: listed.length }, (_, at) => listed.length - at),
    );
    expect(listed[0]?.id).toBe(id);
    expect(JSON.stringify(listed)).not.toContain('"text":"bulk"');
  });

  test('the SDK changes settings of the script, and reads settings of the account', async () => {
    const settings = await client.workers.scripts.settings.edit('sdk', { account_id, tags: ['one'] });
    expect(settings).toMatchObject({ tags: ['one'], logpush: false });
    expect(await client.workers.subdomains.get({ account_id })).toMatchObject({ subdomain: 'sandbox' });
    expect(await client.workers.accountSettings.get({ account_id })).toMatchObject({
      default_usage_model: 'standard',
    });
    const [worker] = await listAll(client.workers.beta.workers.list({ account_id }));
    expect(worker).toMatchObject({ name: 'sdk', tags: ['one'], subdomain: { enabled: true } });
    expect(await client.workers.beta.workers.get(worker?.id ?? '', { account_id })).toEqual(worker);
  });

  test('the SDK reports errors for missing resources and for code that does not run', async () => {
    const { scripts } = client.workers;
    expect(await sdkFailure(scripts.secrets.list('nobody', { account_id }))).toMatchObject({
      codes: [10007],
    });
    expect(await sdkFailure(scripts.settings.get('nobody', { account_id }))).toMatchObject({
      codes: [10007],
    });
    const metadata = { main_module: 'index.js' };
    const upload = async (name: string, content: string) =>
      scripts.update(name, { account_id, metadata, files: [await file(content)] }, asForm);
    expect(await sdkFailure(upload('broken', 'export default {'))).toMatchObject({ codes: [10021] });
    expect(await sdkFailure(upload('Not_A_Name', source))).toMatchObject({ codes: [10016] });
  });

  test('the SDK deletes the worker', async () => {
    await client.workers.scripts.delete('sdk', { account_id });
    expect(await listAll(client.workers.scripts.list({ account_id }))).toEqual([]);
    expect((await place.visit('sdk', '/')).status).toBe(530);
  });

  test('the SDK sends no form part or field that the sandbox ignores', async () => {
    const headers = { authorization: `Bearer ${place.sandbox.access().apiToken}` };
    const answer = await fetch(`${place.apiBaseUrl}/sandbox/requests`, { headers });
    const requests: readonly LoggedRequest[] = JSON.parse(await answer.text()).result;
    expect(
      requests.some(({ method, route }) => method === 'PUT' && route?.endsWith('/scripts/:script')),
    ).toBe(true);
    const notes = requests.flatMap(({ notes: all }) => all);
    expect(notes.filter((note) => /^the (?:part|field (?:metadata|settings)\.)/.test(note))).toEqual([]);
  });
});
