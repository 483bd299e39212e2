import type { Config, Project } from '../model/config.ts';
import { Problem } from '../model/problem.ts';
import { checkConfig } from './check.ts';
import { acceptFound, type FindOptions, findConfig } from './find.ts';
import { readConfig, readFoundConfig } from './read.ts';

/** Finds, reads and checks the configuration, and selects an environment. Returns undefined if there is no configuration file. */
export async function openProject(
  options: FindOptions & { readonly environment?: string | undefined },
): Promise<Project | undefined> {
  const file = await findConfig(options);
  if (file === undefined) return undefined;
  const { config, cwd } = options;
  const bytes =
    config === undefined
      ? await readFoundConfig(file.path, cwd, (doubt) => acceptFound(file.path, doubt, options))
      : undefined;
  return selectEnvironment(checkConfig(await readConfig(file, bytes)), options.environment);
}

/**
 * Returns the configuration of an environment. The account, zone, entry point and compatibility date are inherited; bindings and plain
 * values are not. The name is the environment's own name, or `<name>-<environment>`. Throws for an unknown environment.
 */
export function selectEnvironment(config: Config, environment: string | undefined): Project {
  const { environments, ...top } = config;
  const projectName = top.name === undefined ? {} : { projectName: top.name };
  if (environment === undefined) return { ...top, ...projectName, topLevel: top };
  const section = environments.get(environment);
  if (section === undefined) throw unknownEnvironment(config, environment);
  const name = section.name ?? (top.name === undefined ? undefined : `${top.name}-${environment}`);
  return {
    ...top,
    ...section,
    ...(name !== undefined && { name }),
    ...projectName,
    environment,
    topLevel: top,
  };
}

function unknownEnvironment(config: Config, environment: string): Problem {
  const known = [...config.environments.keys()].join(', ');
  return new Problem('usage', `Environment "${environment}" not found in ${config.path}.`, {
    hint:
      known === ''
        ? 'The file has no environments. Add an environment as [env.NAME].'
        : `Environments in the file: ${known}.`,
  });
}
