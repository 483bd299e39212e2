import type { TextProps } from 'ink';
import type { DisplaySettings } from '../../src/services/session/display-settings.ts';

/** The meaning of a piece of text. The theme maps it to a style. */
export type Role =
  | 'plain'
  | 'title'
  | 'dim'
  | 'selected'
  | 'cursor'
  | 'found'
  | 'fresh'
  | 'border'
  | 'focus'
  | 'escaped'
  | 'press'
  | 'badge'
  | 'good'
  | 'warning'
  | 'fault'
  | 'production'
  | 'preview'
  | 'local'
  | 'embedded';

export type Style = Pick<
  TextProps,
  'color' | 'backgroundColor' | 'bold' | 'inverse' | 'dimColor' | 'underline'
>;

/** The style of each role, as props of Ink's `Text`. */
export type Theme = Readonly<Record<Role, Style>>;

/** Roles without a colour, identical in all themes. */
const colorlessRoles = {
  plain: {},
  title: { bold: true },
  selected: { inverse: true },
  cursor: { inverse: true },
  found: { bold: true, underline: true },
  press: { bold: true },
} satisfies Partial<Theme>;

/** A word on a coloured background. Black and white are given by number because some terminals draw bold black as grey. */
function badgeStyle(color: number, backgroundColor: string): Style {
  return { color: `ansi256(${color})`, backgroundColor, bold: true };
}

const black = 16;
const white = 231;

/** Uses the terminal's 16 colours where they are readable on black, so that the user's palette applies. */
const dark: Theme = {
  ...colorlessRoles,
  dim: { color: 'ansi256(245)' },
  border: { color: 'ansi256(242)' },
  focus: { color: 'cyan' },
  escaped: { color: 'magentaBright' },
  badge: { color: 'cyan' },
  fresh: { color: 'greenBright', bold: true },
  good: { color: 'green' },
  warning: { color: 'yellow' },
  fault: { color: 'redBright', bold: true },
  production: badgeStyle(white, 'red'),
  preview: badgeStyle(black, 'yellow'),
  local: badgeStyle(black, 'green'),
  embedded: badgeStyle(black, 'cyan'),
};

/** Uses fixed colours of the 256-colour cube, because green, yellow and cyan of the 16 are unreadable on white. */
const light: Theme = {
  ...colorlessRoles,
  dim: { color: 'ansi256(241)' },
  border: { color: 'ansi256(245)' },
  focus: { color: 'ansi256(24)' },
  escaped: { color: 'ansi256(90)' },
  badge: { color: 'ansi256(24)' },
  fresh: { color: 'ansi256(22)', bold: true, underline: true },
  good: { color: 'ansi256(22)' },
  warning: { color: 'ansi256(94)' },
  fault: { color: 'ansi256(160)', bold: true },
  production: badgeStyle(white, 'ansi256(160)'),
  preview: badgeStyle(black, 'ansi256(214)'),
  local: badgeStyle(white, 'ansi256(22)'),
  embedded: badgeStyle(white, 'ansi256(24)'),
};

/** Nothing is dim. Each colour has its own background, so the contrast is the same on every terminal. */
const highContrast: Theme = {
  ...colorlessRoles,
  selected: { inverse: true, bold: true },
  dim: {},
  border: {},
  focus: { bold: true },
  escaped: { underline: true },
  badge: { bold: true },
  fresh: { bold: true, underline: true },
  good: { bold: true },
  warning: badgeStyle(black, 'ansi256(226)'),
  fault: badgeStyle(white, 'ansi256(124)'),
  production: badgeStyle(white, 'ansi256(124)'),
  preview: badgeStyle(black, 'ansi256(226)'),
  local: badgeStyle(black, 'ansi256(46)'),
  embedded: badgeStyle(black, 'ansi256(51)'),
};

/** Only bold, dim, underline and inverse. Whatever a colour shows, a word or a sign shows as well. */
const mono: Theme = {
  ...colorlessRoles,
  dim: { dimColor: true },
  border: { dimColor: true },
  focus: { bold: true },
  escaped: { underline: true },
  badge: {},
  fresh: { bold: true },
  good: {},
  warning: { bold: true },
  fault: { bold: true },
  production: { bold: true, underline: true },
  preview: { bold: true },
  local: { bold: true },
  embedded: { bold: true },
};

/** All themes by name: the only table of colours. */
export const themes = { dark, light, 'high-contrast': highContrast, mono } as const satisfies Record<
  Exclude<DisplaySettings['theme'], 'auto'>,
  Theme
>;

/** Returns the theme with this name; `auto` follows the terminal's background. */
export function resolveTheme(
  name: DisplaySettings['theme'],
  background: { readonly isLight: boolean },
): Theme {
  if (name === 'auto') return background.isLight ? light : dark;
  return themes[name];
}
