import { findConfig } from '../../config/find.ts';
import type { Project } from '../../model/config.ts';
import { isProblem } from '../../model/problem.ts';
import { type CredentialInput, isFolderProfileUsed, resolveCredentials } from '../../profiles/credentials.ts';
import type { World } from '../../world.ts';
import { configOptions } from './config-options.ts';
import type { AskSecret } from './lock.ts';
import { once } from './once.ts';
import type { Choice } from './session.ts';
import { type Confirm, confirmBoundProfile } from './trust.ts';

/**
 * Returns all sources of credentials. `resolveCredentials` reads the profiles and the folder's binding only if no source with higher
 * precedence has credentials.
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

/** Asks the questions that opening a session requires before the console starts, because the console cannot ask them on its screen. */
export async function confirmFound(
  world: World,
  choice: Choice,
  confirm: Confirm | undefined,
): Promise<void> {
  await findConfig(configOptions(world, choice, confirm));
  if (isFolderProfileUsed(credentialInput(world, choice))) await confirmBoundProfile(world, confirm);
}

/** Asks for the passphrase of a locked profile, before the console starts. Without the passphrase, the console can only read. */
export async function unlockAtStart(
  world: World,
  choice: Choice,
  ask: AskSecret,
  warn: (message: string) => void,
): Promise<void> {
  // A failure is reported when the session opens.
  const found = await resolveCredentials(credentialInput(world, choice)).catch(() => undefined);
  if (found?.kind !== 'platform' || found.locked === undefined) return;
  const { openLock } = await import('./lock.ts');
  try {
    await openLock(world, found.locked, found.apiBaseUrl, ask).unlock();
  } catch (error) {
    if (!isProblem(error) || error.code !== 'not-signed-in' || found.auth === undefined) throw error;
    warn(`Profile "${found.locked.profile}" remains locked, so the console is read-only.`);
  }
}
