import { describe, expect, test } from 'vitest';
import type { Problem } from '../../src/model/problem.ts';
import {
  type CredentialInput,
  isFolderProfileUsed,
  resolveCredentials,
  sourceLabel,
} from '../../src/profiles/credentials.ts';
import type { Profile } from '../../src/profiles/profile.ts';

/** Returns an id in the platform's format, which differs for each name. */
function getId(name: string): string {
  return Buffer.from(name).toString('hex').padEnd(32, '0').slice(0, 32);
}

const prod: Profile = {
  name: 'prod',
  apiBaseUrl: 'https://prod.example.com/client/v4',
  auth: { email: 'ops@example.com', apiKey: 'prod-key' },
  accountId: getId('prod-account'),
  zoneId: getId('prod-zone'),
  brand: 'acme',
};

const bare: Profile = {
  name: 'bare',
  apiBaseUrl: 'https://bare.example.com/client/v4',
  auth: { token: 'bare-token' },
  brand: 'cloudflare',
};

const locked: Profile = { ...bare, name: 'locked', readOnly: true };

type Given = Partial<Omit<CredentialInput, 'profiles'>> & { chosen?: string };

/** Resolves credentials with the profiles `prod` and `bare`, and reports whether the profiles were opened. */
async function resolve({ chosen, ...given }: Given) {
  let opened = false;
  const credentials = await resolveCredentials({
    env: {},
    flags: {},
    ...given,
    profiles: async () => {
      opened = true;
      return {
        find: (name) => [prod, bare, locked].find((profile) => profile.name === name),
        names: () => ['bare', 'prod'],
        chosen: () => chosen,
      };
    },
  });
  return { ...credentials, opened };
}

const own = { EDGECTL_API_TOKEN: 'own-token', EDGECTL_ACCOUNT_ID: getId('own-account') };
const other = {
  CLOUDFLARE_API_TOKEN: 'other-token',
  CLOUDFLARE_ACCOUNT_ID: getId('other-account'),
  CLOUDFLARE_API_BASE_URL: 'https://other.example.com/client/v4',
};

describe('the source of the credentials', () => {
  test('is the profile of the flag, even with a complete environment', async () => {
    expect(await resolve({ env: { ...own, ...other }, flags: { profile: 'prod' }, chosen: 'bare' })).toEqual({
      kind: 'platform',
      apiBaseUrl: 'https://prod.example.com/client/v4',
      auth: { email: 'ops@example.com', apiKey: 'prod-key' },
      accountId: getId('prod-account'),
      accountOrigin: { profile: 'prod' },
      zoneId: getId('prod-zone'),
      zoneOrigin: { profile: 'prod' },
      brand: 'acme',
      source: { kind: 'profile', name: 'prod', by: 'flag' },
      opened: true,
    });
  });

  test('is the sandbox of the flag, in either form', async () => {
    for (const flags of [{ profile: 'sandbox' }]) {
      expect(await resolve({ env: own, flags, config: { accountId: getId('from-file') } })).toEqual({
        kind: 'sandbox',
        source: { kind: 'profile', name: 'sandbox', by: 'flag' },
        opened: false,
      });
    }
  });

  test('is our variables, without reading profiles or other variables', async () => {
    expect(await resolve({ env: { ...own, ...other, EDGECTL_PROFILE: 'prod' }, chosen: 'bare' })).toEqual({
      kind: 'platform',
      apiBaseUrl: 'https://api.cloudflare.com/client/v4',
      auth: { token: 'own-token' },
      accountId: getId('own-account'),
      accountOrigin: { variable: 'EDGECTL_ACCOUNT_ID' },
      brand: 'cloudflare',
      source: { kind: 'environment', family: 'EDGECTL', variables: 'EDGECTL_API_TOKEN' },
      opened: false,
    });
  });

  test('is the profile in EDGECTL_PROFILE before the provider’s variables', async () => {
    expect(await resolve({ env: { ...other, EDGECTL_PROFILE: 'prod' }, chosen: 'bare' })).toMatchObject({
      auth: prod.auth,
      accountId: getId('prod-account'),
      source: { kind: 'profile', name: 'prod', by: 'environment' },
    });
    const zoneId = getId('zone');
    expect(await resolve({ env: { EDGECTL_PROFILE: 'sandbox', EDGECTL_ZONE_ID: zoneId } })).toMatchObject({
      kind: 'sandbox',
      zoneId,
    });
  });

  test("is the provider's variables, without opening the profiles", async () => {
    expect(await resolve({ env: other, chosen: 'prod' })).toMatchObject({
      apiBaseUrl: 'https://other.example.com/client/v4',
      auth: { token: 'other-token' },
      accountId: getId('other-account'),
      source: { kind: 'environment', family: 'CLOUDFLARE', variables: 'CLOUDFLARE_API_TOKEN' },
      opened: false,
    });
  });

  test('is the chosen profile if there is no other source', async () => {
    expect(await resolve({ chosen: 'bare' })).toMatchObject({
      auth: { token: 'bare-token' },
      source: { kind: 'profile', name: 'bare', by: 'choice' },
    });
    expect(await resolve({ chosen: 'sandbox' })).toMatchObject({ kind: 'sandbox' });
  });

  test('is missing without any credentials, and an error explains what to do', async () => {
    await expect(resolve({})).rejects.toMatchObject({
      code: 'not-signed-in',
      remedy: { kind: 'sign-in' },
    });
  });
});

describe('credentials in the environment', () => {
  test('prefers a token to e-mail and key, and supports both in either family of variables', async () => {
    const pair = { EDGECTL_API_EMAIL: 'a@b.c', EDGECTL_API_KEY: 'key' };
    expect(await resolve({ env: pair })).toMatchObject({
      auth: { email: 'a@b.c', apiKey: 'key' },
      source: { variables: 'EDGECTL_API_EMAIL and EDGECTL_API_KEY' },
    });
    expect(await resolve({ env: { ...pair, ...own } })).toMatchObject({ auth: { token: 'own-token' } });
    const theirs = { CLOUDFLARE_EMAIL: 'd@e.f', CLOUDFLARE_API_KEY: 'theirs' };
    expect(await resolve({ env: theirs })).toMatchObject({ auth: { email: 'd@e.f', apiKey: 'theirs' } });
  });

  test('treats an empty variable as unset', async () => {
    const env = { ...other, EDGECTL_API_TOKEN: '', EDGECTL_PROFILE: '', EDGECTL_ACCOUNT_ID: '' };
    expect(await resolve({ env })).toMatchObject({ auth: { token: 'other-token' } });
  });

  test.each([
    [{ EDGECTL_API_EMAIL: 'a@b.c' }, 'EDGECTL_API_EMAIL is set, but EDGECTL_API_KEY is not'],
    [{ EDGECTL_API_KEY: 'k' }, 'EDGECTL_API_KEY is set, but EDGECTL_API_EMAIL is not'],
    [{ EDGECTL_API_BASE_URL: 'https://x/client/v4' }, 'EDGECTL_API_BASE_URL is set without credentials'],
    [
      { EDGECTL_API_BASE_URL: 'https://x/client/v4', EDGECTL_PROFILE: 'prod' },
      'EDGECTL_API_BASE_URL is set without',
    ],
    [{ EDGECTL_ACCOUNT_ID: 'a' }, 'EDGECTL_ACCOUNT_ID is set without credentials'],
    [{ EDGECTL_ZONE_ID: 'z' }, 'EDGECTL_ZONE_ID is set without credentials'],
  ])('refuses the variables %j, and does not combine them with another source', async (env, message) => {
    for (const rest of [{}, other]) {
      await expect(resolve({ env: { ...env, ...rest }, chosen: 'prod' })).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining(message),
      });
    }
    expect(await resolve({ env, flags: { profile: 'bare' } })).toMatchObject({ auth: bare.auth });
  });

  test('refuses an obsolete variable, and names the flag to use instead', async () => {
    await expect(resolve({ env: { EDGECTL_ACCOUNT_ID: 'a' }, chosen: 'prod' })).rejects.toMatchObject({
      hint: expect.stringContaining('unset EDGECTL_ACCOUNT_ID and use --account-id.'),
    });
  });

  test('ignores an incomplete pair of variables of another tool', async () => {
    const env = { CLOUDFLARE_EMAIL: 'a@b.c', CLOUDFLARE_ACCOUNT_ID: 'x' };
    expect(await resolve({ env, chosen: 'bare' })).toMatchObject({
      auth: bare.auth,
      source: { name: 'bare' },
    });
  });

  test.each(['with space', 'line\n', 'tab\t', 'naïve', '‮', '\u007f'])(
    'refuses the token %j without showing it',
    async (token) => {
      const failure: Problem = await resolve({ env: { EDGECTL_API_TOKEN: token } }).then(
        () => expect.unreachable(),
        (error: Problem) => error,
      );
      expect(failure).toMatchObject({
        code: 'usage',
        message: expect.stringContaining('(EDGECTL_API_TOKEN)'),
        hint: expect.stringContaining('often comes from copying'),
      });
      expect(failure.message).not.toContain(token.trim());
    },
  );

  test('names the variable of an invalid base URL', async () => {
    await expect(
      resolve({ env: { ...own, EDGECTL_API_BASE_URL: 'http://evil.com/client/v4' } }),
    ).rejects.toMatchObject({
      message: expect.stringContaining('(EDGECTL_API_BASE_URL)'),
    });
  });
});

describe('the account and the zone', () => {
  const config = { accountId: getId('file-account'), zoneId: getId('file-zone') };

  test.each([
    [
      'those of the flags first',
      { flags: { profile: 'prod', accountId: getId('typed') }, config },
      getId('typed'),
      getId('prod-zone'),
    ],
    [
      'of the typed profile',
      { flags: { profile: 'prod' }, config },
      getId('prod-account'),
      getId('prod-zone'),
    ],
    [
      'of the file, if the typed profile has none',
      { flags: { profile: 'bare' }, config },
      getId('file-account'),
      getId('file-zone'),
    ],
    ['of the environment', { env: own, config }, getId('own-account'), getId('file-zone')],
    [
      'of the environment with EDGECTL_PROFILE',
      { env: { EDGECTL_PROFILE: 'prod', EDGECTL_ACCOUNT_ID: getId('env') }, config },
      getId('env'),
      getId('prod-zone'),
    ],
    [
      'of the profile in EDGECTL_PROFILE',
      { env: { EDGECTL_PROFILE: 'prod' }, config },
      getId('prod-account'),
      getId('prod-zone'),
    ],
    [
      'of the file, before those of a profile that was only chosen',
      { chosen: 'prod', config },
      getId('file-account'),
      getId('file-zone'),
    ],
    [
      'of the file, before those of a profile bound to the folder',
      { bound: async () => ({ name: 'prod', path: '/project/.edgectl-profile', accepted: true }), config },
      getId('file-account'),
      getId('file-zone'),
    ],
    ['of the chosen profile without a file', { chosen: 'prod' }, getId('prod-account'), getId('prod-zone')],
    ['absent without a source', { chosen: 'bare' }, undefined, undefined],
    [
      'those of the flags for the sandbox, never those of the file',
      { flags: { profile: 'sandbox', zoneId: getId('z') }, config },
      undefined,
      getId('z'),
    ],
  ] satisfies [string, Given, string | undefined, string | undefined][])(
    'the account and the zone are %s',
    async (_, given, account, zone) => {
      const credentials = await resolve(given);
      expect([credentials.accountId, credentials.zoneId]).toEqual([account, zone]);
    },
  );

  test.each(['', 'a/b', '..', 'x'.repeat(65), 'a b'])('refuses %j as an account id', async (accountId) => {
    await expect(resolve({ env: own, flags: { accountId } })).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('flags', () => {
  test('uses the base URL of the flag instead of the base URL of the environment or the profile', async () => {
    const flags = { apiBaseUrl: 'http://127.0.0.1:8787/client/v4/' };
    expect(await resolve({ env: own, flags })).toMatchObject({
      apiBaseUrl: 'http://127.0.0.1:8787/client/v4',
    });
    expect(await resolve({ flags: { ...flags, profile: 'prod' } })).toMatchObject({ auth: prod.auth });
  });

  test.each([
    [{ profile: 'sandbox', apiBaseUrl: 'https://x/client/v4' }, 'The sandbox has its own base URL'],
    [{ profile: 'nope' }, 'Profile "nope" not found'],
    [{ profile: 'prod', apiBaseUrl: 'https://x' }, '(typed) does not end in /client/v4'],
  ])('refuses the flags %j', async (flags, message) => {
    await expect(resolve({ env: own, flags })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message),
    });
  });
});

test('lists the existing profiles in an error about a missing profile', async () => {
  await expect(resolve({ env: { EDGECTL_PROFILE: 'nope' } })).rejects.toMatchObject({
    code: 'usage',
    hint: 'Existing profiles: sandbox, bare, prod.',
  });
  await expect(resolve({ chosen: 'gone' })).rejects.toMatchObject({
    code: 'usage',
    message: 'The chosen profile "gone" no longer exists.',
    remedy: { kind: 'choose-profile', names: ['sandbox', 'bare', 'prod'] },
  });
  await expect(resolve({ bound: bound('gone', true) })).rejects.toMatchObject({
    code: 'usage',
    message: '/p/.edgectl-profile selects the profile "gone", which does not exist.',
    remedy: { kind: 'bind-another', names: ['sandbox', 'bare', 'prod'] },
  });
});

test('describes the source of the credentials', () => {
  expect(sourceLabel({ kind: 'profile', name: 'prod', by: 'flag' })).toBe('profile prod');
  expect(sourceLabel({ kind: 'environment', family: 'EDGECTL', variables: 'EDGECTL_API_TOKEN' })).toBe(
    'the environment (EDGECTL_API_TOKEN)',
  );
});

const bound = (name: string, accepted: boolean) => async () => ({
  name,
  accepted,
  path: '/p/.edgectl-profile',
});

// SECURITY.md: the profile of a folder never allows a change that the chosen profile forbids.
test.each([
  ['prod', true, undefined, undefined],
  ['prod', true, 'bare', undefined],
  ['prod', true, 'sandbox', undefined],
  ['prod', true, 'locked', 'chosen'],
  ['prod', false, 'locked', 'chosen'],
  ['prod', false, undefined, 'not-accepted'],
  ['locked', true, 'bare', 'own'],
  ['locked', false, 'locked', 'own'],
])(
  'uses the profile of a folder bound to %s, accepted %s, while %s is chosen: read-only as %s',
  async (name, accepted, chosen, readOnly) => {
    const credentials = await resolve({
      bound: bound(name, accepted),
      ...(chosen !== undefined && { chosen }),
    });
    expect(credentials.source).toEqual({ kind: 'profile', name, by: 'folder', path: '/p/.edgectl-profile' });
    expect(credentials.readOnly).toBe(readOnly);
  },
);

test.each([
  [{}, {}, true],
  [{ profile: 'prod' }, {}, false],
  [{}, own, false],
  [{}, { EDGECTL_PROFILE: 'prod' }, false],
  [{}, other, false],
  [{}, { EDGECTL_ACCOUNT_ID: 'a', CLOUDFLARE_ACCOUNT_ID: 'b' }, true],
])(
  'decides whether the flags %j and the environment %j use the profile of the folder: %s',
  (flags, env, says) => {
    expect(isFolderProfileUsed({ flags, env })).toBe(says);
  },
);

test('names the source of each id, even if the id is invalid', async () => {
  const config = { accountId: getId('file'), zoneId: getId('zone') };
  const fromFile = await resolve({ env: { EDGECTL_API_TOKEN: 't' }, flags: {}, config });
  expect(fromFile).toMatchObject({ ...config, accountOrigin: 'config', zoneOrigin: 'config' });
  expect(await resolve({ env: own })).toMatchObject({ accountOrigin: { variable: 'EDGECTL_ACCOUNT_ID' } });
  expect(await resolve({ flags: { profile: 'prod' } })).toMatchObject({ zoneOrigin: { profile: 'prod' } });
  const zoneId = 'nonsense';
  await expect(resolve({ env: own, flags: { zoneId } })).rejects.toThrow('nonsense');
  await expect(resolve({ env: { ...own, EDGECTL_ZONE_ID: zoneId } })).rejects.toThrow('EDGECTL_ZONE_ID');
});
