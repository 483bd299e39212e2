import { expect, it } from 'vitest';
import { resolveCredentials } from '../../src/profiles/credentials.ts';
import type { Profile } from '../../src/profiles/profile.ts';
import { openProfiles } from '../../src/profiles/profiles.ts';
import { scratchFolder } from '../support/world.ts';

const profile: Profile = {
  name: 'acme',
  apiBaseUrl: 'https://api.example.com/client/v4',
  auth: { token: 'secret' },
  brand: 'acme',
};

it('a profile keeps its budget of requests, and gives it to whoever acts as it', async () => {
  const profiles = await openProfiles(scratchFolder('config'));
  profiles.save({ ...profile, requestBudget: 2400 });
  profiles.save({ ...profile, name: 'plain' });
  profiles.save({ ...profile, name: 'least', requestBudget: 4 });
  const budgetOf = async (name: string): Promise<unknown> =>
    resolveCredentials({ env: {}, flags: { profile: name }, profiles: async () => profiles });
  expect(await budgetOf('acme')).toMatchObject({ requestBudget: 2400 });
  expect(await budgetOf('least')).toMatchObject({ requestBudget: 4 });
  expect(await budgetOf('plain')).toMatchObject({ requestBudget: undefined });
});

it.each([0, 3, 1.5, Number.NaN])('a profile cannot have a budget of %d requests', async (requestBudget) => {
  const profiles = await openProfiles(scratchFolder('config'));
  expect(() => profiles.save({ ...profile, requestBudget })).toThrow('The budget of requests');
});
