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

it("saves a profile's request budget, and uses it for its sessions", async () => {
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

it.each([0, 3, 1.5, Number.NaN])('refuses a budget of %d requests', async (requestBudget) => {
  const profiles = await openProfiles(scratchFolder('config'));
  expect(() => profiles.save({ ...profile, requestBudget })).toThrow('The request budget');
});
