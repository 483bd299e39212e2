import { findConfig } from '../../config/find.ts';
import type { Project } from '../../model/config.ts';
import { type CredentialInput, isFolderProfileUsed } from '../../profiles/credentials.ts';
import type { World } from '../../world.ts';
import { configOptions } from './config-options.ts';
import { once } from './once.ts';
import type { Choice } from './session.ts';
import { type Confirm, confirmBoundProfile } from './trust.ts';

/**
 * All sources of credentials. Profiles and the folder's binding are read only if no source with higher precedence has
 * credentials.
 */
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
    bound: once(() => confirmBoundProfile(world, confirm)),
    profiles: async () => (await import('../../profiles/profiles.ts')).openProfiles(world.folders.config),
  };
}

/** Asks the questions that sessions of this choice would ask when they open: the console cannot ask them on its screen. */
export async function confirmFound(
  world: World,
  choice: Choice,
  confirm: Confirm | undefined,
): Promise<void> {
  await findConfig(configOptions(world, choice, confirm));
  if (isFolderProfileUsed(credentialInput(world, choice))) await confirmBoundProfile(world, confirm);
}
