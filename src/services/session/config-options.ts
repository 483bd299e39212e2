import type { World } from '../../world.ts';
import type { Choice } from './session.ts';
import { acceptConfig, type Confirm } from './trust.ts';

/** How a session finds its configuration, and picks one environment of it. */
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
