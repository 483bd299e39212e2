import { Problem } from '../../model/problem.ts';
import { type Settings, settingTable } from '../../model/settings.ts';
import type { World } from '../../world.ts';
import { settingsOf } from './settings.ts';

/** How the console behaves on the reader's terminal. */
export interface Manners {
  /** `auto`: as the background of the terminal is. */
  readonly theme: Settings['theme'];
}

/** Variables that mean the same as the flags of a command line. */
export type MannerVariables = Readonly<Partial<Record<'EDGECTL_THEME', string>>>;

/** The variables that say what was typed. */
export function mannerVariables({ theme }: { readonly theme: string | undefined }): MannerVariables {
  return theme === undefined ? {} : { EDGECTL_THEME: theme };
}

/** The variables that say all manners. */
export function variablesOf({ theme }: Manners): MannerVariables {
  return { EDGECTL_THEME: theme };
}

/**
 * The manners that the environment asks for, and behind it the settings. A theme that somebody has named wins over
 * NO_COLOR, as no-color.org has it. Refuses a theme that there is not, and settings that cannot be read.
 */
export function mannersOf(world: Pick<World, 'env' | 'folders'>): Manners {
  const { theme } = settingsOf(world);
  const named = world.env['EDGECTL_THEME'] || undefined;
  const refused = (world.env['NO_COLOR'] ?? '') !== '';
  if (named !== undefined) return { theme: themeNamed(named) };
  return { theme: theme === 'auto' && refused ? 'mono' : theme };
}

function themeNamed(text: string): Settings['theme'] {
  const { values } = settingTable.theme;
  const found = values.find((name) => name === text);
  if (found !== undefined) return found;
  throw new Problem('usage', `There is no theme "${text}".`, { hint: `There are: ${values.join(', ')}.` });
}
