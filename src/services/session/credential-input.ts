import type { Project } from '../../model/config.ts';
import type { CredentialInput } from '../../profiles/credentials.ts';
import type { World } from '../../world.ts';
import { once } from './once.ts';
import type { Choice } from './session.ts';
import { type Confirm, settleBound } from './trust.ts';

/** All that can say as whom to act; the profiles and the folder are looked at where nothing nearer says it. */
export function credentialInput(
  world: World,
  choice: Choice,
  config?: Project,
  confirm?: Confirm,
): CredentialInput {
  const { profile, accountId, zoneId, apiBaseUrl } = choice;
  return {
    env: world.env,
    flags: { profile, accountId, zoneId, apiBaseUrl },
    config,
    bound: once(() => settleBound(world, confirm)),
    profiles: async () => (await import('../../profiles/profiles.ts')).openProfiles(world.folders.config),
  };
}
