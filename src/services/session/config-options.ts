import type { World } from '../../world.ts';
import type { Choice } from './session.ts';
import { acceptConfig, type Confirm } from './trust.ts';

/** Returns the options for finding the configuration of a session and selecting an environment. */
export function configOptions(
  world: Pick<World, 'cwd' | 'folders'>,
  choice: Pick<Choice, 'configPath' | 'jsonConfig' | 'environment'>,
  confirm?: Confirm,
) {
  return {
    cwd: world.cwd,
    config: choice.configPath,
    json: choice.jsonConfig,
    environment: choice.environment,
    accept: acceptConfig(world, confirm),
  };
}
