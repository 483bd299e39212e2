import { Problem } from '../../model/problem.ts';
import { type Settings, settingTable } from '../../model/settings.ts';
import type { World } from '../../world.ts';
import { settingsOf } from './settings.ts';

/** How the console behaves on the reader's terminal. */
export interface Manners {
  /** `auto`: as the background of the terminal is. */
  readonly theme: Settings['theme'];
  /** Whether changes are written as lines, one after the other, and nothing is redrawn. */
  readonly screenReader: boolean;
  /** Whether clicks, the wheel and drags are taken, which the terminal then has no more for its own selection. */
  readonly mouse: boolean;
}

/** Variables that mean the same as the flags of a command line. */
export type MannerVariables = Readonly<
  Partial<Record<'EDGECTL_THEME' | 'EDGECTL_SCREEN_READER' | 'EDGECTL_MOUSE', string>>
>;

/** Flags about manners; one that was not typed is undefined or false. */
interface MannerFlags {
  readonly theme: string | undefined;
  readonly 'screen-reader': boolean;
  readonly mouse: boolean;
}

/** The variables that say what was typed. */
export function mannerVariables({
  theme,
  'screen-reader': screenReader,
  mouse,
}: MannerFlags): MannerVariables {
  return {
    ...(theme !== undefined && { EDGECTL_THEME: theme }),
    ...(screenReader && { EDGECTL_SCREEN_READER: '1' }),
    ...(mouse && { EDGECTL_MOUSE: '1' }),
  };
}

/** The variables that say all manners. */
export function variablesOf({ theme, screenReader, mouse }: Manners): MannerVariables {
  const bit = (is: boolean) => (is ? '1' : '0');
  return { EDGECTL_THEME: theme, EDGECTL_SCREEN_READER: bit(screenReader), EDGECTL_MOUSE: bit(mouse) };
}

/**
 * The display settings of the environment, then those of the settings file. A named theme overrides NO_COLOR, as no-color.org
 * specifies; a screen reader gets no colours. Refuses an unknown word, and settings that cannot be read.
 */
export function mannersOf(world: Pick<World, 'env' | 'folders'>): Manners {
  const { theme, 'screen-reader': reader, mouse: wanted } = settingsOf(world);
  const named = world.env['EDGECTL_THEME'] || undefined;
  const wished = named === undefined ? undefined : themeNamed(named);
  const screenReader = switched('EDGECTL_SCREEN_READER', world.env) ?? reader === 'on';
  const isRefused = theme === 'auto' && (world.env['NO_COLOR'] ?? '') !== '';
  const shown = wished ?? (isRefused ? 'mono' : theme);
  const mouse = switched('EDGECTL_MOUSE', world.env) ?? wanted === 'on';
  return { theme: screenReader ? 'mono' : shown, screenReader, mouse };
}

/** Whether a variable says 1 or 0; undefined where it is not set. */
function switched(name: string, env: World['env']): boolean | undefined {
  const value = env[name] ?? '';
  if (value === '') return undefined;
  if (value === '1' || value === '0') return value === '1';
  throw new Problem('usage', `${name} is 1 or 0, not "${value}".`);
}

function themeNamed(text: string): Settings['theme'] {
  const { values } = settingTable.theme;
  const found = values.find((name) => name === text);
  if (found !== undefined) return found;
  throw new Problem('usage', `There is no theme "${text}".`, { hint: `There are: ${values.join(', ')}.` });
}
