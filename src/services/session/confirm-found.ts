import { findConfig } from '../../config/find.ts';
import { boundHasSay } from '../../profiles/credentials.ts';
import type { World } from '../../world.ts';
import { configOptions } from './config-options.ts';
import { credentialInput } from './credential-input.ts';
import type { Choice } from './session.ts';
import { type Confirm, settleBound } from './trust.ts';

/** Asks now what sessions of this choice would ask when they open: for the console, which has no questions on its screen. */
export async function confirmFound(
  world: World,
  choice: Choice,
  confirm: Confirm | undefined,
): Promise<void> {
  await findConfig(configOptions(world, choice, confirm));
  if (boundHasSay(credentialInput(world, choice))) await settleBound(world, confirm);
}
