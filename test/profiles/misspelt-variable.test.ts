import { expect, test } from 'vitest';
import { environmentVariables } from '../../src/cli/output/topics.ts';
import { refuseMisspelt } from '../../src/profiles/misspelt-variable.ts';

const refusal = (name: string) => () => refuseMisspelt({ [name]: 'x' });

test.each([
  ['EDGECTL_BASE_URL', 'EDGECTL_API_BASE_URL'],
  ['EDGECTL_API_URL', 'EDGECTL_API_BASE_URL'],
  ['EDGECTL_API_BASE_ULR', 'EDGECTL_API_BASE_URL'],
  ['EDGECTL_API_BASE_URI', 'EDGECTL_API_BASE_URL'],
  ['EDGECTL_API_KYE', 'EDGECTL_API_KEY'],
  ['EDGECTL_TOKEN', 'EDGECTL_API_TOKEN'],
  ['EDGECTL_APITOKEN', 'EDGECTL_API_TOKEN'],
  ['EDGECTL_API_TOEKN', 'EDGECTL_API_TOKEN'],
  ['EDGECTL_ACCOUNT', 'EDGECTL_ACCOUNT_ID'],
  ['EDGECTL_ZONE', 'EDGECTL_ZONE_ID'],
  ['EDGECTL_READONLY', 'EDGECTL_READ_ONLY'],
  ['EDGECTL_RED_ONY', 'EDGECTL_READ_ONLY'],
  ['EDGECTL_SANDBOX', 'EDGECTL_SANDBOX_DIR'],
  ['EDGECTL_SANDBOX_DIRECTORY', 'EDGECTL_SANDBOX_DIR'],
  ['EDGECTL_PROFILES', 'EDGECTL_PROFILE'],
  ['EDGECTL_MOUS', 'EDGECTL_MOUSE'],
])('refuses the variable %s and suggests %s', (name, meant) => {
  expect(refusal(name)).toThrow(
    expect.objectContaining({
      message: `${name} is set, but edgectl does not read it. Did you mean ${meant}?`,
      hint: `Rename it to ${meant}, or unset it.`,
    }),
  );
});

test.each([
  ...environmentVariables.map(([name]) => name),
  'EDGECTL_ENV',
  'EDGECTL_HOME',
  'EDGECTL_MODE',
  'EDGECTL_DEMO',
  'EDGECTL_VERSION',
  'EDGECTL_EVENT_HOSTNAME',
  'EDGECTL_EVENT_ID',
  'EDGECTL_TESTS',
  'EDGECTL_LRU',
  'EDGECTL_DONE',
  'EDGECTL_KEYS',
  'EDGECTL_ZONES',
  'EDGECTL_',
  'XEDGECTL_TOKEN',
])('ignores the variable %s', (name) => {
  expect(refusal(name)).not.toThrow();
});

test('treats an empty variable as unset', () => {
  expect(() => refuseMisspelt({ EDGECTL_TOKEN: '' })).not.toThrow();
});
