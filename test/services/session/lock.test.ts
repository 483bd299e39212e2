import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { seal, unseal } from '../../../src/profiles/sealed.ts';
import { hashToken, putToken } from '../../../src/sandbox/session/tokens.ts';
import { inSoak } from '../../support/in-part.ts';
import { newPerson, type Person, runCommand } from '../../support/run-command.ts';
import { openServed, type Served } from '../../support/served.ts';
import { startGuard } from '../guard/start-guard.ts';

const passphrase = 'correct horse';

let served: Served;
let namespace: string;
let person: Person;
let token: string;

beforeAll(async () => {
  served = await openServed();
  namespace = await served.createNamespace();
  token = served.sandbox.access().apiToken;
});
afterAll(() => served.close());
beforeEach(async () => {
  person = newPerson();
  const place = [
    '--api-base-url',
    served.proxy.apiBaseUrl,
    '--account-id',
    served.sandbox.access().accountId,
  ];
  const added = await runCommand(person, ['profile', 'add', 'acme', '--use', ...place], { stdin: token });
  expect(added.code).toBe(0);
});

const profileFile = () => join(person.home, 'config', 'profiles', 'acme.json');
const lock = (...answers: string[]) =>
  runCommand(person, ['profile', 'lock', 'acme', ...(answers.length === 3 ? ['--read-only-token'] : [])], {
    answers,
  });
const put = (answers?: string[]) =>
  runCommand(person, ['kv', 'key', 'put', 'a', 'x', '--namespace-id', namespace], answers && { answers });
const get = () => runCommand(person, ['kv', 'key', 'get', 'a', '--namespace-id', namespace]);

/** Returns the text of all the user's files. */
function listStored(): string {
  return readdirSync(person.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

inSoak(() => {
  test('the hint about an unknown profile offers only profiles that can be locked, or unlocked', async () => {
    const refused = (command: string) => runCommand(person, ['profile', command, 'nope'], { answers: [] });
    expect(await refused('lock')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Profiles that can be used here: acme.'),
    });
    expect((await refused('unlock')).err).toContain('No stored profile can be used here.');
    await lock(passphrase, passphrase);
    expect((await refused('lock')).err).toContain('No stored profile can be used here.');
    expect((await refused('unlock')).err).toContain('Profiles that can be used here: acme.');
  });
});

test('a passphrase that is too short is rejected before it is typed again', async () => {
  const short = await runCommand(person, ['profile', 'lock', 'acme'], { answers: ['short'] });
  expect([short.code, short.err]).toEqual([2, expect.stringContaining('at least 8 characters')]);
});

test('changes nothing with a locked profile without its passphrase, and asks for the passphrase once', async () => {
  expect((await put()).code).toBe(0);
  const locked = await lock(passphrase, passphrase);
  expect([locked.code, locked.out]).toEqual([
    0,
    'Locked profile "acme". Every request requires its passphrase.\n',
  ]);
  expect(listStored()).not.toContain(token);
  expect(listStored()).not.toContain(passphrase);
  const closed = await put();
  expect([closed.code, closed.err]).toEqual([4, expect.stringContaining('Profile "acme" is locked')]);
  expect((await get()).code).toBe(4);
  const opened = await put(['a wrong one', passphrase]);
  expect(opened.code).toBe(0);
  expect(opened.err).toContain(
    "Wrong passphrase, or the profile's file was changed. Passphrase of profile acme, to act on http://",
  );
  expect(opened.err).not.toContain(passphrase);
  const [, row] = JSON.parse((await runCommand(person, ['profile', 'list', '--json'])).out);
  expect(row).toMatchObject({ name: 'acme', locked: true, signsInWith: 'token' });
  expect((await runCommand(person, ['profile', 'list'])).out).toContain('API token  locked');
  const unlocked = await runCommand(person, ['profile', 'unlock', 'acme', '--json'], {
    answers: [passphrase],
  });
  expect(unlocked.code).toBe(0);
  expect((await put()).code).toBe(0);
});

inSoak(() => {
  test('asks for the passphrase only for changes if the profile has a token for reading', async () => {
    const group = 'Workers KV Storage Read';
    const readToken = 'a-token-that-only-reads';
    const resources = { [`com.cloudflare.api.account.${served.sandbox.access().accountId}`]: '*' as const };
    putToken(served.sandbox.platform, 'read', {
      id: 'read',
      name: 'read',
      owner: 'user',
      hash: hashToken(readToken),
      status: 'active',
      policies: [{ id: 'p', effect: 'allow', permission_groups: [{ id: group, name: group }], resources }],
      issuedOn: 0,
      modifiedOn: 0,
    });
    expect((await lock(passphrase, passphrase, token)).err).toContain('is the same as the locked token');
    const locked = await lock(passphrase, passphrase, readToken);
    expect([locked.code, locked.out]).toEqual([0, 'Locked profile "acme". Changes need its passphrase.\n']);
    expect((await get()).out).toBe('x');
    expect((await put()).code).toBe(4);
    expect((await put([passphrase])).code).toBe(0);
  });
});

inSoak(() => {
  test('checks passphrases, and accepts them only at a terminal', async () => {
    expect((await lock('short', 'short')).err).toContain('A passphrase must have at least 8 characters.');
    expect((await lock(passphrase, 'another one')).err).toContain('The two passphrases differ');
    const piped = await runCommand(person, ['profile', 'lock', 'acme'], {
      stdin: `${passphrase}\n${passphrase}\n`,
    });
    expect([piped.code, piped.err]).toEqual([4, expect.stringContaining('only at a terminal')]);
    expect((await runCommand(person, ['profile', 'unlock', 'acme'])).err).toContain(
      'Profile "acme" is not locked.',
    );
    expect((await runCommand(person, ['profile', 'lock', 'nobody'], { answers: [] })).code).toBe(2);
    expect((await put()).code).toBe(0);
    await lock(passphrase, passphrase);
    expect((await lock(passphrase, passphrase)).err).toContain('is already locked');
  });
});

inSoak(() => {
  test('does not send the credentials of a locked profile to a changed address in its file', async () => {
    const locked = await runCommand(person, ['profile', 'lock', 'acme', '--json'], {
      answers: [passphrase, passphrase],
    });
    expect(JSON.parse(locked.out)).toEqual({ name: 'acme', locked: true, readOnlyToken: false });
    const text = readFileSync(profileFile(), 'utf8');
    writeFileSync(profileFile(), text.replace(served.proxy.apiBaseUrl, 'http://127.0.0.1:9/client/v4'), {
      mode: 0o600,
    });
    const ran = await put([passphrase, passphrase, passphrase]);
    expect([ran.code, ran.err]).toEqual([4, expect.stringContaining('Wrong passphrase for profile "acme"')]);
  });
});

inSoak(() => {
  test('decrypts sealed credentials only with the passphrase, for their profile, and if they are unchanged', async () => {
    const { randomBytes } = await import('node:crypto');
    const sealed = await seal({ token: 't' }, 'pässphrase', 'place', randomBytes);
    expect(await unseal(sealed, 'pa\u0308ssphrase', 'place')).toEqual({ token: 't' });
    expect(await unseal(sealed, 'passphrase', 'place')).toBeUndefined();
    expect(await unseal(sealed, 'pässphrase', 'another')).toBeUndefined();
    const spoilt = Buffer.from(sealed.data, 'base64');
    spoilt[0] = (spoilt[0] ?? 0) ^ 1;
    expect(
      await unseal({ ...sealed, data: spoilt.toString('base64') }, 'pässphrase', 'place'),
    ).toBeUndefined();
    expect(await unseal({ ...sealed, tag: sealed.tag.slice(0, 4) }, 'pässphrase', 'place')).toBeUndefined();
  });
});

inSoak(() => {
  test('requires the passphrase at a terminal to approve a request of a locked guard', async () => {
    await lock(passphrase, passphrase);
    const guard = await startGuard(person, ['--wait', '0'], { answers: [passphrase] });
    onTestFinished(async () => void (await guard.stop()));
    const account = served.sandbox.access().accountId;
    const path = `/accounts/${account}/storage/kv/namespaces/${namespace}/values/locked`;
    expect((await guard.call('PUT', path, { body: 'x' })).status).toBe(200);
    expect((await guard.call('DELETE', path)).status).toBe(403);
    const held = JSON.parse((await runCommand(person, ['guard', 'held', '--json'])).out);
    expect(held).toMatchObject([{ locked: 'acme', state: 'refused' }]);
    const approve = (...answers: string[]) =>
      runCommand(person, ['guard', 'approve', held[0].number], { answers });
    expect(await approve('y', 'guess')).toMatchObject({
      code: 3,
      err: expect.stringContaining('Not approved'),
    });
    expect((await guard.call('DELETE', path)).status).toBe(403);
    const [again] = JSON.parse((await runCommand(person, ['guard', 'held', '--json'])).out);
    held[0] = again;
    expect((await approve('y', passphrase)).code).toBe(0);
    expect((await guard.call('DELETE', path)).status).toBe(200);
    expect(listStored()).not.toContain(passphrase);
  });
});
