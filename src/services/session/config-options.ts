import type { World } from '../../world.ts';
import type { Choice } from './session.ts';
import { acceptConfig, type Confirm } from './trust.ts';

/** The options with which a session finds its configuration and selects an environment. */
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
