import type { Project } from '../model/config.ts';
import type { ValuePath } from './position.ts';
import { readConfig } from './read.ts';

/**
 * Returns the position of a value in a project's configuration, such as `/path/edgectl.toml:5`. The value is in the project's environment, or
 * at the top level if `inherited` is set and the environment does not set it. Reads the file again, because only error messages need line
 * numbers. Returns only the path if the value can no longer be found.
 */
export async function locateValue(
  project: Project,
  path: ValuePath,
  { inherited = false }: { inherited?: boolean } = {},
): Promise<string> {
  const { environment } = project;
  const own = environment === undefined ? path : ['env', environment, ...path];
  const source = await readConfig(project).catch(() => undefined);
  const found = source !== undefined && inherited && !isGiven(source.data, own) ? path : own;
  const line = source?.locate(found)?.line;
  return line === undefined ? project.path : `${project.path}:${line}`;
}

function isGiven(data: unknown, path: ValuePath): boolean {
  let value = data;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
    value = Object.getOwnPropertyDescriptor(value, key)?.value;
  }
  return true;
}
